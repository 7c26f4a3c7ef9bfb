// The stored mark that text was erased since the last scrub. It survives a crash between erasing and scrubbing.
// Every erasure changes its value, so that a scrub does not forget the text that was erased while it ran.
import { sql } from '#kysely';
import type { Db } from '../../tables/tables.ts';

const UNSCRUBBED = 'unscrubbed';

const NEXT_MARK = sql<string>`cast(cast(meta.value as bigint) + 1 as text)`;

export const noteUnscrubbed = async (tx: Db): Promise<void> => {
  await tx
    .insertInto('meta')
    .values({ key: UNSCRUBBED, value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: NEXT_MARK }))
    .execute();
};

/** Null: everything erased is scrubbed. */
export const unscrubbedMark = async (db: Db): Promise<string | null> => {
  const row = await db.selectFrom('meta').select('value').where('key', '=', UNSCRUBBED).executeTakeFirst();
  return row?.value ?? null;
};

/** Keeps a mark that was changed since it was read. */
export const forgetUnscrubbed = async (tx: Db, mark: string): Promise<void> => {
  await tx.deleteFrom('meta').where('key', '=', UNSCRUBBED).where('value', '=', mark).execute();
};
