// Vectors in PostgreSQL: a row each, so that two writers never change the same one. They are packed into blocks in memory,
// where they are compared.
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';
import { blockOf, changeBlock, getVector, type Quantised, quantise } from '../../../../lib/vectors/code.ts';
import { compareBlock, packQuery, type Query } from '../../../../lib/vectors/compare.ts';
import type {
  NumberedVector,
  StoredSpace,
  VectorGrowth,
  VectorRange,
  VectorsOfContainers,
  VectorTable,
  VisitVector,
} from '../../engine/engine.ts';
import { run } from '../../engine/run.ts';
import { UNITS } from '../../engine/units.ts';
import type { Db } from '../../tables/tables.ts';
import { isWriting, noteVectorChanges } from '../counting.ts';
import { isNewNumber } from '../numbers.ts';
import { packedVectors, partOf, partWithin } from './vector-cache.ts';
import { packBlock, type VectorRow } from './vector-rows.ts';

const FIRST_SLOT = 0;

const rowBytes = (vector: Float32Array): Uint8Array =>
  changeBlock(null, vector.length, [{ n: FIRST_SLOT, vector: quantise(vector) }]);

const NO_GROWTH: VectorGrowth = { vectors: 0, indexed: 0 };

/** Counts numbers, and those among them that the index is to hold where it leaves small containers out. */
const growthOf = (numbers: string): string => `select count(*) as vectors, count(marks.container) as indexed
  from ${numbers} as counted left join indexed_containers as marks on marks.space = $1
    and marks.container = counted.n / ${CONTAINER_SPAN} and counted.n % ${CONTAINER_SPAN} < marks.upto`;

/** A vector of zeros has no bytes and is none. */
const store = async (tx: Db, space: number, rows: readonly VectorRow[]): Promise<VectorGrowth> => {
  if (rows.length === 0) return NO_GROWTH;
  const { rows: counted } = await run<VectorGrowth>(
    tx,
    `with given as (select n, data from unnest($2::bigint[], $3::bytea[]) as given (n, data) order by n),
       stored as (insert into vector_rows (space, n, data) select $1, n, data from given
         on conflict (space, n) do update set data = excluded.data),
       fresh as (select n from given
         where not exists (select 1 from vector_rows where vector_rows.space = $1 and vector_rows.n = given.n))
     ${growthOf('fresh')}`,
    [space, rows.map(({ n }) => n), rows.map(({ data }) => Buffer.from(data))],
  );
  return counted[0] ?? NO_GROWTH;
};

const remove = async (tx: Db, space: number, ns: readonly number[]): Promise<VectorGrowth> => {
  if (ns.length === 0) return NO_GROWTH;
  const { rows } = await run<VectorGrowth>(
    tx,
    `with gone as (delete from vector_rows
       where space = $1 and n in (select value from number_list($2)) returning n)
     ${growthOf('gone')}`,
    [space, JSON.stringify(ns)],
  );
  return rows[0] ?? NO_GROWTH;
};

const write = async (
  tx: Db,
  { id }: StoredSpace,
  vectors: readonly NumberedVector[],
): Promise<VectorGrowth> => {
  const last = new Map(vectors.map(({ n, vector }) => [n, vector]));
  const rows = [...last].map(([n, vector]) => ({ n, data: vector === null ? null : rowBytes(vector) }));
  const kept = rows.flatMap(({ n, data }) => (data === null || data.byteLength === 0 ? [] : [{ n, data }]));
  noteVectorChanges(
    tx,
    id,
    rows.flatMap(({ n }) => (isNewNumber(tx, n) ? [] : [n])),
  );
  const gone = rows.flatMap(({ n, data }) => (data === null || data.byteLength === 0 ? [n] : []));
  const [added, removed] = [await store(tx, id, kept), await remove(tx, id, gone)];
  return { vectors: added.vectors - removed.vectors, indexed: added.indexed - removed.indexed };
};

const rowsOf = async (db: Db, space: number, ns: readonly number[]): Promise<VectorRow[]> => {
  const { rows } = await run<VectorRow>(
    db,
    `select n, data from vector_rows where space = $1 and n in (select value from number_list($2)) order by n`,
    [space, JSON.stringify(ns)],
  );
  return rows;
};

const read = async (
  db: Db,
  { id, dimensions }: StoredSpace,
  ns: readonly number[],
): Promise<Map<number, Quantised>> => {
  const found = new Map<number, Quantised>();
  for (const { n, data } of await rowsOf(db, id, ns)) {
    const vector = getVector(data, dimensions, FIRST_SLOT);
    if (vector) found.set(n, vector);
  }
  return found;
};

