// A point inside a statement at which its thread can be ended: node:sqlite cannot interrupt a statement, but a thread that
// is being terminated stops as soon as SQLite calls JavaScript.
import type { DatabaseSync } from 'node:sqlite';

export const INTERRUPTIBLE = 'interruptible';

/** True for every row. Not deterministic, so that SQLite calls it for each of them. */
export const defineInterruptible = (database: DatabaseSync): void => {
  database.function(INTERRUPTIBLE, () => 1);
};
