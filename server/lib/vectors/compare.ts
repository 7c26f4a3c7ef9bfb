// Compares a vector with those of a block, using SIMD instructions in WebAssembly: ten
// times as fast as JavaScript. The memory holds the results, then the query, then the block.
import { SLOTS, scaleIn, stride, viewOf } from './code.ts';
import { COMPARE } from './compare.generated.ts';

interface Kernel {
  memory: WebAssembly.Memory;
  compare(at: number, end: number, query: number, dimensions: number, out: number): void;
}

const kernel = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(COMPARE, 'base64')))
  .exports as unknown as Kernel;

const PAGE = 65_536;
/** The numbers that one instruction multiplies. */
const STEP = 16;
const OUT = 0;
const QUERY = SLOTS * Float32Array.BYTES_PER_ELEMENT;

/** A unit vector, prepared for the comparison with blocks. */
export interface Query {
  dimensions: number;
  /** Padded with zeros to a multiple of `STEP`. */
  numbers: Int16Array;
  scale: number;
}

const LARGEST_INT8 = 127;
const LARGEST_INT16 = 2 ** 15 - 1;
const LARGEST_SUM = 2 ** 31 - 1;

/** The finest scale at which the sum of all products does not overflow. */
export const packQuery = (vector: Float32Array): Query => {
  const dimensions = vector.length;
  const numbers = new Int16Array(Math.ceil(dimensions / STEP) * STEP);
  const peak = vector.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (peak === 0) return { dimensions, numbers, scale: 0 };
  const largest = Math.min(LARGEST_INT16, Math.floor(LARGEST_SUM / (LARGEST_INT8 * dimensions)));
  for (let i = 0; i < dimensions; i++) numbers[i] = Math.round(((vector[i] as number) * largest) / peak);
  return { dimensions, numbers, scale: peak / largest };
};

let bytes = new Uint8Array(kernel.memory.buffer);

const makeRoom = (needed: number): void => {
  if (needed <= bytes.byteLength) return;
  kernel.memory.grow(Math.ceil((needed - bytes.byteLength) / PAGE));
  bytes = new Uint8Array(kernel.memory.buffer);
};

export interface VectorBlock {
  /** The number of the block: its first vector has the number `block * SLOTS`. */
  readonly block: number;
  readonly data: Uint8Array;
}

/** The products of the query with the vectors that stand one after the other in these bytes, at most those of one block. */
const productsOf = (stored: readonly Uint8Array[], { dimensions, numbers }: Query): Float32Array => {
  const size = stored.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const at = QUERY + numbers.byteLength;
  makeRoom(at + size + STEP);
  bytes.set(new Uint8Array(numbers.buffer), QUERY);
  let end = at;
  for (const part of stored) {
    bytes.set(part, end);
    end += part.byteLength;
  }
  kernel.compare(at, end, QUERY, dimensions, OUT);
  return new Float32Array(bytes.buffer, OUT, size / stride(dimensions));
};

/** Visits the cosine between the query and every vector of a block, or only the wanted ones. */
export const compareBlock = (
  { block: number, data: block }: VectorBlock,
  query: Query,
  visit: (n: number, cosine: number) => void,
  wanted?: ReadonlySet<number>,
): void => {
  if (block.byteLength === 0) return;
  const products = productsOf([block], query);
  const stored = viewOf(block);
  for (let slot = 0; slot < products.length; slot++) {
    const n = number * SLOTS + slot;
    if (scaleIn(stored, query.dimensions, n) === 0 || wanted?.has(n) === false) continue;
    visit(n, (products[slot] as number) * query.scale);
  }
};

/** The bytes of one slot of a block; empty where the block is shorter. */
export interface StoredVector {
  readonly n: number;
  readonly data: Uint8Array;
}

/** Visits the cosines of vectors that were taken out of their blocks. */
export const compareVectors = (
  vectors: readonly StoredVector[],
  query: Query,
  visit: (n: number, cosine: number) => void,
): void => {
  const size = stride(query.dimensions);
  const present = vectors.filter(
    ({ data }) => data.byteLength === size && scaleIn(viewOf(data), query.dimensions, 0) !== 0,
  );
  for (let from = 0; from < present.length; from += SLOTS) {
    const part = present.slice(from, from + SLOTS);
    const products = productsOf(
      part.map(({ data }) => data),
      query,
    );
    for (const [at, { n }] of part.entries()) visit(n, (products[at] as number) * query.scale);
  }
};
