// Prepares statements for the store: their text, terms and vectors.
import type { Embedder, Passage } from '../../adapters/embed/port.ts';
import type { PreparedMemory } from '../../adapters/store/ports/memories/memories.ts';
import type { FillSpace } from '../../adapters/store/ports/spaces.ts';
import { sha256 } from '../../lib/hash.ts';
import { indexedText, statementTerms } from '../../lib/text/terms/statement-terms.ts';
import { encodeTerms } from '../../lib/text/terms/terms.ts';
import type { ActiveSpace } from '../spaces/spaces.ts';

export type NewStatement = Omit<PreparedMemory, 'body' | 'bodyTokens' | 'terms' | 'inputHash' | 'vectors'>;

/** A space that statements are embedded into. */
export interface StatementSpace extends FillSpace {
  embedder: Embedder;
}

/** The active space as a list of spaces to embed into; empty while there is none. */
export const statementSpaces = (active: ActiveSpace | null): StatementSpace[] => {
  if (active === null) return [];
  const { id, name, embedder } = active;
  return [{ id, dimensions: name.dimensions, keepExact: embedder.keepExact, embedder }];
};

/** A memory has no neighbours. */
export const statementPassage = (memory: string): Passage => ({ text: memory, previous: [], next: [] });

type Vectors = ReadonlyMap<number, readonly Float32Array[]>;

const vectorsOf = async (
  statements: readonly NewStatement[],
  spaces: readonly StatementSpace[],
  signal?: AbortSignal,
): Promise<Vectors> => {
  const passages = statements.map((statement) => statementPassage(statement.memory));
  const vectors = new Map<number, readonly Float32Array[]>();
  if (passages.length === 0) return vectors;
  for (const space of spaces) vectors.set(space.id, await space.embedder.embed(passages, signal));
  return vectors;
};

const prepared = (statement: NewStatement, index: number, vectors: Vectors): PreparedMemory => {
  const terms = statementTerms(statement.memory);
  const own = new Map<number, Float32Array>();
  for (const [space, all] of vectors) {
    const vector = all[index];
    if (vector) own.set(space, vector);
  }
  return {
    ...statement,
    body: indexedText(terms),
    bodyTokens: terms.body.length,
    terms: encodeTerms(terms),
    inputHash: sha256(statement.memory).slice(0, 32),
    vectors: own,
  };
};

export const prepareStatements = async (
  statements: readonly NewStatement[],
  spaces: readonly StatementSpace[],
  signal?: AbortSignal,
): Promise<PreparedMemory[]> => {
  const vectors = await vectorsOf(statements, spaces, signal);
  return statements.map((statement, index) => prepared(statement, index, vectors));
};
