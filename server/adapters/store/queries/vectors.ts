// Vectors in SQL: int8 blocks clustered by chunk number, float32 beside them where they were paid for,
// and the outbox through which the index learns of them.
import { CompiledQuery, sql } from 'kysely';
import {
  blockOf,
  bytesToFloats,
  changeBlock,
  dequantise,
  floatBytes,
  getVector,
  hasVector,
  type Quantised,
  quantise,
} from '../../../lib/vectors/code.ts';
import { compareBlock, type Query, queryOf } from '../../../lib/vectors/compare.ts';
import type { Db } from '../tables.ts';
import { inList } from './visible.ts';

export interface VectorSpace {
  id: number;
  dimensions: number;
  keepExact: boolean;
}

export interface NumberedVector {
  n: number;
  /** Null: the chunk is gone. */
  vector: Float32Array | null;
}

const blocksOf = (vectors: readonly NumberedVector[]): Map<number, NumberedVector[]> => {
  const blocks = new Map<number, NumberedVector[]>();
  for (const entry of vectors) {
    const block = blockOf(entry.n);
    const members = blocks.get(block);
    if (members) members.push(entry);
    else blocks.set(block, [entry]);
  }
  return blocks;
};

const readBlock = async (db: Db, space: number, block: number): Promise<Uint8Array | null> => {
  const { rows } = await db.executeQuery<{ data: Uint8Array }>(
    CompiledQuery.raw('select data from vector_blocks where space = ? and block = ?', [space, block]),
  );
  return rows[0]?.data ?? null;
};

const storeBlock = async (
  tx: Db,
  { space, block, data }: { space: number; block: number; data: Uint8Array },
  exists: boolean,
): Promise<void> => {
  const statement = exists
    ? 'update vector_blocks set data = ?1 where space = ?2 and block = ?3'
    : 'insert into vector_blocks (data, space, block) values (?1, ?2, ?3)';
  await tx.executeQuery(
    data.byteLength > 0
      ? CompiledQuery.raw(statement, [data, space, block])
      : CompiledQuery.raw('delete from vector_blocks where space = ? and block = ?', [space, block]),
  );
};

const writeBlock = async (
  tx: Db,
  space: VectorSpace,
  block: number,
  members: readonly NumberedVector[],
): Promise<number> => {
  const stored = await readBlock(tx, space.id, block);
  if (stored === null && members.every(({ vector }) => vector === null)) return 0;
  const held = (data: Uint8Array | null) =>
    members.filter(({ n }) => data !== null && hasVector(data, space.dimensions, n)).length;
  const changes = members.map(({ n, vector }) => ({ n, vector: vector && quantise(vector) }));
  const data = changeBlock(stored, space.dimensions, changes);
  await storeBlock(tx, { space: space.id, block, data }, stored !== null);
  return held(data) - held(stored);
};

const writeExact = async (tx: Db, space: number, { n, vector }: NumberedVector): Promise<void> => {
  await tx.executeQuery(
    vector
      ? CompiledQuery.raw(
          `insert into exact_vectors (space, n, data) values (?, ?, ?)
           on conflict (space, n) do update set data = excluded.data`,
          [space, n, floatBytes(vector)],
        )
      : CompiledQuery.raw('delete from exact_vectors where space = ? and n = ?', [space, n]),
  );
};

export const enqueue = async (
  tx: Db,
  space: number,
  ns: readonly number[],
  op: 'upsert' | 'remove',
): Promise<void> => {
  if (ns.length === 0) return;
  await tx.executeQuery(
    CompiledQuery.raw('insert into vector_outbox (space, n, op) select ?, value, ? from json_each(?)', [
      space,
      op,
      JSON.stringify(ns),
    ]),
  );
};

/** Stores, replaces or erases vectors and tells the outbox, in the caller's transaction. */
export const writeVectors = async (
  tx: Db,
  space: VectorSpace,
  vectors: readonly NumberedVector[],
): Promise<void> => {
  if (vectors.length === 0) return;
  let grown = 0;
  for (const [block, members] of blocksOf(vectors)) grown += await writeBlock(tx, space, block, members);
  if (grown !== 0)
    await tx.executeQuery(
      CompiledQuery.raw('update spaces set vectors = vectors + ? where id = ?', [grown, space.id]),
    );
  if (space.keepExact) for (const entry of vectors) await writeExact(tx, space.id, entry);
  const kept = vectors.filter((entry) => entry.vector !== null);
  const gone = vectors.filter((entry) => entry.vector === null);
  await enqueue(
    tx,
    space.id,
    kept.map((entry) => entry.n),
    'upsert',
  );
  await enqueue(
    tx,
    space.id,
    gone.map((entry) => entry.n),
    'remove',
  );
};

