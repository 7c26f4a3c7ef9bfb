// Vectors in SQLite: int8 blocks clustered by chunk number.
import {
  blockOf,
  changeBlock,
  getVector,
  hasVector,
  type Quantised,
  quantise,
  SLOTS,
} from '../../../lib/vectors/code.ts';
import { compareBlock, packQuery, type Query } from '../../../lib/vectors/compare.ts';
import {
  engineOf,
  type NumberedVector,
  type StoredSpace,
  type VectorRange,
  type VectorTable,
  type VisitVector,
} from '../engine/engine.ts';
import { keptByDatabase } from '../engine/kept-by-database.ts';
import { run } from '../engine/run.ts';
import { UNITS } from '../engine/units.ts';
import type { Db } from '../tables/tables.ts';

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

export const readBlock = async (db: Db, space: number, block: number): Promise<Uint8Array | null> => {
  const { rows } = await run<{ data: Uint8Array }>(
    db,
    'select data from vector_blocks where space = $1 and block = $2',
    [space, block],
  );
  return rows[0]?.data ?? null;
};

export const storeBlock = async (
  tx: Db,
  { space, block, data }: { space: number; block: number; data: Uint8Array },
  exists: boolean,
): Promise<void> => {
  if (data.byteLength === 0) {
    await run(tx, 'delete from vector_blocks where space = $1 and block = $2', [space, block]);
    return;
  }
  const statement = exists
    ? 'update vector_blocks set data = $1 where space = $2 and block = $3'
    : 'insert into vector_blocks (data, space, block) values ($1, $2, $3)';
  await run(tx, statement, [data, space, block]);
};

const writeBlock = async (
  tx: Db,
  space: StoredSpace,
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

const write = async (tx: Db, space: StoredSpace, vectors: readonly NumberedVector[]): Promise<number> => {
  let grown = 0;
  for (const [block, members] of vectorsByBlock(vectors))
    grown += await writeBlock(tx, space, block, members);
  return grown;
};

const read = async (db: Db, space: StoredSpace, ns: readonly number[]): Promise<Map<number, Quantised>> => {
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

const compareRows = (
  rows: readonly { block: number; data: Uint8Array }[],
  query: Query,
  visit: VisitVector,
  wanted?: ReadonlySet<number>,
): void => {
  for (const row of rows) compareBlock(row, query, visit, wanted);
};

interface BlockRow {
  readonly block: number;
  readonly data: Uint8Array;
}

/** The blocks that the last scans of a thread have read, until anything is written. */
interface KeptBlocks {
  /** The state of the database in which they were read; null: of none. */
  state: number | null;
  bytes: number;
  reads: Map<string, BlockRow[]>;
}

/** The vectors of ten thousand passages, for each thread that searches. */
const MOST_KEPT_BYTES = 4 * 2 ** 20;

const keptOf = keptByDatabase((): KeptBlocks => ({ state: null, bytes: 0, reads: new Map() }));

/** To read blocks again is half of a scan, and garbage that is larger than all other of a search. */
const readBlocks = async (db: Db, where: string, parameters: readonly unknown[]): Promise<BlockRow[]> => {
  const read = async () =>
    (await run<BlockRow>(db, `select block, data from vector_blocks where ${where}`, parameters)).rows;
  const state = await engineOf(db).stateOf?.(db);
  if (state === undefined) return read();
  const kept = keptOf(db);
  if (kept.state !== state || kept.bytes > MOST_KEPT_BYTES) {
    kept.reads = new Map();
    kept.bytes = 0;
  }
  kept.state = state;
  // A read that ends after the next write keeps its rows where nobody looks.
  const { reads } = kept;
  const key = JSON.stringify([where, ...parameters]);
  const known = reads.get(key);
  if (known !== undefined) return known;
  const rows = await read();
  const bytes = rows.reduce((sum, { data }) => sum + data.byteLength, 0);
  if (bytes > MOST_KEPT_BYTES / 2) return rows;
  kept.bytes += bytes;
  reads.set(key, rows);
  return rows;
};

const BLOCKS_PER_READ = 256;

const compareRange = async (
  db: Db,
  range: VectorRange,
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  const query = packQuery(vector);
  const end = blockOf(range.to);
  let from = blockOf(range.from);
  for (;;) {
    const where = `space = $1 and block >= $2 and block < $3 order by block limit ${BLOCKS_PER_READ}`;
    const rows = await readBlocks(db, where, [range.space, from, end]);
    compareRows(rows, query, visit);
    const last = rows.at(-1);
    if (!last || rows.length < BLOCKS_PER_READ) return;
    from = last.block + 1;
  }
};

/** Numbers as they are compared: as a set, and their blocks in JSON, as many as one read takes. */
interface ComparedNumbers {
  readonly wanted: ReadonlySet<number>;
  readonly reads: readonly string[];
}

const comparedNumbers = (ns: readonly number[]): ComparedNumbers => {
  const blocks = [...new Set(ns.map(blockOf))];
  const reads: string[] = [];
  for (let at = 0; at < blocks.length; at += BLOCKS_PER_READ)
    reads.push(JSON.stringify(blocks.slice(at, at + BLOCKS_PER_READ)));
  return { wanted: new Set(ns), reads };
};

/** Of lists that are kept from one search to the next. */
const known = new WeakMap<readonly number[], ComparedNumbers>();

const compareChunks = async (
  db: Db,
  { space, ns }: { space: number; ns: readonly number[] },
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  const query = packQuery(vector);
  const { wanted, reads } = known.get(ns) ?? comparedNumbers(ns);
  known.set(ns, { wanted, reads });
  for (const blocks of reads) {
    const where = 'space = $1 and block in (select value from number_list($2))';
    const rows = await readBlocks(db, where, [space, blocks]);
    compareRows(rows, query, visit, wanted);
  }
};

/** A chunk or memory has a vector when its slot lies inside the block and the scale at its head is not zero. */
const WITHOUT_VECTOR = `not exists (
  select 1 from vector_blocks where vector_blocks.space = $3 and vector_blocks.block = units.n / ${SLOTS}
    and length(vector_blocks.data) > (units.n % ${SLOTS}) * $4
    and substr(vector_blocks.data, (units.n % ${SLOTS}) * $4 + 1, 4) <> x'00000000')`;

const without = async (
  db: Db,
  { id, dimensions }: StoredSpace,
  { after, last }: { after: number; last: number },
): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select n from ${UNITS} as units where n > $1 and n <= $2 and ${WITHOUT_VECTOR} order by n`,
    [after, last, id, 4 + dimensions],
  );
  return rows.map((row) => row.n);
};

const erase = async (tx: Db, space: number, limit: number): Promise<boolean> => {
  const { rows } = await run(
    tx,
    `delete from vector_blocks where rowid in
       (select rowid from vector_blocks where space = $1 limit 0 + $2) returning block as n`,
    [space, limit],
  );
  return rows.length === limit;
};

export const sqliteVectors: VectorTable = { write, read, compareRange, compareChunks, without, erase };
