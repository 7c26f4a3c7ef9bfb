// Joins what the words and the meaning found into one pool of chunks worth reading in full.
import type { ChunkRecord, SearchStore, Stretch } from '../../adapters/store/port.ts';
import type { Scope } from '../../lib/scope.ts';
import type { LexicalHit } from './lexical.ts';
import { priorOfFlags } from './priors.ts';
import type { Nearness } from './semantic.ts';
import type { Basis, Judge, Strengths } from './similarity.ts';

export interface Candidate extends Strengths {
  n: number;
}

/** A chunk that words speak for, its number known. */
export interface LocatedHit {
  n: number;
  flags: number;
  strength: number;
}

/** Places nearer than this in one document are read together: one read costs more than a few rows too many. */
const READ_TOGETHER = 12;

function stretchesOf(hits: readonly LexicalHit[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { document, position } of hits.toSorted(
    (a, b) => a.document - b.document || a.position - b.position,
  )) {
    const last = stretches.at(-1);
    if (last && last.document === document && position - last.to <= READ_TOGETHER) last.to = position;
    else stretches.push({ document, from: position, to: position });
  }
  return stretches;
}

const placeOf = (document: number, position: number): string => `${document}/${position}`;

/** Hits that only their neighbours' words speak for have a place but no number: the store knows what stands there. */
async function lookUp(
  store: SearchStore,
  scope: Scope,
  hits: readonly LexicalHit[],
): Promise<Map<string, ChunkRecord[]>> {
  const found = new Map<string, ChunkRecord[]>();
  const stretches = stretchesOf(hits);
  const read = await store.neighbours(scope, stretches);
  for (const [at, { document }] of stretches.entries()) {
    for (const chunk of read[at] ?? []) {
      const place = placeOf(document, chunk.position);
      const parts = found.get(place);
      if (parts) parts.push(chunk);
      else found.set(place, [chunk]);
    }
  }
  return found;
}

/** Every hit with its chunk's number; a place that several chunks share (a long message) gives each. */
export async function locate(
  store: SearchStore,
  scope: Scope,
  hits: readonly LexicalHit[],
): Promise<LocatedHit[]> {
  const places = await lookUp(
    store,
    scope,
    hits.filter((hit) => hit.n === null),
  );
  return hits.flatMap(({ n, document, position, flags, strength }) =>
    n !== null
      ? [{ n, flags, strength }]
      : (places.get(placeOf(document, position)) ?? []).map((chunk) => ({
          n: chunk.n,
          flags: chunk.flags,
          strength,
        })),
  );
}

/** The best `size` of both sides by all that is known before their texts are read. */
export function poolOf(
  basis: Basis,
  judge: Judge,
  located: readonly LocatedHit[],
  nearness: Nearness,
  size: number,
): Candidate[] {
  const pool = new Map<number, Candidate & { evidence: number }>();
  const offer = (n: number, words: number, flags: number) => {
    if (pool.has(n)) return;
    const strengths = { words, cosine: nearness.cosine(n) };
    pool.set(n, { n, ...strengths, evidence: judge.evidence(strengths, flags, priorOfFlags(flags)) });
  };
  if (basis !== 'meaning') for (const { n, strength, flags } of located) offer(n, strength, flags);
  if (basis !== 'words') for (const n of nearness.nearest.slice(0, size)) offer(n, 0, 0);
  return [...pool.values()].sort((a, b) => b.evidence - a.evidence).slice(0, size);
}
