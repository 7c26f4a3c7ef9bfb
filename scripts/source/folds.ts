// Parts of labelled examples: a model is judged on groups that it was not trained on.
import { createHash } from 'node:crypto';
import { type BoostedTrees, probabilityBy } from '../../server/domain/memories/rules/boosted-trees.ts';
import { evidenceBy, type WordWeights } from '../../server/domain/memories/rules/word-weights.ts';
import { type Boosting, boost, type Case } from './boosting.ts';
import { trainWordWeights, type WordCase } from './word-weights.ts';

export interface Example extends Case {
  readonly group: string;
}

/** The purpose and the place of weighed words: their evidence is a further feature of the trees. */
export interface Stage<One extends Example> {
  readonly cases: (examples: readonly One[]) => WordCase[];
  readonly words: (example: One) => readonly string[];
}

export interface StagedModel {
  readonly words: readonly WordWeights[];
  readonly trees: BoostedTrees;
}

export interface Staging<One extends Example> {
  readonly stages: readonly Stage<One>[];
  /** The rows that the trees see. `evidence`: of each stage for each example. */
  readonly rows: (
    examples: readonly One[],
    evidence: readonly (readonly number[])[],
  ) => (readonly number[])[];
  readonly boosting: Boosting;
}

const FOLDS = 6;
/** Evidence is learned from other groups than those that the trees see it for, or they would trust it too much. */
const INNER_FOLDS = 4;

const foldOf = (group: string, folds: number): number =>
  (createHash('sha256').update(`${folds} ${group}`).digest()[0] ?? 0) % folds;

const isIn =
  (fold: number, folds: number) =>
  ({ group }: Example): boolean =>
    foldOf(group, folds) === fold;

const rowsBy = <One extends Example>(
  words: readonly WordWeights[],
  examples: readonly One[],
  { stages, rows }: Staging<One>,
): (readonly number[])[] => {
  const evidence = words.map(evidenceBy);
  return rows(
    examples,
    stages.map((stage, at) => examples.map((example) => evidence[at]?.(stage.words(example)) ?? 0)),
  );
};

const weigh = <One extends Example>(examples: readonly One[], { stages }: Staging<One>): WordWeights[] =>
  stages.map(({ cases }) => trainWordWeights(cases(examples)));

export const train = <One extends Example>(examples: readonly One[], staging: Staging<One>): StagedModel => {
  const cases = Array.from({ length: INNER_FOLDS }, (_, fold) => {
    const isJudged = isIn(fold, INNER_FOLDS);
    const words = weigh(
      examples.filter((example) => !isJudged(example)),
      staging,
    );
    const judged = examples.filter(isJudged);
    return rowsBy(words, judged, staging).map((row, at) => ({ ...(judged[at] as One), row }));
  }).flat();
  return { words: weigh(examples, staging), trees: boost(cases, staging.boosting) };
};

export interface Judged<One> {
  readonly example: One;
  readonly chance: number;
}

export const judgeBy = <One extends Example>(
  { words, trees }: StagedModel,
  examples: readonly One[],
  staging: Staging<One>,
): Judged<One>[] =>
  rowsBy(words, examples, staging).map((row, at) => ({
    example: examples[at] as One,
    chance: probabilityBy(trees, row),
  }));

export const judgeFolds = <One extends Example>(
  examples: readonly One[],
  staging: Staging<One>,
): Judged<One>[] =>
  Array.from({ length: FOLDS }, (_, fold) => {
    const isJudged = isIn(fold, FOLDS);
    const model = train(
      examples.filter((example) => !isJudged(example)),
      staging,
    );
    return judgeBy(model, examples.filter(isJudged), staging);
  }).flat();
