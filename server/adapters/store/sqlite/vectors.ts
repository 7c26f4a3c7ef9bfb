// Vectors in SQL: int8 blocks clustered by chunk number, float32 copies of paid vectors,
// and the outbox through which the index gets them.
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
  SLOTS,
} from '../../../lib/vectors/code.ts';
import { compareBlock, packQuery, type Query } from '../../../lib/vectors/compare.ts';
import { run } from '../statements/run.ts';
import { inList } from '../statements/scoped-views.ts';
import type { Db } from '../tables/tables.ts';

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

const vectorsByBlock = (vectors: readonly NumberedVector[]): Map<number, NumberedVector[]> => {
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
  const { rows } = await run<{ data: Uint8Array }>(
    db,
    'select data from vector_blocks where space = ? and block = ?',
    [space, block],
  );
  return rows[0]?.data ?? null;
};

const storeBlock = async (
  tx: Db,
  { space, block, data }: { space: number; block: number; data: Uint8Array },
  exists: boolean,
): Promise<void> => {
  if (data.byteLength === 0) {
    await run(tx, 'delete from vector_blocks where space = ? and block = ?', [space, block]);
    return;
  }
  const statement = exists
    ? 'update vector_blocks set data = ?1 where space = ?2 and block = ?3'
    : 'insert into vector_blocks (data, space, block) values (?1, ?2, ?3)';
  await run(tx, statement, [data, space, block]);
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
  if (vector)
    await run(
      tx,
      `insert into exact_vectors (space, n, data) values (?, ?, ?)
         on conflict (space, n) do update set data = excluded.data`,
      [space, n, floatBytes(vector)],
    );
  else await run(tx, 'delete from exact_vectors where space = ? and n = ?', [space, n]);
};

export const enqueueVectors = async (
  tx: Db,
  space: number,
  ns: readonly number[],
  op: 'upsert' | 'remove',
): Promise<void> => {
  if (ns.length === 0) return;
  await run(tx, 'insert into vector_outbox (space, n, op) select ?, value, ? from json_each(?)', [
    space,
    op,
    JSON.stringify(ns),
  ]);
};

/** Stores, replaces or erases vectors and updates the outbox, in the caller's transaction. */
export const writeVectors = async (
  tx: Db,
  space: VectorSpace,
  vectors: readonly NumberedVector[],
): Promise<void> => {
  if (vectors.length === 0) return;
  let grown = 0;
  for (const [block, members] of vectorsByBlock(vectors))
    grown += await writeBlock(tx, space, block, members);
  if (grown !== 0) await run(tx, 'update spaces set vectors = vectors + ? where id = ?', [grown, space.id]);
  if (space.keepExact) for (const entry of vectors) await writeExact(tx, space.id, entry);
  const kept = vectors.filter((entry) => entry.vector !== null);
  const gone = vectors.filter((entry) => entry.vector === null);
  await enqueueVectors(
    tx,
    space.id,
    kept.map((entry) => entry.n),
    'upsert',
  );
  await enqueueVectors(
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
  for (const [block, members] of vectorsByBlock(ns.map((n) => ({ n, vector: null })))) {
    const data = await readBlock(db, space.id, block);
    if (!data) continue;
    for (const { n } of members) {
      const vector = getVector(data, space.dimensions, n);
      if (vector) found.set(n, vector);
    }
  }
  return found;
};

/** The exact vector if it is kept, else the int8 form. */
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
  for (const row of rows) compareBlock(row, query, visit, wanted);
};

const BLOCKS_PER_READ = 256;

/** Every vector from one number up to another, in pages, so that a large scope is never in memory at once. */
export const compareRange = async (
  db: Db,
  range: { space: number; from: number; to: number },
  vector: Float32Array,
  visit: Visit,
): Promise<void> => {
  const query = packQuery(vector);
  const end = blockOf(range.to);
  let from = blockOf(range.from);
  for (;;) {
    const { rows } = await run<{ block: number; data: Uint8Array }>(
      db,
      `select block, data from vector_blocks where space = ? and block >= ? and block < ?
         order by block limit ${BLOCKS_PER_READ}`,
      [range.space, from, end],
    );
    compareRows(rows, query, visit);
    const last = rows.at(-1);
    if (!last || rows.length < BLOCKS_PER_READ) return;
    from = last.block + 1;
  }
};

