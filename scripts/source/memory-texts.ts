// The texts in `test/memories/` that the models learn from.
import { readFileSync } from 'node:fs';

export const MEMORY_TEXTS = new URL('../../test/memories/', import.meta.url);

export const readMemoryTexts = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(path, MEMORY_TEXTS), 'utf8')) as T;
