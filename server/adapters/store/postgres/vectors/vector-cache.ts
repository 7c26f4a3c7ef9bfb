// Vectors of containers in the memory of this process, packed as they are compared. Each use asks the database whether they
// are still the same, in one statement that also brings those that were added since.
import { LRUCache } from 'lru-cache';
import { containerOfNumber, MEMORY_OFFSET } from '../../../../core/chunks/chunk-number.ts';
import { blockOf } from '../../../../lib/vectors/code.ts';
import { keptByDatabase } from '../../engine/kept-by-database.ts';
import { run } from '../../engine/run.ts';
import type { Db } from '../../tables/tables.ts';
import { packBlock, type VectorRow } from './vector-rows.ts';

const MOST_BYTES = 128 * 1024 * 1024;
/** One container must not push out all others: the vectors of a larger one are read anew for each comparison. */
const MOST_BYTES_OF_ONE = MOST_BYTES / 4;
const ROWS_PER_READ = 4096;
/** For the map, its keys and the objects. */
const BYTES_OF_A_BLOCK = 200;

interface PackedPart {
  /** As counted by the database when the first of them were read. */
  readonly changes: number;
  /** The highest number among them. */
  readonly last: number;
  readonly blocks: Map<number, Uint8Array>;
  readonly bytes: number;
}

/** The chunks or the memories of one container. */
export interface VectorPart {
  readonly space: number;
  readonly from: number;
}

/** The part that holds a number. */
export const partOf = (space: number, n: number): VectorPart => ({ space, from: n - (n % MEMORY_OFFSET) });

/** Null: the numbers are not those of one part. */
export const partWithin = (space: number, from: number, to: number): VectorPart | null =>
  from % MEMORY_OFFSET === 0 && to - from === MEMORY_OFFSET && to < Number.MAX_SAFE_INTEGER
    ? { space, from }
    : null;

interface ReadRow {
  readonly changes: number;
  readonly n: number | null;
  readonly data: Uint8Array | null;
}

const READ = `select coalesce((select changes from vector_changes where space = $1 and container = $2), 0) as changes, n, data
  from (select 1) as one left join lateral (
    select n, data from vector_rows where space = $1 and n > $3 and n < $4 order by n limit ${ROWS_PER_READ}) as each on true`;

interface ReadPart {
  readonly changes: number;
  readonly rows: readonly VectorRow[];
}

const readAfter = async (db: Db, { space, from }: VectorPart, after: number): Promise<ReadPart> => {
  const parameters = [space, containerOfNumber(from), after, from + MEMORY_OFFSET];
  const { rows } = await run<ReadRow>(db, READ, parameters);
  return {
    changes: rows[0]?.changes ?? 0,
    rows: rows.flatMap(({ n, data }) => (n === null || data === null ? [] : [{ n, data }])),
  };
};

/** The former blocks stay as they are: another search may be comparing them. */
const withRows = (former: PackedPart, rows: readonly VectorRow[]): PackedPart => {
  const blocks = new Map(former.blocks);
  let { bytes } = former;
  for (const [block, members] of Map.groupBy(rows, ({ n }) => blockOf(n))) {
    const before = blocks.get(block);
    const packed = packBlock(members, before);
    blocks.set(block, packed);
    bytes += packed.byteLength - (before?.byteLength ?? -BYTES_OF_A_BLOCK);
  }
  return { ...former, blocks, bytes, last: rows.at(-1)?.n ?? former.last };
};

/** Reads on from the first page; null: there are too many to keep. */
const readOn = async (
  db: Db,
  part: VectorPart,
  begun: PackedPart,
  first: ReadPart,
): Promise<PackedPart | null> => {
  let packed = withRows(begun, first.rows);
  let { rows } = first;
  while (rows.length === ROWS_PER_READ) {
    if (packed.bytes > MOST_BYTES_OF_ONE) return null;
    ({ rows } = await readAfter(db, part, packed.last));
    packed = withRows(packed, rows);
  }
  return packed;
};

const cacheOf = keptByDatabase(
  () =>
    new LRUCache<string, PackedPart>({
      maxSize: MOST_BYTES,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    }),
);

/** The blocks by their numbers, as the database holds them now; null: there are too many to keep. */
export const packedVectors = async (
  db: Db,
  part: VectorPart,
): Promise<ReadonlyMap<number, Uint8Array> | null> => {
  const cache = cacheOf(db);
  const name = `${part.space} ${part.from}`;
  const known = cache.get(name);
  const first = await readAfter(db, part, known?.last ?? part.from - 1);
  const isSame = known !== undefined && known.changes === first.changes;
  if (isSame && first.rows.length === 0) return known.blocks;
  const nothing = { changes: first.changes, last: part.from - 1, blocks: new Map(), bytes: 0 };
  const packed = isSame
    ? await readOn(db, part, known, first)
    : await readOn(db, part, nothing, known === undefined ? first : await readAfter(db, part, nothing.last));
  if (packed === null) cache.delete(name);
  else cache.set(name, packed);
  return packed?.blocks ?? null;
};
