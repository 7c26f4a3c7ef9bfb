// Runs an installed model: tokens, one vector for each text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledModel, pathOfModel } from '../../../lib/models/model-folder.ts';
import type { ModelRow } from '../../../lib/models/model-row.ts';
import { runtimeIn, type Tokenizer } from '../../../lib/models/runtime.ts';
import { unitLength } from '../unit-length.ts';
import type { EncodeTokens, ModelThreadData } from './commands.ts';
import { loadStaticVectors } from './static-vectors.ts';
import { loadTransformer } from './transformer.ts';

export interface TextModel {
  /** Unit-length vectors, in order. `paused` is awaited between two steps. */
  embed(texts: readonly string[], paused: () => Promise<void>): Promise<Float32Array[]>;
}

const MOST_TEXTS_PER_STEP = 32;

/** The last token of a whole text is the mark of its end, which a cut text keeps. */
const cutTokens = (ids: readonly number[], most: number): readonly number[] =>
  ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) ?? 0];

const firstDirection = (dimensions: number): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[0] = 1;
  return vector;
};

/** Texts of similar length go together, because a step costs its longest text times their number. */
const stepsOf = (tokens: readonly (readonly number[])[], most: number): number[][] => {
  const byLength = tokens.map((_, at) => at).sort((a, b) => lengthAt(tokens, a) - lengthAt(tokens, b));
  const steps: number[][] = [];
  let step: number[] = [];
  for (const at of byLength) {
    const cost = lengthAt(tokens, at) * (step.length + 1);
    if (step.length > 0 && (step.length >= MOST_TEXTS_PER_STEP || cost > most)) {
      steps.push(step);
      step = [];
    }
    step.push(at);
  }
  return step.length > 0 ? [...steps, step] : steps;
};

const lengthAt = (tokens: readonly (readonly number[])[], at: number): number => tokens[at]?.length ?? 0;

const openTokenizer = (folder: string, { name, files }: ModelRow): Tokenizer => {
  const path = join(pathOfModel(folder, name), files.tokenizer);
  const { Tokenizer } = runtimeIn(folder).tokenizers();
  return new Tokenizer(JSON.parse(readFileSync(path, 'utf8')) as object, {});
};

export const openTextModel = async (
  { row }: InstalledModel,
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
      for (const step of stepsOf(tokens, batchTokens)) {
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
