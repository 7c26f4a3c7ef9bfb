// Reads a static model: vectors of tokens, in a safetensors file. A text has the mean of its tokens. Smaller files hold
// fewer vectors than tokens, as small numbers: `mapping` names the vector of each token, `weights` how much the token counts.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { EncodeTokens } from './commands.ts';

/** The length of the header stands in eight bytes before it. */
const LENGTH_BYTES = 8;
const LONGEST_HEADER = 1_000_000;

const tensor = z.object({
  dtype: z.string(),
  shape: z.array(z.int()),
  data_offsets: z.tuple([z.int(), z.int()]),
});
type Tensor = z.infer<typeof tensor>;

interface NumberKind {
  readonly bytes: number;
  read(data: DataView, at: number): number;
}

/** Ten bits after the point, five of exponent. */
const halfFloat = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return (sign * fraction) / 2 ** 24;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
};

/** The kinds of numbers in static models, by their names in safetensors. */
const NUMBERS: Readonly<Record<string, NumberKind>> = {
  F64: { bytes: 8, read: (data, at) => data.getFloat64(at, true) },
  F32: { bytes: 4, read: (data, at) => data.getFloat32(at, true) },
  F16: { bytes: 2, read: (data, at) => halfFloat(data.getUint16(at, true)) },
  I8: { bytes: 1, read: (data, at) => data.getInt8(at) },
  I64: { bytes: 8, read: (data, at) => Number(data.getBigInt64(at, true)) },
  I32: { bytes: 4, read: (data, at) => data.getInt32(at, true) },
};

const DAMAGED = 'The file of the static model is no safetensors file, or it is cut.';

interface TensorFile {
  readonly tensors: ReadonlyMap<string, Tensor>;
  /** Null: it holds numbers of a kind that no static model has. */
  numbers(tensor: Tensor): Float32Array | null;
}

const openTensors = (path: string): TensorFile => {
  const file = readFileSync(path);
  const length = file.length < LENGTH_BYTES ? 0 : Number(file.readBigUInt64LE(0));
  const end = LENGTH_BYTES + length;
  if (length === 0 || length > LONGEST_HEADER || end > file.length) throw new Error(DAMAGED);
  const header = JSON.parse(file.toString('utf8', LENGTH_BYTES, end)) as Record<string, unknown>;
  const tensors = Object.entries(header).flatMap(([name, value]) => {
    const found = tensor.safeParse(value);
    return found.success ? [[name, found.data] as const] : [];
  });
  return {
    tensors: new Map(tensors),
    numbers({ dtype, shape, data_offsets: [from, to] }) {
      const kind = NUMBERS[dtype];
      if (kind === undefined) return null;
      const count = shape.reduce((product, size) => product * size, 1);
      if (to - from !== count * kind.bytes || end + to > file.length) throw new Error(DAMAGED);
      const data = new DataView(file.buffer, file.byteOffset + end + from, to - from);
      const values = new Float32Array(count);
      for (let at = 0; at < count; at++) values[at] = kind.read(data, at * kind.bytes);
      return values;
    },
  };
};

interface TokenVectors {
  readonly vectors: Float32Array;
  /** The place of a token's vector; null: the number of the token. */
  readonly mapping: Float32Array | null;
  /** Null: every token counts the same. */
  readonly weights: Float32Array | null;
}

const readTokenVectors = (path: string, dimensions: number): TokenVectors => {
  const { tensors, numbers } = openTensors(path);
  const named = (name: string): Float32Array | null => {
    const found = tensors.get(name);
    return found?.shape.length === 1 ? numbers(found) : null;
  };
  const table = [...tensors.values()].find(({ shape }) => shape.length === 2 && shape[1] === dimensions);
  const vectors = table === undefined ? null : numbers(table);
  if (vectors === null)
    throw new Error(
      `The file of the static model holds no vectors of ${dimensions} dimensions as numbers of 8, 16, 32 or 64 bits.`,
    );
  return { vectors, mapping: named('mapping'), weights: named('weights') };
};

export const loadStaticVectors = (path: string, dimensions: number): EncodeTokens => {
  const { vectors, mapping, weights } = readTokenVectors(path, dimensions);
  const meanOf = (tokens: readonly number[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const token of tokens) {
      const from = (mapping === null ? token : (mapping[token] ?? token)) * dimensions;
      const weight = weights === null ? 1 : (weights[token] ?? 1);
      for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + weight * (vectors[from + at] ?? 0);
    }
    return sum;
  };
  return async (texts) => texts.map(meanOf);
};
