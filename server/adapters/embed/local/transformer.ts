// Makes vectors of texts with a transformer in ONNX form.
import type { EmbeddingRow } from '../../../lib/models/model-row.ts';
import { loadOnnxModel, type OnnxModel } from '../../../lib/models/onnx-model.ts';
import type { EncodeTokens } from './commands.ts';

interface Transformer extends OnnxModel {
  readonly row: EmbeddingRow;
}

/** `output`: a vector for each token, text after text. */
const pooledVector = (
  output: Float32Array,
  start: number,
  tokens: number,
  { dimensions, pooling }: EmbeddingRow,
): Float32Array => {
  const counted = pooling === 'first' ? 1 : tokens;
  const vector = new Float32Array(dimensions);
  for (let token = 0; token < counted; token++) {
    const from = start + token * dimensions;
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + (output[from + at] ?? 0);
  }
  return vector;
};

export const loadTransformer = async ({ row, ...model }: Transformer): Promise<EncodeTokens> => {
  const run = await loadOnnxModel(model);
  return async (texts) => {
    const { output, width } = await run(texts.map((ids) => ({ ids })));
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
