// The vector index in Chroma: ids are chunk numbers, the container is the only metadata, there are no texts.
//
// Chroma's REST interface is called directly: its npm client has no time limit and no signal per call, takes no
// path in an address, and spends five times the processor time on an upsert (143 µs a vector against 25).
import { mapBounded } from '../../../lib/async/bounded.ts';
import { pause } from '../../../lib/async/wait.ts';
import type { VectorIndex, VectorIndexMaintenance } from '../port.ts';
import { type ChromaCollections, createChromaCollections } from './collections.ts';
import { type ChromaConnectionOptions, createChromaConnection } from './connection.ts';
import { type ChromaCall, ChromaError, type ChromaHttp } from './http.ts';
import { createNearest, queryBody } from './nearest.ts';
import { createShardLayout, SHARDS_AT_ONCE } from './shards.ts';
import { createWrites } from './writes.ts';

export type ChromaIndex = VectorIndex & VectorIndexMaintenance;

export interface ChromaLimits {
  readonly queryMs: number;
  readonly writeMs: number;
  readonly readyMs: number;
}

export interface ChromaIndexOptions extends ChromaConnectionOptions {
  /** Separates the collections of several installations on one server. */
  readonly namespace: string;
  /** The number of collections of each space. Default: 1. */
  readonly shards?: number;
  readonly limits?: Partial<ChromaLimits>;
}

const CHROMA_LIMITS: ChromaLimits = { queryMs: 10_000, writeMs: 60_000, readyMs: 30_000 };

const DAMAGE_ATTEMPTS = 3;
const DAMAGE_PAUSE_MS = 300;

/**
 * Chroma's errors for an unreadable index file, which only queries report because counts read another file, and for a
 * collection whose records were lost with the folder.
 */
const isDamaged = (error: unknown): boolean =>
  error instanceof ChromaError && error.status === 500 && /hnsw|failed to get segments/i.test(error.message);

/** Sends one query, which also loads the index before the first caller needs it. Only a repeated error means damage. */
const isSound = async (
  ask: ChromaHttp,
  path: string,
  dimensions: number,
  call: ChromaCall,
): Promise<boolean> => {
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
  ask: ChromaHttp,
  collections: ChromaCollections,
  name: string,
  call: ChromaCall,
): Promise<number | null> => {
  const dimensions = await collections.dimensions(name, call);
  if (dimensions === null) return null;
  const held = await collections.existing(name, call, async (path) => {
    const sound = dimensions === 0 || (await isSound(ask, path, dimensions, call));
    return sound ? await ask('GET', `${path}/count`, call) : null;
  });
  if (typeof held === 'number') return held;
  if (held === null) {
    await collections.drop(name, call);
    return null;
  }
  throw new Error(
    'Chroma answered a count with something else. Check that CHROMA_URL names a Chroma server.',
  );
};

const isNumber = (count: number | null): count is number => count !== null;

export const createChromaIndex = (options: ChromaIndexOptions): ChromaIndex => {
  const limits: ChromaLimits = { ...CHROMA_LIMITS, ...options.limits };
  const { namespace, shards = 1 } = options;
  const layout = createShardLayout(namespace, shards);
  const connection = createChromaConnection(options);
  const collections = createChromaCollections(connection);
  const { ask } = connection;
  const reading: ChromaCall = { limitMs: limits.queryMs };
  const writing: ChromaCall = { limitMs: limits.writeMs };
  const onEach = <T>(names: readonly string[], run: (name: string) => Promise<T>): Promise<T[]> =>
    mapBounded(names, SHARDS_AT_ONCE, run);

  return {
    batch: connection.batch * Math.min(shards, SHARDS_AT_ONCE),
    nearest: createNearest({ ask, collections, layout, limitMs: limits.queryMs }),
    state: connection.state,
    ready: (signal) => connection.ready(limits.readyMs, signal),
    ...createWrites({ connection, collections, layout, limitMs: limits.writeMs }),
    async count(space) {
      const counts = await onEach(layout.collections(space), (name) =>
        countSound(ask, collections, name, reading),
      );
      const held = counts.filter(isNumber);
      return held.length === 0 ? null : held.reduce((sum, count) => sum + count, 0);
    },
    async drop(space) {
      await onEach(layout.collections(space), (name) => collections.drop(name, writing));
    },
    async dropOtherLayouts() {
      const others = (await collections.names(writing)).filter(layout.isOther);
      await onEach(others, (name) => collections.drop(name, writing));
      return others.length > 0;
    },
    async close() {
      connection.close();
    },
  };
};
