// Rows of vectors as blocks in memory, in which they are compared.
import { SLOTS } from '../../../../lib/vectors/code.ts';

export interface VectorRow {
  n: number;
  /** A block of one slot. */
  data: Uint8Array;
}

const NO_VECTORS = new Uint8Array();

/** The vectors of one block in their slots, beside those that it had before. */
export const packBlock = (rows: readonly VectorRow[], former: Uint8Array = NO_VECTORS): Uint8Array => {
  const size = rows[0]?.data.byteLength ?? 0;
  const slots = rows.map(({ n }) => n % SLOTS);
  const block = new Uint8Array(Math.max(former.byteLength, (Math.max(...slots) + 1) * size));
  block.set(former);
  for (const [at, { data }] of rows.entries()) block.set(data, (slots[at] ?? 0) * size);
  return block;
};
