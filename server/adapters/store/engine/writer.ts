// Writes as the rest of the store sees them: work in a transaction, which is stored when it is answered.
import type { Db } from '../tables/tables.ts';

/** May run twice: what it does besides its statements happens after it. */
export type WriteWork<T> = (tx: Db) => Promise<T>;

/**
 * Changes of keys and grants come first, each time: a key that is revoked must not work for as long as others write. Requests
 * come before ingestion, because callers wait for them. A `repeatable` write does not wait for the disk: after a power cut it
 * is repeated.
 */
export type Priority = 'access' | 'request' | 'ingest' | 'repeatable';

export interface Writer {
  /** No other write runs meanwhile, but for changes of keys and grants. */
  write<T>(write: WriteWork<T>, priority?: Priority): Promise<T>;
  /**
   * Other writes may run at the same time: this one locks what it reads before it decides by it (`locks.ts`). `callers`: so many
   * share it; default: 1.
   */
  together<T>(write: WriteWork<T>, priority?: Exclude<Priority, 'access'>, callers?: number): Promise<T>;
  /** True: several requests waited at once a moment ago, so that background work should make its writes smaller. */
  crowded(): boolean;
}