const compareRows = (rows: readonly VectorRow[], query: Query, visit: VisitVector): void => {
  for (const [block, members] of Map.groupBy(rows, ({ n }) => blockOf(n)))
    compareBlock({ block, data: packBlock(members) }, query, visit);
};

const ROWS_PER_READ = 4096;

const compareRead = async (db: Db, range: VectorRange, query: Query, visit: VisitVector): Promise<void> => {
  let { from } = range;
  for (;;) {
    const { rows } = await run<VectorRow>(
      db,
      `select n, data from vector_rows where space = $1 and n >= $2 and n < $3 order by n limit ${ROWS_PER_READ}`,
      [range.space, from, range.to],
    );
    compareRows(rows, query, visit);
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_READ) return;
    from = last.n + 1;
  }
};

/** A write sees what nobody else sees yet. */
const compareRange = async (
  db: Db,
  range: VectorRange,
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  const query = packQuery(vector);
  const part = isWriting(db) ? null : partWithin(range.space, range.from, range.to);
  const blocks = part === null ? null : await packedVectors(db, part);
  if (blocks === null) return compareRead(db, range, query, visit);
  for (const [block, data] of blocks) compareBlock({ block, data }, query, visit);
};

const compareContainers = async (
  db: Db,
  { space, containers, from, to }: VectorsOfContainers,
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  const { rows } = await run<VectorRow>(
    db,
    `select held.n, held.data from unnest($2::bigint[]) as parts (container) cross join lateral (
       select n, data from vector_rows where space = $1
         and n >= parts.container * ${CONTAINER_SPAN} + $3 and n < parts.container * ${CONTAINER_SPAN} + $4) as held`,
    [space, containers, from, to],
  );
  compareRows(rows, packQuery(vector), visit);
};

const compareMembers = (
  blocks: ReadonlyMap<number, Uint8Array>,
  ns: readonly number[],
  query: Query,
  visit: VisitVector,
): void => {
  for (const [block, members] of Map.groupBy(ns, blockOf)) {
    const data = blocks.get(block);
    if (data !== undefined) compareBlock({ block, data }, query, visit, new Set(members));
  }
};

/** Fewer vectors of one container are read for the comparison. */
const WORTH_KEEPING = 64;
/** Each one is asked for in a statement of its own. */
const MOST_KEPT_PARTS = 8;

/** The numbers by parts whose vectors are kept, and all others. */
const dividedNumbers = (space: number, ns: readonly number[]) => {
  const parts = [...Map.groupBy(ns, (n) => partOf(space, n).from)];
  const kept = parts
    .filter(([, members]) => members.length >= WORTH_KEEPING)
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_KEPT_PARTS);
  const from = new Set(kept.map(([each]) => each));
  return { kept, others: parts.flatMap(([each, members]) => (from.has(each) ? [] : members)) };
};

const compareChunks = async (
  db: Db,
  { space, ns }: { space: number; ns: readonly number[] },
  vector: Float32Array,
  visit: VisitVector,
): Promise<void> => {
  const query = packQuery(vector);
  const { kept, others } = isWriting(db) ? { kept: [], others: ns } : dividedNumbers(space, ns);
  const read = [...others];
  for (const [from, members] of kept) {
    const blocks = await packedVectors(db, { space, from });
    if (blocks === null) read.push(...members);
    else compareMembers(blocks, members, query, visit);
  }
  for (let at = 0; at < read.length; at += ROWS_PER_READ)
    compareRows(await rowsOf(db, space, read.slice(at, at + ROWS_PER_READ)), query, visit);
};

const without = async (
  db: Db,
  { id }: StoredSpace,
  { after, last }: { after: number; last: number },
): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select n from ${UNITS} as units where n > $1 and n <= $2
       and not exists (select 1 from vector_rows where vector_rows.space = $3 and vector_rows.n = units.n) order by n`,
    [after, last, id],
  );
  return rows.map((row) => row.n);
};

const erase = async (tx: Db, space: number, limit: number): Promise<boolean> => {
  const { rows } = await run(
    tx,
    `delete from vector_rows where space = $1 and n in
       (select n from vector_rows where space = $1 order by n limit $2) returning n`,
    [space, limit],
  );
  if (rows.length < limit) await run(tx, 'delete from vector_changes where space = $1', [space]);
  return rows.length === limit;
};

export const postgresVectors: VectorTable = {
  ...{ write, read, without, erase },
  ...{ compareRange, compareContainers, compareChunks },
};
