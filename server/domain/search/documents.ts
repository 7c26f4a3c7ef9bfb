// Hits gathered by document, for the document search.
import type { ChunkRecord, Passage, SearchStore } from '../../adapters/store/port.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentHit, ShownChunk } from './present.ts';
import type { Ranked } from './rank.ts';
import { inOrder, surroundings } from './window.ts';

/** Beside each document's best chunk, this many further ones for every result asked for, the best of all documents. */
const FURTHER_CHUNKS = 2;

/** At most `limit` documents in the order of their best chunks; each has at least that one. */
export function byDocument(ranked: readonly Ranked<Passage>[], limit: number): DocumentHit[] {
  const documents = new Map<number, { best: Ranked<Passage>; hits: Ranked<Passage>[] }>();
  let further = FURTHER_CHUNKS * limit;
  for (const hit of ranked) {
    const key = hit.unit.document.n;
    const known = documents.get(key);
    if (known === undefined) {
      if (documents.size < limit) documents.set(key, { best: hit, hits: [hit] });
    } else if (further > 0) {
      known.hits.push(hit);
      further -= 1;
    }
  }
  return [...documents.values()].map(({ best, hits }) => ({
    document: best.unit.document,
    similarity: Math.max(...hits.map(({ similarity }) => similarity)),
    hits,
  }));
}

/** The hits of a document, best first, or with what surrounds them, in reading order. */
export async function matchesInContext(
  store: SearchStore,
  scope: Scope,
  { hits }: DocumentHit,
  window: number,
): Promise<ShownChunk[]> {
  if (window === 0) return hits.map(({ unit, similarity }) => ({ chunk: unit, similarity }));
  const similarities = new Map(hits.map(({ unit, similarity }) => [unit.n, similarity]));
  const around = await surroundings(
    store,
    scope,
    hits.map(({ unit }) => unit),
    window,
  );
  const chunks = new Map<number, ChunkRecord>(around.flat().map((chunk) => [chunk.n, chunk]));
  return [...chunks.values()]
    .sort(inOrder)
    .map((chunk) => ({ chunk, similarity: similarities.get(chunk.n) ?? null }));
}