/** Only these chunks. */
export const compareChunks = async (
  db: Db,
  { space, ns }: { space: number; ns: readonly number[] },
  vector: Float32Array,
  visit: Visit,
): Promise<void> => {
  const query = packQuery(vector);
  const wanted = new Set(ns);
  const blocks = [...new Set(ns.map(blockOf))];
  for (let at = 0; at < blocks.length; at += BLOCKS_PER_READ) {
    const rows = await db
      .selectFrom('vector_blocks')
      .select(['block', 'data'])
      .where('space', '=', space)
      .where('block', 'in', inList(blocks.slice(at, at + BLOCKS_PER_READ)))
      .execute();
    compareRows(rows, query, visit, wanted);
  }
};

/** Chunks that the index has not taken yet, at most `limit`. */
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
  const blocks = await run(
    tx,
    `delete from vector_blocks where rowid in
       (select rowid from vector_blocks where space = ? limit 0 + ?) returning block as n`,
    [space, limit],
  );
  const exact = await run(
    tx,
    `delete from exact_vectors where rowid in
       (select rowid from exact_vectors where space = ? limit 0 + ?) returning n`,
    [space, limit],
  );
  await tx.deleteFrom('vector_outbox').where('space', '=', space).execute();
  return blocks.rows.length === limit || exact.rows.length === limit;
};

/** Of these, the chunks that exist and have no vector in the space. */
export const chunksStillWithoutVector = async (
  tx: Db,
  space: VectorSpace,
  ns: readonly number[],
): Promise<Set<number>> => {
  const { rows } = await run<{ n: number }>(
    tx,
    `select n from chunks where n in (select value from json_each(?1))
       union all select n from memories where n in (select value from json_each(?1))`,
    [JSON.stringify(ns)],
  );
  const living = new Set(rows.map((row) => row.n));
  for (const [block, members] of vectorsByBlock([...living].map((n) => ({ n, vector: null })))) {
    const data = await readBlock(tx, space.id, block);
    for (const { n } of members) if (data && hasVector(data, space.dimensions, n)) living.delete(n);
  }
  return living;
};

/** Everything that has a vector: chunks and memories. */
const UNITS = '(select n from chunks union all select n from memories)';

/** A chunk or memory has a vector when its slot lies inside the block and the scale at its head is not zero. */
const WITHOUT_VECTOR = `not exists (
  select 1 from vector_blocks where vector_blocks.space = ?3 and vector_blocks.block = units.n / ${SLOTS}
    and length(vector_blocks.data) > (units.n % ${SLOTS}) * ?4
    and substr(vector_blocks.data, (units.n % ${SLOTS}) * ?4 + 1, 4) <> x'00000000')`;

/** Looks at no more than `limit` chunks, so that a complete space of many is not one long read. */
export const chunksWithoutVector = async (
  db: Db,
  space: { id: number; dimensions: number },
  after: number,
  limit: number,
): Promise<{ ns: number[]; last: number | null }> => {
  const window = await run<{ last: number | null }>(
    db,
    `select max(n) as last from (select n from ${UNITS} where n > ? order by n limit 0 + ?)`,
    [after, limit],
  );
  const last = window.rows[0]?.last ?? null;
  if (last === null) return { ns: [], last };
  const { rows } = await run<{ n: number }>(
    db,
    `select n from ${UNITS} as units where n > ?1 and n <= ?2 and ${WITHOUT_VECTOR} order by n`,
    [after, last, space.id, 4 + space.dimensions],
  );
  return { ns: rows.map((row) => row.n), last };
};

/** True if the float32 form of the vector is kept. */
export const hasExactVector = async (db: Db, space: number, n: number): Promise<boolean> => {
  const { rows } = await run(db, 'select n from exact_vectors where space = ? and n = ?', [space, n]);
  return rows.length > 0;
};
