// Vectors as bytes: int8 with a scale for comparing, float32 where the exact numbers were paid for.

/** One block holds the vectors of 64 neighbouring chunk numbers; an empty slot has scale 0. */
export const SLOTS = 64;
const SCALES = SLOTS * 4;

export const blockOf = (n: number): number => Math.floor(n / SLOTS);
const slotOf = (n: number): number => n % SLOTS;

export interface Quantised {
  readonly scale: number;
  readonly values: Int8Array;
}

export const quantise = (vector: Float32Array): Quantised => {
  let peak = 0;
  for (const value of vector) peak = Math.max(peak, Math.abs(value));
  const values = new Int8Array(vector.length);
  if (peak === 0) return { scale: 0, values };
  for (let i = 0; i < vector.length; i++) values[i] = Math.round(((vector[i] ?? 0) / peak) * 127);
  return { scale: peak / 127, values };
};

export const emptyBlock = (dimensions: number): Uint8Array => new Uint8Array(SCALES + SLOTS * dimensions);

const scalesOf = (block: Uint8Array): DataView => new DataView(block.buffer, block.byteOffset, SCALES);
const valuesOf = (block: Uint8Array): Int8Array =>
  new Int8Array(block.buffer, block.byteOffset + SCALES, block.byteLength - SCALES);

/** Writes into a block that is the caller's own. */
export const putVector = (block: Uint8Array, dimensions: number, n: number, vector: Quantised | null): void => {
  const slot = slotOf(n);
  scalesOf(block).setFloat32(slot * 4, vector?.scale ?? 0, true);
  const values = valuesOf(block).subarray(slot * dimensions, (slot + 1) * dimensions);
  if (vector) values.set(vector.values);
  else values.fill(0);
};

export const hasVector = (block: Uint8Array, n: number): boolean =>
  scalesOf(block).getFloat32(slotOf(n) * 4, true) !== 0;

export const getVector = (block: Uint8Array, dimensions: number, n: number): Quantised | null => {
  const slot = slotOf(n);
  const scale = scalesOf(block).getFloat32(slot * 4, true);
  if (scale === 0) return null;
  return { scale, values: valuesOf(block).slice(slot * dimensions, (slot + 1) * dimensions) };
};

export const dequantise = ({ scale, values }: Quantised): Float32Array =>
  Float32Array.from(values, (value) => value * scale);

/** Visits the cosine of every vector of a block with a unit-length query. */
export const compareBlock = (
  block: Uint8Array,
  dimensions: number,
  number: number,
  query: Float32Array,
  visit: (n: number, cosine: number) => void,
): void => {
  const scales = scalesOf(block);
  const values = valuesOf(block);
  for (let slot = 0; slot < SLOTS; slot++) {
    const scale = scales.getFloat32(slot * 4, true);
    if (scale === 0) continue;
    let sum = 0;
    const start = slot * dimensions;
    for (let i = 0; i < dimensions; i++) sum += (values[start + i] as number) * (query[i] as number);
    visit(number * SLOTS + slot, sum * scale);
  }
};

export const floatBytes = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** Copied, because bytes from a database need not be aligned. */
export const bytesToFloats = (bytes: Uint8Array): Float32Array => {
  const copy = bytes.slice();
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
};
