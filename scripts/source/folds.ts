// Parts of labelled examples: a model is judged on groups that it was not trained on.
import { createHash } from 'node:crypto';
import { probabilityBy } from '../../server/domain/memories/rules/boosted-trees.ts';
import { type Boosting, boost, type Case } from './boosting.ts';

const FOLDS = 6;

const foldOf = (group: string): number => (createHash('sha256').update(group).digest()[0] ?? 0) % FOLDS;

export interface Judged<Example> {
  readonly example: Example;
  readonly chance: number;
}

export const judgeFolds = <Example extends Case & { readonly group: string }>(
  examples: readonly Example[],
  options: Boosting,
): Judged<Example>[] =>
  Array.from({ length: FOLDS }, (_, fold) => {
    const isJudged = ({ group }: Example): boolean => foldOf(group) === fold;
    const model = boost(
      examples.filter((example) => !isJudged(example)),
      options,
    );
    return examples
      .filter(isJudged)
      .map((example) => ({ example, chance: probabilityBy(model, example.row) }));
  }).flat();
