// PostgreSQL behind the shared statements.
import type { StoreEngine } from '../engine/engine.ts';
import { postgresVectors } from './vectors.ts';
import { postgresWords } from './words.ts';

export const POSTGRES: StoreEngine = { words: postgresWords, vectors: postgresVectors };
