// Reads a static model: one vector for each token, in a safetensors file. A text has the mean of its tokens.
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

const headerOf = (file: Buffer): { header: Record<string, unknown>; end: number } => {
  const length = file.length < LENGTH_BYTES ? 0 : Number(file.readBigUInt64LE(0));
  const end = LENGTH_BYTES + length;
  if (length === 0 || length > LONGEST_HEADER || end > file.length)
    throw new Error('The file of the static model is no safetensors file, or it is cut.');
  return { header: JSON.parse(file.toString('utf8', LENGTH_BYTES, end)) as Record<string, unknown>, end };
};

const readVectorFile = (path: string, dimensions: number): Float32Array => {
  const file = readFileSync(path);
  const { header, end } = headerOf(file);
  for (const value of Object.values(header)) {
    const found = tensor.safeParse(value);
    if (!found.success || found.data.dtype !== 'F32') continue;
    const { shape, data_offsets: offsets } = found.data;
    if (shape.length !== 2 || shape[1] !== dimensions) continue;
    const bytes = file.subarray(end + offsets[0], end + offsets[1]);
    if (bytes.length !== (shape[0] ?? 0) * dimensions * 4) break;
    // A copy, because numbers of four bytes need an aligned beginning.
    return new Float32Array(Uint8Array.from(bytes).buffer);
  }
  throw new Error(
    `The file of the static model holds no vectors of ${dimensions} dimensions as 32-bit numbers.`,
  );
};

export const loadStaticVectors = (path: string, dimensions: number): EncodeTokens => {
  const vectors = readVectorFile(path, dimensions);
  return async (texts) =>
    texts.map((tokens) => {
      const sum = new Float32Array(dimensions);
      for (const token of tokens) {
        const from = token * dimensions;
        for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + (vectors[from + at] ?? 0);
      }
      return sum;
    });
};