const readQuantised = async (
  db: Db,
  space: VectorSpace,
  ns: readonly number[],
): Promise<Map<number, Quantised>> => {
  const found = new Map<number, Quantised>();
  for (const [block, members] of blocksOf(ns.map((n) => ({ n, vector: null })))) {
    const data = await readBlock(db, space.id, block);
    if (!data) continue;
    for (const { n } of members) {
      const vector = getVector(data, space.dimensions, n);
      if (vector) found.set(n, vector);
    }
  }
  return found;
};

/** The best there is: exact where it was kept, else what the int8 form says. */
export const readVectors = async (
  db: Db,
  space: VectorSpace,
  ns: readonly number[],
): Promise<Map<number, Float32Array>> => {
  const vectors = new Map<number, Float32Array>();
  for (const [n, quantised] of await readQuantised(db, space, ns)) vectors.set(n, dequantise(quantised));
  if (!space.keepExact) return vectors;
  const rows = await db
    .selectFrom('exact_vectors')
    .select(['n', 'data'])
    .where('space', '=', space.id)
    .where('n', 'in', inList(ns))
    .execute();
  for (const row of rows) vectors.set(row.n, bytesToFloats(row.data));
  return vectors;
};

type Visit = (n: number, cosine: number) => void;

const compareRows = (
  rows: readonly { block: number; data: Uint8Array }[],
  query: Query,
  visit: Visit,
  wanted?: ReadonlySet<number>,
): void => {
  for (const { block, data } of rows) compareBlock(data, block, query, visit, wanted);
};

const BLOCKS_PER_READ = 256;

/** Every vector from one number up to another, in pages, so that a large scope is never in memory at once. */
export const compareRange = async (
  db: Db,
  space: number,
  fromN: number,
  toN: number,
  query: Float32Array,
  visit: Visit,
): Promise<void> => {
  const asked = queryOf(query);
  const end = blockOf(toN);
  let from = blockOf(fromN);
  for (;;) {
    const { rows } = await db.executeQuery<{ block: number; data: Uint8Array }>(
      CompiledQuery.raw(
        `select block, data from vector_blocks where space = ? and block >= ? and block < ?
         order by block limit ${BLOCKS_PER_READ}`,
        [space, from, end],
      ),
    );
    compareRows(rows, asked, visit);
    const last = rows.at(-1);
    if (!last || rows.length < BLOCKS_PER_READ) return;
    from = last.block + 1;
  }
};

/** Only these chunks. */
export const compareChunks = async (
  db: Db,
  space: number,
  ns: readonly number[],
  query: Float32Array,
  visit: Visit,
): Promise<void> => {
  const asked = queryOf(query);
  const wanted = new Set(ns);
  const blocks = [...new Set(ns.map(blockOf))];
  for (let at = 0; at < blocks.length; at += BLOCKS_PER_READ) {
    const rows = await db
      .selectFrom('vector_blocks')
      .select(['block', 'data'])
      .where('space', '=', space)
      .where('block', 'in', inList(blocks.slice(at, at + BLOCKS_PER_READ)))
      .execute();
    compareRows(rows, asked, visit, wanted);
  }
};

/** What the index has not taken yet, bounded. */
export const pendingUpserts = async (db: Db, space: number, limit: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('vector_outbox')
    .select('n')
    .where('space', '=', space)
    .where('op', '=', 'upsert')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.n);
};

/** A slice of a space's vectors; true: there are more. */
export const eraseVectors = async (tx: Db, space: number, limit: number): Promise<boolean> => {
  const { rows } = await sql<{ n: number }>`delete from vector_blocks where rowid in
    (select rowid from vector_blocks where space = ${space} limit 0 + ${limit}) returning block as n`.execute(
    tx,
  );
  const exact = await sql<{ n: number }>`delete from exact_vectors where rowid in
    (select rowid from exact_vectors where space = ${space} limit 0 + ${limit}) returning n`.execute(tx);
  await tx.deleteFrom('vector_outbox').where('space', '=', space).execute();
  return rows.length === limit || exact.rows.length === limit;
};

/** Of these, the chunks that exist and have no vector in the space. */
export const stillWithout = async (
  tx: Db,
  space: VectorSpace,
  ns: readonly number[],
): Promise<Set<number>> => {
  const { rows } = await sql<{ n: number }>`select n from chunks where n in ${inList(ns)}
    union all select n from memories where n in ${inList(ns)}`.execute(tx);
  const living = new Set(rows.map((row) => row.n));
  for (const [block, members] of blocksOf([...living].map((n) => ({ n, vector: null })))) {
    const data = await readBlock(tx, space.id, block);
    for (const { n } of members) if (data && hasVector(data, space.dimensions, n)) living.delete(n);
  }
  return living;
};
