// Scrubbing: after rows were erased their words are still readable in the keyword index, until it is merged.
import { run } from '../../engine/run.ts';
import type { Db } from '../../tables/tables.ts';
import { WORD_TABLES } from '../words.ts';

const totalChanges = async (tx: Db): Promise<number> => {
  const { rows } = await run<{ total: number }>(tx, 'select total_changes() as total');
  return rows[0]?.total ?? 0;
};

/**
 * `secure_delete` overwrites table pages, but FTS5 keeps deleted words until its segments are merged. A negative number
 * of pages starts to merge all segments, a positive one continues; false: nothing is left to merge.
 */
export const mergeWordSegments = async (tx: Db, pages: number): Promise<boolean> => {
  const before = await totalChanges(tx);
  const tables = Object.values(WORD_TABLES);
  for (const table of tables)
    await run(tx, `insert into ${table} (${table}, rank) values ('merge', $1)`, [pages]);
  // Each statement itself counts as one change.
  return (await totalChanges(tx)) - before > tables.length;
};
