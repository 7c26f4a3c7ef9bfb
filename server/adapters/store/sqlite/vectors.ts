// Vectors in SQLite: int8 blocks clustered by chunk number.
import { LRUCache } from 'lru-cache';
import { CONTAINER_SPAN, containerOfNumber } from '../../../core/chunks/chunk-number.ts';
import {
  blockOf,
  changeBlock,
  getVector,
  hasVector,
  type Quantised,
  quantise,
  SLOTS,
  stride,
} from '../../../lib/vectors/code.ts';
import {
  compareBlock,
  compareVectors,
  packQuery,
  type Query,
  type StoredVector,
} from '../../../lib/vectors/compare.ts';
import {
  engineOf,
  type NumberedVector,
  type StoredSpace,
  type VectorGrowth,
  type VectorRange,
  type VectorsOfContainers,
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

/** True: the index is to hold the number, where it leaves small containers out. */
type IsIndexed = (n: number) => boolean;

const NONE_INDEXED: IsIndexed = () => false;

const readIndexed = async (tx: Db, space: number, blocks: Iterable<number>): Promise<IsIndexed> => {
  const containers = new Set([...blocks].map((block) => containerOfNumber(block * SLOTS)));
  const { rows } = await run<{ container: number; upto: number }>(
    tx,
    `select container, upto from indexed_containers
       where space = $1 and container in (select value from number_list($2))`,
    [space, JSON.stringify([...containers])],
  );
  if (rows.length === 0) return NONE_INDEXED;
  const upto = new Map(rows.map((row) => [row.container, row.upto]));
  return (n) => n % CONTAINER_SPAN < (upto.get(containerOfNumber(n)) ?? 0);
};

const writeBlock = async (
  tx: Db,
  space: StoredSpace,
  { block, members }: { block: number; members: readonly NumberedVector[] },
  isIndexed: IsIndexed,
): Promise<VectorGrowth> => {
  const stored = await readBlock(tx, space.id, block);
  if (stored === null && members.every(({ vector }) => vector === null)) return { vectors: 0, indexed: 0 };
  const held = (data: Uint8Array | null) =>
    members.filter(({ n }) => data !== null && hasVector(data, space.dimensions, n));
  const changes = members.map(({ n, vector }) => ({ n, vector: vector && quantise(vector) }));
  const data = changeBlock(stored, space.dimensions, changes);
  await storeBlock(tx, { space: space.id, block, data }, stored !== null);
  const [after, before] = [held(data), held(stored)];
  const indexed = (those: readonly NumberedVector[]) => those.filter(({ n }) => isIndexed(n)).length;
  return { vectors: after.length - before.length, indexed: indexed(after) - indexed(before) };
};

const write = async (tx: Db, space: StoredSpace, given: readonly NumberedVector[]): Promise<VectorGrowth> => {
  const blocks = vectorsByBlock(given);
  const isIndexed = await readIndexed(tx, space.id, blocks.keys());
  let [vectors, indexed] = [0, 0];
  for (const [block, members] of blocks) {
    const grown = await writeBlock(tx, space, { block, members }, isIndexed);
    vectors += grown.vectors;
    indexed += grown.indexed;
  }
  return { vectors, indexed };
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

interface KeptBlocks {
  /** The changes of the vectors, read before their blocks. */
  readonly changes: number;
  readonly rows: readonly BlockRow[];
  readonly bytes: number;
}

/** The vectors of ten thousand passages, for each thread that searches. */
const MOST_KEPT_BYTES = 4 * 2 ** 20;

/** By what was asked. */
const keptOf = keptByDatabase(
  () =>
    new LRUCache<string, KeptBlocks>({
      maxSize: MOST_KEPT_BYTES,
      maxEntrySize: MOST_KEPT_BYTES / 2,
      sizeCalculation: ({ bytes }) => bytes + 1,
    }),
);

/** Triggers count every change of a block, and no count ever falls. */
const vectorChanges = async (db: Db, { space, from, to }: VectorRange): Promise<number> => {
  const { rows } = await run<{ changes: number }>(
    db,
    `select coalesce(sum(changes), 0) as changes from vector_changes
       where space = $1 and container between $2 and $3`,
    [space, containerOfNumber(from), containerOfNumber(to)],
  );
  return rows[0]?.changes ?? 0;
};

type ReadBlocks = (where: string, parameters: readonly unknown[]) => Promise<readonly BlockRow[]>;

/** For blocks in this range. To read them again is half of a scan, and garbage that is larger than all other of a search. */
const blockReader = async (db: Db, range: VectorRange): Promise<ReadBlocks> => {
  const read: ReadBlocks = async (where, parameters) =>
    (await run<BlockRow>(db, `select block, data from vector_blocks where ${where}`, parameters)).rows;
  if (!engineOf(db).keepsReads) return read;
  const kept = keptOf(db);
  const changes = await vectorChanges(db, range);
  return async (where, parameters) => {
    const key = JSON.stringify([where, ...parameters]);
    const known = kept.get(key);
    if (known?.changes === changes) return known.rows;
    const rows = await read(where, parameters);
    kept.set(key, { changes, rows, bytes: rows.reduce((sum, { data }) => sum + data.byteLength, 0) });
    return rows;
  };
};

const BLOCKS_PER_READ = 256;

const compareRange = async (
  db: Db,
  range: VectorRange,
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  const query = packQuery(vector);
  const readBlocks = await blockReader(db, range);
  const end = blockOf(range.to);
  let from = blockOf(range.from);
  for (;;) {
    const where = `space = $1 and block >= $2 and block < $3 order by block limit ${BLOCKS_PER_READ}`;
    const rows = await readBlocks(where, [range.space, from, end]);
    compareRows(rows, query, visit);
    const last = rows.at(-1);
    if (!last || rows.length < BLOCKS_PER_READ) return;
    from = last.block + 1;
  }
};

const BLOCKS_OF_CONTAINER = CONTAINER_SPAN / SLOTS;

const compareContainers = async (
  db: Db,
  { space, containers, from, to }: VectorsOfContainers,
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  // A cross join keeps this order: SQLite would look for the container of every block.
  const { rows } = await run<BlockRow>(
    db,
    `select block, data from number_list($2) as parts
       cross join vector_blocks on space = $1
         and block >= parts.value * ${BLOCKS_OF_CONTAINER} + $3 and block < parts.value * ${BLOCKS_OF_CONTAINER} + $4`,
    [space, JSON.stringify(containers), blockOf(from), blockOf(to)],
  );
  compareRows(rows, packQuery(vector), visit);
};

/** Reads the slots alone where a block holds few of the wanted: whole blocks would be thirty times as much garbage. */
const FEW_OF_A_BLOCK = SLOTS / 8;

const isScattered = (ns: readonly number[], blocks: number): boolean => ns.length < FEW_OF_A_BLOCK * blocks;

const compareScattered = async (
  db: Db,
  { space, ns }: { space: number; ns: readonly number[] },
  query: Query,
  visit: VisitVector,
): Promise<void> => {
  // A cross join keeps this order: SQLite would compare every block with every number.
  const { rows } = await run<StoredVector>(
    db,
    `select numbers.value as n, substr(data, (numbers.value % ${SLOTS}) * $3 + 1, $3) as data
       from number_list($2) as numbers
       cross join vector_blocks on space = $1 and block = numbers.value / ${SLOTS}`,
    [space, JSON.stringify(ns), stride(query.dimensions)],
  );
  compareVectors(rows, query, visit);
};

/** Numbers as they are compared: as a set, and their blocks in JSON, as many as one read takes. */
interface ComparedNumbers extends Pick<VectorRange, 'from' | 'to'> {
  readonly wanted: ReadonlySet<number>;
  readonly blocks: number;
  readonly reads: readonly string[];
}

const comparedNumbers = (ns: readonly number[]): ComparedNumbers => {
  const blocks = [...new Set(ns.map(blockOf))].sort((a, b) => a - b);
  const reads: string[] = [];
  for (let at = 0; at < blocks.length; at += BLOCKS_PER_READ)
    reads.push(JSON.stringify(blocks.slice(at, at + BLOCKS_PER_READ)));
  const [from, to] = [blocks[0] ?? 0, blocks.at(-1) ?? 0];
  return { from: from * SLOTS, to: to * SLOTS, wanted: new Set(ns), blocks: blocks.length, reads };
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
  const compared = known.get(ns) ?? comparedNumbers(ns);
  known.set(ns, compared);
  const { from, to, wanted, blocks: count, reads } = compared;
  if (isScattered(ns, count)) return compareScattered(db, { space, ns }, query, visit);
  const readBlocks = await blockReader(db, { space, from, to });
  for (const blocks of reads) {
    const where = 'space = $1 and block in (select value from number_list($2))';
    const rows = await readBlocks(where, [space, blocks]);
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

export const sqliteVectors: VectorTable = {
  ...{ write, read, without, erase },
  ...{ compareRange, compareContainers, compareChunks },
};
