// Tests of sums of small decision trees, and of their training.
import { expect, test } from 'vitest';
import { boost } from '../../../../scripts/source/boosting.ts';
import { probabilityBy } from '../../../../server/domain/memories/rules/boosted-trees.ts';

const model = {
  ...{ bias: 0, depth: 2 },
  splits: [
    [1, 0.5],
    [0, 2],
  ],
  trees: [[0, 1, -1, -3000, 1000, 4000, 0]],
};

test('a tree goes left where the feature is at most the limit, and an open node goes left', () => {
  const chance = (row: number[]): number => probabilityBy(model, row);
  const logistic = (score: number): number => 1 / (1 + Math.exp(-score));
  expect(chance([2, 0.5])).toBeCloseTo(logistic(-3));
  expect(chance([3, 0.5])).toBeCloseTo(logistic(1));
  expect(chance([3, 0.6])).toBeCloseTo(logistic(4));
});

test('trees learn what two features say together, and the same again in a second run', () => {
  const cases = Array.from({ length: 400 }, (_, at) => {
    const row = [at % 2, Math.floor(at / 2) % 2, (at * 7) % 5];
    return { row, isYes: row[0] === 1 && row[1] === 1, weight: 1 };
  });
  const options = { trees: 20, depth: 2, rate: 0.3, leastEvidence: 0.5, shrinkage: 1 };
  const trained = boost(cases, options);
  expect(probabilityBy(trained, [1, 1, 3])).toBeGreaterThan(0.9);
  expect(probabilityBy(trained, [1, 0, 3])).toBeLessThan(0.1);
  expect(probabilityBy(trained, [0, 1, 3])).toBeLessThan(0.1);
  expect(boost(cases, options)).toEqual(trained);
});
