// Rows of vectors as blocks in memory, in which they are compared.
import { SLOTS } from '../../../../lib/vectors/code.ts';

export interface VectorRow {
  n: number;
  /** A block of one slot. */
  data: Uint8Array;
}

/** The vectors of one block, in their slots. */
export const packBlock = (rows: readonly VectorRow[]): Uint8Array => {
  const size = rows[0]?.data.byteLength ?? 0;
  const slots = rows.map(({ n }) => n % SLOTS);
  const block = new Uint8Array((Math.max(...slots) + 1) * size);
  for (const [at, { data }] of rows.entries()) block.set(data, (slots[at] ?? 0) * size);
  return block;
};

/** The block with further vectors in it. */
export const extendBlock = (former: Uint8Array, rows: readonly VectorRow[]): Uint8Array => {
  const added = packBlock(rows);
  const block = new Uint8Array(Math.max(former.byteLength, added.byteLength));
  block.set(former);
  const size = rows[0]?.data.byteLength ?? 0;
  for (const { n, data } of rows) block.set(data, (n % SLOTS) * size);
  return block;
};
