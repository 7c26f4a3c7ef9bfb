// Writes to the index: each shard gets its own vectors, in parts that Chroma takes.
import { mapBounded } from '../../../lib/async/bounded.ts';
import type { IndexedVector, VectorIndexMaintenance } from '../port.ts';
import type { ChromaCollections } from './collections.ts';
import type { ChromaConnection } from './connection.ts';
import { type ChromaCall, isQuota } from './http.ts';
import { SHARDS_AT_ONCE, type ShardLayout } from './shards.ts';

/** The most numbers in a vector that Chroma Cloud takes. */
const CLOUD_DIMENSIONS = 4_096;

/** Finite only when all of its numbers are. By a loop: a function called for each number takes ten times as long. */
const sumOf = (vector: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at] as number;
  return sum;
};

const checkVectors = (rows: readonly IndexedVector[], dimensions: number): void => {
  for (const { n, vector } of rows) {
    if (vector.length !== dimensions) {
      throw new Error(
        `The vector of chunk ${n} has ${vector.length} numbers where ${dimensions} were expected.`,
      );
    }
    // Chroma would take the vector and never find it again.
    if (!Number.isFinite(sumOf(vector))) {
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

/** Chroma Cloud says no more than that a quota was exceeded. */
const explainedRefusal = (error: unknown, dimensions: number): unknown =>
  isQuota(error) && dimensions > CLOUD_DIMENSIONS
    ? new Error(
        `Chroma Cloud takes vectors of at most ${CLOUD_DIMENSIONS} numbers, and the embedding model makes ${dimensions}. ` +
          'Choose a model with fewer dimensions, or set CHROMA_URL to a server of your own.',
        { cause: error },
      )
    : error;

export interface WriteParts {
  readonly connection: ChromaConnection;
  readonly collections: ChromaCollections;
  readonly layout: ShardLayout;
  readonly limitMs: number;
}

export const createWrites = ({
  connection,
  collections,
  layout,
  limitMs,
}: WriteParts): Pick<VectorIndexMaintenance, 'upsert' | 'remove'> => {
  const { ask, abilities } = connection;
  const call: ChromaCall = { limitMs };

  const inParts = async <T>(
    shards: ReadonlyMap<string, readonly T[]>,
    write: (name: string, part: readonly T[]) => Promise<unknown>,
  ): Promise<void> => {
    const { batch } = await abilities(call);
    await mapBounded([...shards], SHARDS_AT_ONCE, async ([name, own]) => {
      for (const part of batches(own, batch)) await write(name, part);
    });
  };

  return {
    async upsert(space, dimensions, rows) {
      checkVectors(rows, dimensions);
      const { base64 } = await abilities(call);
      const shards = layout.divided(space, rows, ({ n }) => n);
      await inParts(shards, async (name, part) => {
        const body = upsertBody(part, base64);
        try {
          await collections.ensured(name, call, (path) => ask('POST', `${path}/upsert`, { ...call, body }));
        } catch (error) {
          throw explainedRefusal(error, dimensions);
        }
      });
    },
    async remove(space, ns) {
      const shards = layout.divided(space, ns, (n) => n);
      await inParts(shards, (name, part) => {
        const body = { ids: part.map(String) };
        return collections.existing(name, call, (path) => ask('POST', `${path}/delete`, { ...call, body }));
      });
    },
  };
};
