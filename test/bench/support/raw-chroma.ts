// Chroma without Memoir, for comparison: the same binding, the same vectors, its own way of filtering.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ChromaClient } from 'chromadb';
import { createChromaServer } from '../../../server/adapters/vectors/chroma/server/supervisor.ts';
import { dequantise, getVector, SLOTS } from '../../../server/lib/vectors/code.ts';
import { asked, type Connection, connect } from './connection.ts';
import { newFolder, removeFolder } from './memoir.ts';

export const DIMENSIONS = 384;
const BATCH = 300;
const DATABASE = '/api/v2/tenants/default_tenant/databases/default_database';

export interface TaggedVector {
  n: number;
  tag: string;
  vector: Float32Array;
}

export interface RawChroma {
  url: string;
  /** The collection for queries. */
  path: string;
  /** Requests as Memoir sends them: plain, with vectors in base64. */
  upsert(rows: readonly TaggedVector[]): Promise<void>;
  /** Into a collection of its own, with Chroma's npm client, as a program without Memoir would. */
  upsertWithClient(rows: readonly TaggedVector[]): Promise<void>;
  close(): Promise<void>;
}

const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const upsertBody = (rows: readonly TaggedVector[]): string =>
  JSON.stringify({
    ids: rows.map(({ n }) => String(n)),
    embeddings: rows.map(({ vector }) => base64Of(vector)),
    metadatas: rows.map(({ tag }) => ({ tag })),
  });

export const queryBody = (vector: Float32Array, tag: string, k: number): string =>
  JSON.stringify({
    query_embeddings: [Array.from(vector)],
    n_results: k,
    include: ['distances'],
    where: { tag },
  });

const makeCollection = async (connection: Connection): Promise<string> => {
  const body = { name: 'raw', configuration: { hnsw: { space: 'cosine' }, embedding_function: null } };
  const made = await asked(connection, {
    method: 'POST',
    path: `${DATABASE}/collections`,
    body: JSON.stringify(body),
  });
  return `${DATABASE}/collections/${(JSON.parse(made) as { id: string }).id}`;
};

const batches = (rows: readonly TaggedVector[]): TaggedVector[][] =>
  Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, i) => rows.slice(i * BATCH, (i + 1) * BATCH));

const upsertWithClient = async (url: string, rows: readonly TaggedVector[]): Promise<void> => {
  const { hostname, port } = new URL(url);
  const client = new ChromaClient({ host: hostname, port: Number(port), ssl: false });
  const configuration = { hnsw: { space: 'cosine' } } as const;
  const collection = await client.createCollection({
    name: 'client',
    configuration,
    embeddingFunction: null,
  });
  for (const part of batches(rows))
    await collection.upsert({
      ids: part.map(({ n }) => String(n)),
      embeddings: part.map(({ vector }) => Array.from(vector)),
      metadatas: part.map(({ tag }) => ({ tag })),
    });
};

/** An empty collection with Chroma's own settings. */
export const startRawChroma = async (): Promise<RawChroma> => {
  const folder = newFolder();
  const server = createChromaServer({ folder: join(folder, 'chroma'), log: () => undefined });
  await server.ready();
  const url = server.url() ?? '';
  const connection = connect(url, null);
  const path = await makeCollection(connection);
  return {
    url,
    path,
    async upsert(rows) {
      for (const part of batches(rows))
        await asked(connection, { method: 'POST', path: `${path}/upsert`, body: upsertBody(part) });
    },
    upsertWithClient: (rows) => upsertWithClient(url, rows),
    async close() {
      connection.close();
      await server.stop();
      removeFolder(folder);
    },
  };
};

/** Every vector of a Memoir, tagged with its container. */
export const vectorsIn = (dir: string): TaggedVector[] => {
  const database = new DatabaseSync(join(dir, 'memoir.db'), { readOnly: true });
  try {
    const rows = database.prepare('select block, data from vector_blocks order by block').all();
    return rows.flatMap(({ block, data }) =>
      Array.from({ length: SLOTS }, (_, slot) => Number(block) * SLOTS + slot).flatMap((n) => {
        const stored = getVector(data as Uint8Array, DIMENSIONS, n);
        return stored ? [{ n, tag: `container_${Math.floor(n / 2 ** 28)}`, vector: dequantise(stored) }] : [];
      }),
    );
  } finally {
    database.close();
  }
};
