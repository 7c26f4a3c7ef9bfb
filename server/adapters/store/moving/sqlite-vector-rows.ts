// The vectors of the embedded database one by one, in the form in which PostgreSQL stores them.
import { blockOf, changeBlock, getVector, SLOTS } from '../../../lib/vectors/code.ts';
import type { StoredSpace } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import { readBlock, storeBlock } from '../sqlite/vectors.ts';
import type { Db } from '../tables/tables.ts';
import type { MovedVector, MovedVectors, NumberRange } from './moving-side.ts';

interface Block {
  readonly block: number;
  readonly data: Uint8Array;
}

const FIRST_SLOT = 0;
const MOST_BLOCKS = 2 ** 53;

const vectorsIn = ({ block, data }: Block, { dimensions }: StoredSpace): MovedVector[] =>
  Array.from({ length: SLOTS }, (_, slot) => block * SLOTS + slot).flatMap((n) => {
    const vector = getVector(data, dimensions, n);
    return vector === null ? [] : [{ n, data: changeBlock(null, dimensions, [{ n: FIRST_SLOT, vector }]) }];
  });

const blocksFrom = async (
  db: Db,
  space: StoredSpace,
  { after, last }: NumberRange,
  most: number,
): Promise<readonly Block[]> => {
  const { rows } = await run<Block>(
    db,
    `select block, data from vector_blocks where space = $1 and block >= $2 and block <= $3 order by block limit $4`,
    [space.id, blockOf(after + 1), last === null ? MOST_BLOCKS : blockOf(last), most],
  );
  return rows;
};

const within = async (db: Db, space: StoredSpace, range: NumberRange): Promise<readonly MovedVector[]> => {
  const blocks = await blocksFrom(db, space, range, MOST_BLOCKS);
  return blocks
    .flatMap((block) => vectorsIn(block, space))
    .filter(({ n }) => n > range.after && (range.last === null || n <= range.last));
};

const change = async (
  tx: Db,
  space: StoredSpace,
  changes: readonly { readonly n: number; readonly data: Uint8Array | null }[],
): Promise<void> => {
  const { id, dimensions } = space;
  for (const [block, members] of Map.groupBy(changes, ({ n }) => blockOf(n))) {
    const stored = await readBlock(tx, id, block);
    const slots = members.map(({ n, data }) => ({
      n,
      vector: data === null ? null : getVector(data, dimensions, FIRST_SLOT),
    }));
    const data = changeBlock(stored, dimensions, slots);
    await storeBlock(tx, { space: id, block, data }, stored !== null);
  }
};

export const sqliteVectorRows = (db: Db): MovedVectors => ({
  async page(space, after, most) {
    const blocks = await blocksFrom(db, space, { after, last: null }, Math.ceil(most / SLOTS));
    return blocks.flatMap((block) => vectorsIn(block, space)).filter(({ n }) => n > after);
  },
  within: (space, range) => within(db, space, range),
  put: change,
  remove: (tx, space, ns) =>
    change(
      tx,
      space,
      ns.map((n) => ({ n, data: null })),
    ),
  async keepSpaces(tx, ids) {
    await run(tx, 'delete from vector_blocks where space not in (select value from number_list($1))', [
      JSON.stringify(ids),
    ]);
  },
});
