// The contexts of queries: the database or transaction, the scope and the moment.
import type { Reach } from '../../../core/scope.ts';
import type { Db } from '../tables/tables.ts';

export interface ScopedRead {
  readonly db: Db;
  readonly reach: Reach;
  readonly now: number;
}

/** A transaction; everything in it happens at one moment. */
export interface WriteContext {
  readonly tx: Db;
  readonly now: number;
}

export interface ScopedWrite extends WriteContext {
  readonly reach: Reach;
}
