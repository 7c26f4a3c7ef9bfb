// The identity of a statement: the same words in another dress are the same fact; "3 May" and "4 May" are not.
import { sha256 } from './hash.ts';

const EDGES = /^[\s"'“”‘’.,;:!¡¿?–—-]+|[\s"'“”‘’.,;:!?–—-]+$/gu;

export const factOf = (statement: string): string =>
  sha256(statement.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').replaceAll(EDGES, '')).slice(
    0,
    32,
  );
