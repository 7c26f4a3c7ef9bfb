// Queries for the nearest vectors: the shards that may hold them are asked together, and their answers become one.
import { mapBounded } from '../../../lib/async/bounded.ts';
import type { Neighbour, VectorIndex } from '../port.ts';
import type { ChromaCollections } from './collections.ts';
import { type ChromaCall, type ChromaHttp, isQuota } from './http.ts';
import { SHARDS_AT_ONCE, type ShardLayout } from './shards.ts';

/** The most results that Chroma Cloud returns, unless a plan allows more. */
const QUOTA_RESULTS = 300;

const firstList = (answer: unknown, name: 'ids' | 'distances'): unknown[] => {
  const lists: unknown = Object.entries(answer ?? {}).find(([key]) => key === name)?.[1];
  const first: unknown = Array.isArray(lists) ? lists[0] : undefined;
  if (Array.isArray(first)) return first;
  throw new Error(`Chroma answered a query without ${name}. Check that CHROMA_URL names a Chroma server.`);
};

const neighboursOf = (answer: unknown): Neighbour[] => {
  const distances = firstList(answer, 'distances');
  return firstList(answer, 'ids').flatMap((id, i) => {
    const distance = distances[i];
    return typeof distance === 'number' ? [{ n: Number(id), distance }] : [];
  });
};

/** No filter by container: among 100,000 vectors it takes Chroma six to ten times as long. */
export const queryBody = (vector: Float32Array, k: number) => ({
  query_embeddings: [Array.from(vector)],
  n_results: k,
  include: ['distances'],
});

export interface NearestParts {
  readonly ask: ChromaHttp;
  readonly collections: ChromaCollections;
  readonly layout: ShardLayout;
  /** The longest time for a search, over all shards. */
  readonly limitMs: number;
}

export const createNearest = ({
  ask,
  collections,
  layout,
  limitMs,
}: NearestParts): VectorIndex['nearest'] => {
  let most = Number.POSITIVE_INFINITY;
  const nearestIn = async (
    collection: string,
    request: { vector: Float32Array; k: number },
    call: ChromaCall,
  ): Promise<Neighbour[]> => {
    const k = Math.min(request.k, most);
    try {
      const body = queryBody(request.vector, k);
      const answer = await collections.existing(collection, call, (path) =>
        ask('POST', `${path}/query`, { ...call, body }),
      );
      return answer === null ? [] : neighboursOf(answer);
    } catch (error) {
      if (!isQuota(error) || k <= QUOTA_RESULTS) throw error;
      most = QUOTA_RESULTS;
      return nearestIn(collection, request, call);
    }
  };
  return async (_scope, { space, vector, k, containers }, signal) => {
    if (k < 1) return [];
    const until = performance.now() + limitMs;
    const found = await mapBounded(
      layout.holding(space, containers),
      SHARDS_AT_ONCE,
      (collection, stop) => {
        const left = Math.max(1, Math.ceil(until - performance.now()));
        return nearestIn(collection, { vector, k }, { signal: stop, limitMs: left });
      },
      signal,
    );
    return found
      .flat()
      .sort((a, b) => a.distance - b.distance)
      .slice(0, k);
  };
};
