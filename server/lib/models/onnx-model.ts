// Runs a transformer in ONNX form, on the processor.
import type { ModelRuntime, Tensor } from './runtime.ts';

export interface OnnxModel {
  readonly runtime: ModelRuntime;
  /** The path of the file. */
  readonly weights: string;
  /** The cores that one call may use. */
  readonly threads: number;
}

/** The tokens of a text, or of a pair of texts. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** The part of a pair that each token belongs to; left out: all tokens belong to one text. */
  readonly types?: readonly number[];
}

interface OnnxOutput {
  readonly output: Tensor | undefined;
  /** The tokens of the longest row: each row has so many places in the output. */
  readonly width: number;
}

export type RunTokens = (rows: readonly TokenRow[]) => Promise<OnnxOutput>;

interface Batch {
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
  readonly types: BigInt64Array;
  readonly width: number;
}

/** Rows side by side, each filled up to the longest. */
const batchOf = (rows: readonly TokenRow[]): Batch => {
  const width = Math.max(1, ...rows.map(({ ids }) => ids.length));
  const ids = new BigInt64Array(rows.length * width);
  const mask = new BigInt64Array(rows.length * width);
  const types = new BigInt64Array(rows.length * width);
  for (const [row, tokens] of rows.entries())
    for (const [at, token] of tokens.ids.entries()) {
      ids[row * width + at] = BigInt(token);
      mask[row * width + at] = 1n;
      types[row * width + at] = BigInt(tokens.types?.[at] ?? 0);
    }
  return { ids, mask, types, width };
};

export const loadOnnxModel = async ({ runtime, weights, threads }: OnnxModel): Promise<RunTokens> => {
  const { InferenceSession, Tensor } = runtime.onnx();
  const session = await InferenceSession.create(weights, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The arena would keep the memory of the longest batch for ever.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  const wanted = new Set(session.inputNames);
  const [outputName = ''] = session.outputNames;
  return async (rows) => {
    const { ids, mask, types, width } = batchOf(rows);
    const shape = [rows.length, width];
    const feeds = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', types, shape),
    };
    const known = Object.entries(feeds).filter(([name]) => wanted.has(name));
    return { output: (await session.run(Object.fromEntries(known)))[outputName], width };
  };
};
