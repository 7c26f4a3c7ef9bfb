// The identity of a statement: other punctuation or case is the same fact; "3 May" and "4 May" are two.
import { hash } from 'node:crypto';

const EDGES = /^[\s"'“”‘’.,;:!¡¿?–—-]+|[\s"'“”‘’.,;:!?–—-]+$/gu;

export const statementKey = (statement: string): string =>
  hash(
    'sha256',
    statement.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').replaceAll(EDGES, ''),
  ).slice(0, 32);
