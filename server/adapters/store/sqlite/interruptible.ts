// A point inside a statement at which it can be ended: node:sqlite cannot interrupt a statement, but one whose function fails
// ends, and a thread that is being terminated stops as soon as SQLite calls JavaScript.
import type { DatabaseSync } from 'node:sqlite';

export const INTERRUPTIBLE = 'interruptible';

/** True for every row. Not deterministic, so that SQLite calls it for each of them. `stop`: not zero to end the statement. */
export const defineInterruptible = (database: DatabaseSync, stop?: Int32Array): void => {
  database.function(INTERRUPTIBLE, () => {
    if (stop !== undefined && Atomics.load(stop, 0) !== 0) throw new Error('The query was told to stop.');
    return 1;
  });
};
