// The pool: the candidates by words and by meaning that are worth reading in full.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { Stretch } from '../../../adapters/store/ports/search.ts';
import { isAssistant, isRoleChat } from '../../../core/chunks/chunk-flags.ts';
import type { LexicalHit } from '../evidence/lexical-evidence.ts';
import type { Nearness } from '../evidence/semantic-evidence.ts';
import type { ScopedStore } from '../scoped-store.ts';
import type { EvidenceBasis, EvidenceStrengths, Scorer } from '../similarity/scorer.ts';
import { priorFromFlags } from './priors.ts';

/** A candidate by its number, before it is read. */
export interface PooledCandidate extends EvidenceStrengths {
  n: number;
}

/** A chunk that words speak for, with its number. */
export interface LocatedHit {
  n: number;
  flags: number;
  strength: number;
}

/** Positions nearer than this in one document are read together: one read costs more than a few rows too many. */
const READ_TOGETHER = 12;

const positionsAsStretches = (hits: readonly LexicalHit[]): Stretch[] => {
  const stretches: Stretch[] = [];
  for (const { document, position } of hits.toSorted(
    (a, b) => a.document - b.document || a.position - b.position,
  )) {
    const last = stretches.at(-1);
    if (last && last.document === document && position - last.to <= READ_TOGETHER) last.to = position;
    else stretches.push({ document, from: position, to: position });
  }
  return stretches;
};

const documentPosition = (document: number, position: number): string => `${document}/${position}`;

/** The chunks at the positions of these hits. */
const readPositions = async (
  { store, scope }: ScopedStore,
  hits: readonly LexicalHit[],
): Promise<Map<string, ChunkRecord[]>> => {
  const found = new Map<string, ChunkRecord[]>();
  const stretches = positionsAsStretches(hits);
  const read = await store.neighbours(scope, stretches);
  for (const [at, { document }] of stretches.entries()) {
    for (const chunk of read[at] ?? []) {
      const key = documentPosition(document, chunk.position);
      const parts = found.get(key);
      if (parts) parts.push(chunk);
      else found.set(key, [chunk]);
    }
  }
  return found;
};

/** A user's message shares its words with the reply to it; the one that follows may be another message of the user. */
const isSaidAsExpected = (hit: LexicalHit, chunk: ChunkRecord): boolean =>
  !isRoleChat(hit.flags) || !isRoleChat(chunk.flags) || isAssistant(hit.flags) === isAssistant(chunk.flags);

/** Every hit with its chunk's number; a position that several chunks share (a long message) gives each of them. */
export const locateHits = async (
  context: ScopedStore,
  hits: readonly LexicalHit[],
): Promise<LocatedHit[]> => {
  const chunks = await readPositions(
    context,
    hits.filter((hit) => hit.n === null),
  );
  return hits.flatMap((hit) => {
    const { n, document, position, flags, strength } = hit;
    if (n !== null) return [{ n, flags, strength }];
    return (chunks.get(documentPosition(document, position)) ?? [])
      .filter((chunk) => isSaidAsExpected(hit, chunk))
      .map((chunk) => ({ n: chunk.n, flags: chunk.flags, strength }));
  });
};

/** The evidence of one search, from which pools of several sizes can be chosen. */
export interface PoolInput {
  readonly basis: EvidenceBasis;
  readonly scorer: Scorer;
  readonly located: readonly LocatedHit[];
  readonly nearness: Nearness;
}

/** The best `size` candidates by everything that is known before their texts are read. */
export const choosePool = (
  { basis, scorer, located, nearness }: PoolInput,
  size: number,
): PooledCandidate[] => {
  const pool = new Map<number, PooledCandidate & { evidence: number }>();
  const offer = (n: number, words: number, flags: number) => {
    if (pool.has(n)) return;
    const strengths = { words, cosine: nearness.cosine(n) };
    pool.set(n, { n, ...strengths, evidence: scorer.evidence(strengths, flags, priorFromFlags(flags)) });
  };
  if (basis !== 'meaning') for (const { n, strength, flags } of located) offer(n, strength, flags);
  if (basis !== 'words') for (const n of nearness.nearest.slice(0, size)) offer(n, 0, 0);
  return [...pool.values()].sort((a, b) => b.evidence - a.evidence).slice(0, size);
};
