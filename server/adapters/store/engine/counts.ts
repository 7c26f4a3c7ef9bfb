// The sums of containers and spaces. Every write adds to them.
import type { Db } from '../tables/tables.ts';
import { type ContainerCounts, engineOf, type VectorGrowth } from './engine.ts';

export const countInContainer = (tx: Db, n: number, changes: Partial<ContainerCounts>): Promise<void> =>
  engineOf(tx).counting.containers(tx, n, changes);

export const countVectorsInSpace = (tx: Db, space: number, by: VectorGrowth): Promise<void> =>
  engineOf(tx).counting.vectors(tx, space, by);
