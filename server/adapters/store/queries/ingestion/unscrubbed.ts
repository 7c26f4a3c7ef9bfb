// The stored mark that text was erased since the last scrub. It survives a crash between erasing and scrubbing.
import type { Db } from '../../tables/tables.ts';

const UNSCRUBBED = 'unscrubbed';

export const noteUnscrubbed = async (tx: Db): Promise<void> => {
  await tx
    .insertInto('meta')
    .values({ key: UNSCRUBBED, value: '1' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const isUnscrubbed = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('meta').select('key').where('key', '=', UNSCRUBBED).executeTakeFirst()) !== undefined;

export const forgetUnscrubbed = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('meta').where('key', '=', UNSCRUBBED).execute();
};
