// Writes as the rest of the store sees them: work in a transaction, which is stored when it is answered.
import type { Db } from '../tables/tables.ts';

/** The work of a write may run twice, so it does nothing but run statements; everything else happens after the write. */
export type WriteWork<T> = (tx: Db) => Promise<T>;

/**
 * The order of writes that wait. `access`: changes of keys and grants, always first, because a revoked key must not work for
 * as long as others write. `request`: a caller waits. `ingest`: background work. `repeatable`: background work that does not
 * wait for the disk, because it is done again after a power cut.
 */
export type Priority = 'access' | 'request' | 'ingest' | 'repeatable';

export interface Writer {
  /** Runs alone: no other write runs at the same time, except changes of keys and grants. */
  write<T>(write: WriteWork<T>, priority?: Priority): Promise<T>;
  /**
   * Runs beside other writes, and so locks rows before it decides by them (`locks.ts`). `callers`: the number of callers whose
   * work it joins; default: 1.
   */
  together<T>(write: WriteWork<T>, priority?: Exclude<Priority, 'access'>, callers?: number): Promise<T>;
  /** True: several requests waited at once a moment ago, so that background work should make its writes smaller. */
  crowded(): boolean;
}
