// Runs a transformer in ONNX form, on the processor.
import type { ModelRow } from '../../../lib/models/model-row.ts';
import type { ModelRuntime } from '../../../lib/models/runtime.ts';
import type { EncodeTokens } from './commands.ts';

interface Transformer {
  readonly runtime: ModelRuntime;
  readonly weights: string;
  readonly row: ModelRow;
  readonly threads: number;
}

interface Batch {
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
  readonly width: number;
}

/** Texts side by side, each filled up to the longest. */
const batchOf = (texts: readonly (readonly number[])[]): Batch => {
  const width = Math.max(1, ...texts.map(({ length }) => length));
  const ids = new BigInt64Array(texts.length * width);
  const mask = new BigInt64Array(texts.length * width);
  for (const [row, tokens] of texts.entries())
    for (const [at, token] of tokens.entries()) {
      ids[row * width + at] = BigInt(token);
      mask[row * width + at] = 1n;
    }
  return { ids, mask, width };
};

/** `output`: a vector for each token, text after text. */
const pooledVector = (
  output: Float32Array,
  start: number,
  tokens: number,
  { dimensions, pooling }: ModelRow,
): Float32Array => {
  const counted = pooling === 'first' ? 1 : tokens;
  const vector = new Float32Array(dimensions);
  for (let token = 0; token < counted; token++) {
    const from = start + token * dimensions;
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + (output[from + at] ?? 0);
  }
  return vector;
};

export const loadTransformer = async ({
  runtime,
  weights,
  row,
  threads,
}: Transformer): Promise<EncodeTokens> => {
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
  return async (texts) => {
    const { ids, mask, width } = batchOf(texts);
    const shape = [texts.length, width];
    const feeds = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    };
    const known = Object.entries(feeds).filter(([name]) => wanted.has(name));
    const output = (await session.run(Object.fromEntries(known)))[outputName];
    const found = output?.dims.at(-1);
    if (output === undefined || output.dims.length !== 3 || found !== row.dimensions)
      throw new Error(
        `The model ${row.name} gives vectors of ${found ?? 0} dimensions and not of ${row.dimensions}: its row does not fit its files.`,
      );
    return texts.map((tokens, at) =>
      pooledVector(output.data, at * width * row.dimensions, tokens.length, row),
    );
  };
};
