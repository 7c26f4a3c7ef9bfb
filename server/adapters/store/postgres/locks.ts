// Locks of PostgreSQL that end with their transaction, so that they work through a pooler.
import type { WriteLocks } from '../engine/engine.ts';
import { run } from '../engine/run.ts';

/** Each name as a number of 64 bits; the order of the list is kept. */
const NAMES = 'select pg_advisory_xact_lock(hashtextextended(value, 0)) from text_list($1)';

const rowsStatement = (table: string, free: boolean): string =>
  `select n from ${table} where n in (select value from number_list($1)) order by n for update${free ? ' skip locked' : ''}`;

export const postgresLocks: WriteLocks = {
  needed: true,
  async names(tx, names) {
    await run(tx, NAMES, [JSON.stringify(names)]);
  },
  async rows(tx, { table, ns, free = false }) {
    if (ns.length === 0) return [];
    const { rows } = await run<{ n: number }>(tx, rowsStatement(table, free), [JSON.stringify(ns)]);
    return rows.map(({ n }) => n);
  },
};
