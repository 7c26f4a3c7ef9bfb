// The vector index in Chroma: ids are chunk numbers, the container is the only metadata, there are no texts.
//
// Chroma's REST interface is called directly: its npm client has no time limit and no signal per call, takes no
// path in an address, and spends five times the processor time on an upsert (143 µs a vector against 25).
import { pause } from '../../../lib/async/wait.ts';
import type { IndexedVector, Neighbour, VectorIndex, VectorIndexMaintenance } from '../port.ts';
import { type ChromaCollections, createChromaCollections } from './collections.ts';
import { type ChromaConnectionOptions, createChromaConnection } from './connection.ts';
import { type ChromaCall, ChromaError } from './http.ts';

export type ChromaIndex = VectorIndex & VectorIndexMaintenance;

export interface ChromaLimits {
  readonly queryMs: number;
  readonly writeMs: number;
  readonly readyMs: number;
}

export interface ChromaIndexOptions extends ChromaConnectionOptions {
  /** Separates the collections of several installations on one server. */
  readonly namespace: string;
  readonly limits?: Partial<ChromaLimits>;
}

export const CHROMA_LIMITS: ChromaLimits = { queryMs: 10_000, writeMs: 60_000, readyMs: 30_000 };

/** The most results that Chroma Cloud returns, unless a plan allows more. */
const QUOTA_RESULTS = 300;

const DAMAGE_ATTEMPTS = 3;
const DAMAGE_PAUSE_MS = 300;

const isQuota = (error: unknown): boolean =>
  error instanceof ChromaError && error.status === 422 && /quota|limit/i.test(error.message);

const checkVectors = (rows: readonly IndexedVector[], dimensions: number): void => {
  for (const { n, vector } of rows) {
    if (vector.length !== dimensions) {
      throw new Error(
        `The vector of chunk ${n} has ${vector.length} numbers where ${dimensions} were expected.`,
      );
    }
    // A sum is finite only when all of its parts are. Chroma would take the vector and never find it again.
    if (!Number.isFinite(vector.reduce((sum, x) => sum + x, 0))) {
      throw new Error(`The vector of chunk ${n} holds something that is no number.`);
    }
  }
};

const base64Of = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

const upsertBody = (rows: readonly IndexedVector[], base64: boolean) => ({
  ids: rows.map((row) => String(row.n)),
  embeddings: rows.map((row) => (base64 ? base64Of(row.vector) : Array.from(row.vector))),
  metadatas: rows.map((row) => ({ c: row.container })),
});

const batches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

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
const queryBody = (vector: Float32Array, k: number) => ({
  query_embeddings: [Array.from(vector)],
  n_results: k,
  include: ['distances'],
});

type Ask = ReturnType<typeof createChromaConnection>['ask'];

const createNearest = (ask: Ask, collections: ChromaCollections, limitMs: number): VectorIndex['nearest'] => {
  let most = Number.POSITIVE_INFINITY;
  const nearest: VectorIndex['nearest'] = async (scope, request, signal) => {
    const k = Math.min(request.k, most);
    if (k < 1) return [];
    const call: ChromaCall = { signal, limitMs };
    try {
      const body = queryBody(request.vector, k);
      const answer = await collections.existing(request.space, call, (path) =>
        ask('POST', `${path}/query`, { ...call, body }),
      );
      return answer === null ? [] : neighboursOf(answer);
    } catch (error) {
      if (!isQuota(error) || k <= QUOTA_RESULTS) throw error;
      most = QUOTA_RESULTS;
      return nearest(scope, request, signal);
    }
  };
  return nearest;
};

/**
 * Chroma's errors for an unreadable index file, which only queries report because counts read another file, and for a
 * collection whose records were lost with the folder.
 */
const isDamaged = (error: unknown): boolean =>
  error instanceof ChromaError && error.status === 500 && /hnsw|failed to get segments/i.test(error.message);

/** Sends one query, which also loads the index before the first caller needs it. Only a repeated error means damage. */
const isSound = async (ask: Ask, path: string, dimensions: number, call: ChromaCall): Promise<boolean> => {
  const vector = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const body = queryBody(vector, 1);
  for (let attempt = 1; attempt <= DAMAGE_ATTEMPTS; attempt += 1) {
    try {
      await ask('POST', `${path}/query`, { ...call, body });
      return true;
    } catch (error) {
      if (!isDamaged(error)) throw error;
    }
    await pause(DAMAGE_PAUSE_MS);
  }
  return false;
};

/** A collection whose index cannot be read holds nothing: it is dropped, to be filled again. */
const countSound = async (
  ask: Ask,
  collections: ChromaCollections,
  space: number,
  call: ChromaCall,
): Promise<number | null> => {
  const dimensions = await collections.dimensions(space, call);
  if (dimensions === null) return null;
  const held = await collections.existing(space, call, async (path) => {
    const sound = dimensions === 0 || (await isSound(ask, path, dimensions, call));
    return sound ? await ask('GET', `${path}/count`, call) : null;
  });
  if (typeof held === 'number') return held;
  if (held === null) {
    await collections.drop(space, call);
    return null;
  }
  throw new Error(
    'Chroma answered a count with something else. Check that CHROMA_URL names a Chroma server.',
  );
};

export const createChromaIndex = (options: ChromaIndexOptions): ChromaIndex => {
  const limits: ChromaLimits = { ...CHROMA_LIMITS, ...options.limits };
  const connection = createChromaConnection(options);
  const collections = createChromaCollections(connection, options.namespace);
  const { ask } = connection;
  const reading: ChromaCall = { limitMs: limits.queryMs };
  const writing: ChromaCall = { limitMs: limits.writeMs };

  return {
    nearest: createNearest(ask, collections, limits.queryMs),
    state: connection.state,
    ready: (signal) => connection.ready(limits.readyMs, signal),
    async upsert(space, dimensions, rows) {
      checkVectors(rows, dimensions);
      const { batch, base64 } = await connection.abilities(writing);
      for (const part of batches(rows, batch)) {
        const body = upsertBody(part, base64);
        await collections.ensured(space, writing, (path) =>
          ask('POST', `${path}/upsert`, { ...writing, body }),
        );
      }
    },
    async remove(space, ns) {
      const { batch } = await connection.abilities(writing);
      for (const part of batches(ns, batch)) {
        const body = { ids: part.map(String) };
        await collections.existing(space, writing, (path) =>
          ask('POST', `${path}/delete`, { ...writing, body }),
        );
      }
    },
    count: (space) => countSound(ask, collections, space, reading),
    drop: (space) => collections.drop(space, writing),
    async close() {
      connection.close();
    },
  };
};
