// How near a vector is to those of a block, by the instructions of the processor that multiply many numbers at once: ten
// times as fast as JavaScript can. The memory holds what comes out, then the query, then the block.
import { SLOTS, scaleIn, stride, viewOf } from './code.ts';
import { COMPARE } from './compare.generated.ts';

interface Kernel {
  memory: WebAssembly.Memory;
  compare(at: number, end: number, query: number, dimensions: number, out: number): void;
}

const kernel = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(COMPARE, 'base64')))
  .exports as unknown as Kernel;

const PAGE = 65_536;
/** Numbers that are multiplied at once. */
const STEP = 16;
const OUT = 0;
const QUERY = SLOTS * Float32Array.BYTES_PER_ELEMENT;

/** A unit vector as blocks are compared with it. */
export interface Query {
  dimensions: number;
  /** Zeros follow, up to a multiple of `STEP`. */
  numbers: Int16Array;
  scale: number;
}

const LARGEST_INT8 = 127;
const LARGEST_INT16 = 2 ** 15 - 1;
const LARGEST_SUM = 2 ** 31 - 1;

/** As fine as the sum of all products has room for. */
export const queryOf = (vector: Float32Array): Query => {
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

/** Visits the cosine of every vector of a block, or of those that are wanted, with the query. */
export const compareBlock = (
  block: Uint8Array,
  number: number,
  { dimensions, numbers, scale }: Query,
  visit: (n: number, cosine: number) => void,
  wanted?: ReadonlySet<number>,
): void => {
  if (block.byteLength === 0) return;
  const at = QUERY + numbers.byteLength;
  makeRoom(at + block.byteLength + STEP);
  bytes.set(new Uint8Array(numbers.buffer), QUERY);
  bytes.set(block, at);
  kernel.compare(at, at + block.byteLength, QUERY, dimensions, OUT);
  const slots = block.byteLength / stride(dimensions);
  const products = new Float32Array(bytes.buffer, OUT, slots);
  const stored = viewOf(block);
  for (let slot = 0; slot < slots; slot++) {
    const n = number * SLOTS + slot;
    if (scaleIn(stored, dimensions, n) === 0 || wanted?.has(n) === false) continue;
    visit(n, (products[slot] as number) * scale);
  }
};
