// Runs an installed model: tokens, one vector for each text.
import { join } from 'node:path';
import { type InstalledModel, pathOfModel } from '../../../lib/models/model-folder.ts';
import { openTokenizer, runtimeIn } from '../../../lib/models/runtime.ts';
import { stepsByLength } from '../../../lib/models/token-steps.ts';
import { unitLength } from '../unit-length.ts';
import type { EncodeTokens, ModelThreadData } from './commands.ts';
import { loadStaticVectors } from './static-vectors.ts';
import { loadTransformer } from './transformer.ts';

export interface TextModel {
  /** Unit-length vectors, in order. `paused` is awaited between two steps. */
  embed(texts: readonly string[], paused: () => Promise<void>): Promise<Float32Array[]>;
}

/** The last token of a whole text is the mark of its end, which a cut text keeps. */
const cutTokens = (ids: readonly number[], most: number): readonly number[] =>
  ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) ?? 0];

const firstDirection = (dimensions: number): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[0] = 1;
  return vector;
};

export const openTextModel = async (
  { row }: InstalledModel<'embedding'>,
  { folder, threads, batchTokens }: ModelThreadData,
): Promise<TextModel> => {
  const weights = join(pathOfModel(folder, row.name), row.files.weights);
  const tokenizer = openTokenizer(folder, row);
  const encode: EncodeTokens =
    row.kind === 'static'
      ? loadStaticVectors(weights, row.dimensions)
      : await loadTransformer({ runtime: runtimeIn(folder), weights, row, threads });
  return {
    async embed(texts, paused) {
      const tokens = texts.map((text) => cutTokens(tokenizer.encode(text).ids, row.mostTokens));
      const vectors = new Array<Float32Array>(texts.length);
      const lengths = tokens.map(({ length }) => length);
      for (const step of stepsByLength(lengths, batchTokens)) {
        const found = await encode(step.map((at) => tokens[at] ?? []));
        for (const [place, at] of step.entries()) {
          const vector = found[place];
          // A text without a known token has no direction of its own.
          vectors[at] = (vector && unitLength(vector)) ?? firstDirection(row.dimensions);
        }
        await paused();
      }
      return vectors;
    },
  };
};
