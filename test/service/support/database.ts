// Reads the database beside a running Memoir.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const query = <Row>(dataDir: string, sql: string): Row[] => {
  const db = new DatabaseSync(join(dataDir, 'memoir.db'), { readOnly: true, timeout: 5000 });
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
};

export const chunkNumbers = (dataDir: string): number[] =>
  query<{ n: number }>(dataDir, 'select n from chunks order by n').map(({ n }) => n);

/** Of everything that has a vector: what the index should hold. */
export const unitNumbers = (dataDir: string): number[] =>
  query<{ n: number }>(dataDir, 'select n from chunks union all select n from memories order by n').map(
    ({ n }) => n,
  );

export interface SpaceRow {
  id: number;
  model: string;
  dimensions: number;
  state: string;
  vectors: number;
}

export const spacesIn = (dataDir: string): SpaceRow[] =>
  query(dataDir, 'select id, model, dimensions, state, vectors from spaces order by id');

export const pendingIn = (dataDir: string): number =>
  query<{ count: number }>(dataDir, 'select count(*) as count from vector_outbox')[0]?.count ?? 0;

/** The spaces of which any vector is stored. */
export const spacesWithVectors = (dataDir: string): number[] =>
  query<{ space: number }>(
    dataDir,
    'select distinct space from (select space from vector_blocks union all select space from exact_vectors) order by space',
  ).map(({ space }) => space);

export interface VectorRow {
  text: string;
  data: Uint8Array;
}

/** The exact vectors of a space, by the text of their chunk. */
export const vectorsIn = (dataDir: string, space: number): VectorRow[] =>
  query(
    dataDir,
    `select content as text, data from chunks inner join exact_vectors using (n) where space = ${space} order by content`,
  );
