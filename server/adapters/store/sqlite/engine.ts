// SQLite behind the shared statements.
import type { Engine } from '../engine/engine.ts';
import { sqliteVectors } from './vectors.ts';
import { sqliteWords } from './words.ts';

export const SQLITE: Engine = { words: sqliteWords, vectors: sqliteVectors };
