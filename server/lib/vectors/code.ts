// Vectors as bytes: int8 with a scale for comparing, float32 for vectors of a paid service.

/** One block holds the vectors of 32 neighbouring chunk numbers, and ends after the last one present. */
export const SLOTS = 32;
const SCALE_BYTES = 4;

export const blockOf = (n: number): number => Math.floor(n / SLOTS);
const slotOf = (n: number): number => n % SLOTS;

export interface Quantised {
  readonly scale: number;
  readonly values: Int8Array;
}

export const quantise = (vector: Float32Array): Quantised => {
  let peak = 0;
  for (let i = 0; i < vector.length; i++) peak = Math.max(peak, Math.abs(vector[i] as number));
  const values = new Int8Array(vector.length);
  if (peak === 0) return { scale: 0, values };
  const factor = 127 / peak;
  for (let i = 0; i < vector.length; i++) values[i] = Math.round((vector[i] as number) * factor);
  return { scale: peak / 127, values };
};

/** The bytes of a slot: a scale and the numbers. */
export const stride = (dimensions: number): number => SCALE_BYTES + dimensions;
export const viewOf = (block: Uint8Array): DataView =>
  new DataView(block.buffer, block.byteOffset, block.byteLength);
const valuesAt = (block: Uint8Array, at: number, dimensions: number): Int8Array =>
  new Int8Array(block.buffer, block.byteOffset + at + SCALE_BYTES, dimensions);

/** An empty slot has scale 0. */
export const scaleIn = (block: DataView, dimensions: number, n: number): number => {
  const at = slotOf(n) * stride(dimensions);
  return at < block.byteLength ? block.getFloat32(at, true) : 0;
};
const scaleAt = (block: Uint8Array, dimensions: number, n: number): number =>
  scaleIn(viewOf(block), dimensions, n);

export const hasVector = (block: Uint8Array, dimensions: number, n: number): boolean =>
  scaleAt(block, dimensions, n) !== 0;

export const getVector = (block: Uint8Array, dimensions: number, n: number): Quantised | null => {
  const scale = scaleAt(block, dimensions, n);
  if (scale === 0) return null;
  return { scale, values: valuesAt(block, slotOf(n) * stride(dimensions), dimensions).slice() };
};

const withoutEmptyEnd = (block: Uint8Array, dimensions: number): Uint8Array => {
  let slots = block.byteLength / stride(dimensions);
  while (slots > 0 && scaleAt(block, dimensions, slots - 1) === 0) slots -= 1;
  return block.subarray(0, slots * stride(dimensions));
};

export interface SlotChange {
  readonly n: number;
  /** Null: the slot becomes empty. */
  readonly vector: Quantised | null;
}

/** Returns a new block with the changes; the given block is not modified. */
export const changeBlock = (
  block: Uint8Array | null,
  dimensions: number,
  changes: readonly SlotChange[],
): Uint8Array => {
  const size = stride(dimensions);
  const last = Math.max(...changes.map((change) => slotOf(change.n)));
  const changed = new Uint8Array(Math.max(block?.byteLength ?? 0, (last + 1) * size));
  if (block) changed.set(block);
  for (const { n, vector } of changes) {
    const at = slotOf(n) * size;
    viewOf(changed).setFloat32(at, vector?.scale ?? 0, true);
    const values = valuesAt(changed, at, dimensions);
    if (vector) values.set(vector.values);
    else values.fill(0);
  }
  return withoutEmptyEnd(changed, dimensions);
};

export const dequantise = ({ scale, values }: Quantised): Float32Array => {
  const vector = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) vector[i] = (values[i] as number) * scale;
  return vector;
};

export const floatBytes = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** Copied, because bytes from a database need not be aligned. */
export const bytesToFloats = (bytes: Uint8Array): Float32Array => {
  const copy = bytes.slice();
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
};
