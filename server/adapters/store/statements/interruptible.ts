// A point inside a statement at which its thread can be ended: node:sqlite cannot interrupt a statement, but a thread that
// is being terminated stops as soon as SQLite calls JavaScript.
import type { DatabaseSync } from 'node:sqlite';
import { type SqlBool, sql } from 'kysely';

const NAME = 'interruptible';

/** True for every row. Not deterministic, so that SQLite calls it for each of them. */
export const defineInterruptible = (database: DatabaseSync): void => {
  database.function(NAME, () => 1);
};

/** Before a comparison that may take long. */
export const INTERRUPTIBLE = sql<SqlBool>`${sql.raw(NAME)}()`;
