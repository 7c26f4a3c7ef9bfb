// SQLite behind the shared statements.
import type { StoreEngine } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
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
  stateOf: null,
};

/** A connection does not count its own commits, so one that writes has no such number. */
export const SQLITE_READING: StoreEngine = {
  ...SQLITE,
  async stateOf(db) {
    const { rows } = await run<{ data_version: number }>(db, 'pragma data_version');
    return rows[0]?.data_version ?? 0;
  },
};
