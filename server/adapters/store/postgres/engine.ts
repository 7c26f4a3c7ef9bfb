// PostgreSQL behind the shared statements.
import type { StoreEngine } from '../engine/engine.ts';
import { postgresCounting } from './counting.ts';
import { postgresLocks } from './locks.ts';
import { postgresNumbers } from './numbers.ts';
import { postgresRowCaches } from './row-caches.ts';
import { postgresVectors } from './vectors/vectors.ts';
import { postgresWords } from './words.ts';

export const POSTGRES: StoreEngine = {
  isRemote: true,
  words: postgresWords,
  vectors: postgresVectors,
  locks: postgresLocks,
  numbers: postgresNumbers,
  counting: postgresCounting,
  rowCaches: postgresRowCaches,
  keepsReads: false,
};
