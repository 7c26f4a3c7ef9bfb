// SQLite behind the shared statements.
import type { StoreEngine } from '../engine/engine.ts';
import { sqliteVectors } from './vectors.ts';
import { sqliteWords } from './words.ts';

export const SQLITE: StoreEngine = { words: sqliteWords, vectors: sqliteVectors };
