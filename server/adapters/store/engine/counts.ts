// What containers and spaces hold, as sums that every write adds to.
import type { Db } from '../tables/tables.ts';
import { engineOf } from './engine.ts';

export interface ContainerCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly body_tokens: number;
  readonly messages: number;
  readonly message_tokens: number;
  readonly memories: number;
  readonly memory_tokens: number;
}

/** Of one database. A transaction sees what it added itself only after it has ended. */
export interface Counting {
  containers(tx: Db, n: number, changes: Partial<ContainerCounts>): Promise<void>;
  vectors(tx: Db, space: number, by: number): Promise<void>;
}

export const countInContainer = (tx: Db, n: number, changes: Partial<ContainerCounts>): Promise<void> =>
  engineOf(tx).counting.containers(tx, n, changes);

export const countVectorsInSpace = (tx: Db, space: number, by: number): Promise<void> =>
  engineOf(tx).counting.vectors(tx, space, by);
