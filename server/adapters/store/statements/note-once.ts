// Notes a value of the whole database, and tells whether it is another one than before.
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';

/** False: it was noted already. The row is locked, so of two processes one gets true. `former`: while nothing is noted. */
export const noteOnce = async (
  tx: Db,
  { key, value, former }: { key: string; value: string; former: string },
): Promise<boolean> => {
  const [text, before] = [JSON.stringify(value), JSON.stringify(former)];
  await run(tx, 'insert into meta (key, value) values ($1, $2) on conflict (key) do nothing', [key, before]);
  const { numUpdatedRows } = await tx
    .updateTable('meta')
    .set({ value: text })
    .where('key', '=', key)
    .where('value', '<>', text)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
