// SQLite behind the shared statements.
import type { StoreEngine } from '../engine/engine.ts';
import { sqliteCounting } from './counting.ts';
import { sqliteLocks } from './locks.ts';
import { sqliteNumbers } from './numbers.ts';
import { sqliteVectors } from './vectors.ts';
import { sqliteWords } from './words.ts';

export const SQLITE: StoreEngine = {
  isRemote: false,
  words: sqliteWords,
  vectors: sqliteVectors,
  locks: sqliteLocks,
  numbers: sqliteNumbers,
  counting: sqliteCounting,
  rowCaches: null,
  keepsReads: false,
};

/** A connection that writes would keep what a rollback takes back, with its count. */
export const SQLITE_READING: StoreEngine = { ...SQLITE, keepsReads: true };
