// Groups matching passages by document, for the document search.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { ChunkWithDocument } from '../../../adapters/store/ports/search.ts';
import type { RankedCandidate } from '../ranking/rank.ts';
import type { ScopedStore } from '../scoped-store.ts';
import type { DocumentHit, ShownChunk } from './present.ts';
import { byPosition, readSurroundings } from './windows.ts';

/** Further chunks for every result that the caller wants, the best of all documents, after each document's best chunk. */
const FURTHER_CHUNKS = 2;

/** At most `limit` documents in the order of their best chunks; each has at least that one. */
export const groupByDocument = (
  ranked: readonly RankedCandidate<ChunkWithDocument>[],
  limit: number,
): DocumentHit[] => {
  const documents = new Map<
    number,
    { best: RankedCandidate<ChunkWithDocument>; hits: RankedCandidate<ChunkWithDocument>[] }
  >();
  let further = FURTHER_CHUNKS * limit;
  for (const hit of ranked) {
    const key = hit.candidate.document.n;
    const known = documents.get(key);
    if (known === undefined) {
      if (documents.size < limit) documents.set(key, { best: hit, hits: [hit] });
    } else if (further > 0) {
      known.hits.push(hit);
      further -= 1;
    }
  }
  return [...documents.values()].map(({ best, hits }) => ({
    document: best.candidate.document,
    similarity: Math.max(...hits.map(({ similarity }) => similarity)),
    hits,
  }));
};

/** The hits of a document, best first; with a window the hits and their neighbours, in reading order. */
export const matchesInContext = async (
  context: ScopedStore,
  { hits }: DocumentHit,
  window: number,
): Promise<ShownChunk[]> => {
  if (window === 0) return hits.map(({ candidate, similarity }) => ({ chunk: candidate, similarity }));
  const similarities = new Map(hits.map(({ candidate, similarity }) => [candidate.n, similarity]));
  const around = await readSurroundings(
    context,
    hits.map(({ candidate }) => candidate),
    window,
  );
  const chunks = new Map<number, ChunkRecord>(around.flat().map((chunk) => [chunk.n, chunk]));
  return [...chunks.values()]
    .sort(byPosition)
    .map((chunk) => ({ chunk, similarity: similarities.get(chunk.n) ?? null }));
};
