// Runs an installed cross-encoder: it reads a query together with each text, and gives a score.
import { join } from 'node:path';
import { type InstalledModel, pathOfModel } from '../../../lib/models/model-folder.ts';
import { loadOnnxModel } from '../../../lib/models/onnx-model.ts';
import { openTokenizer, runtimeIn, type Tensor } from '../../../lib/models/runtime.ts';
import { stepsByLength } from '../../../lib/models/token-steps.ts';
import type { RerankThreadData } from './commands.ts';
import { createPairEncoder } from './pair-tokens.ts';

export interface CrossEncoder {
  /** One score for each text, in their order. `paused` is awaited between two steps. */
  score(query: string, texts: readonly string[], paused: () => Promise<void>): Promise<number[]>;
}

/** One output is the relevance; of two, the first means no and the second yes. */
const relevanceOf = ([first = 0, second]: Float32Array): number =>
  second === undefined ? first : second - first;

const scoresOfOutput = (output: Tensor | undefined, count: number, name: string): number[] => {
  const labels = (output?.data.length ?? 0) / count;
  if (output === undefined || (labels !== 1 && labels !== 2))
    throw new Error(`The model ${name} gives no score for each text: its row does not fit its files.`);
  const scores = Array.from({ length: count }, (_, at) =>
    relevanceOf(output.data.subarray(at * labels, (at + 1) * labels)),
  );
  if (scores.every(Number.isFinite)) return scores;
  throw new Error(`The model ${name} gives a score that is no number: its files are damaged.`);
};

export const openCrossEncoder = async (
  { row }: InstalledModel<'reranking'>,
  { folder, threads, batchTokens }: RerankThreadData,
): Promise<CrossEncoder> => {
  const pairsOf = createPairEncoder(openTokenizer(folder, row), row.mostTokens);
  const weights = join(pathOfModel(folder, row.name), row.files.weights);
  const run = await loadOnnxModel({ runtime: runtimeIn(folder), weights, threads });
  return {
    async score(query, texts, paused) {
      const pairs = texts.map(pairsOf(query));
      const lengths = pairs.map(({ ids }) => ids.length);
      const scores = new Array<number>(texts.length).fill(0);
      for (const step of stepsByLength(lengths, batchTokens)) {
        const { output } = await run(step.flatMap((at) => pairs.slice(at, at + 1)));
        for (const [place, score] of scoresOfOutput(output, step.length, row.name).entries())
          scores[step[place] ?? 0] = score;
        await paused();
      }
      return scores;
    },
  };
};
