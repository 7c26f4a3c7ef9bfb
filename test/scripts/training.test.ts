// Tests of the training of the models that judge statements: the same examples give the same model.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { comparisonsOfWorld } from '../../scripts/replacing/examples.ts';
import { pairsAmongMore, rowsWithEvidence, STAGES } from '../../scripts/replacing/rows.ts';
import { markOfLasting, markOfReplacing } from '../../scripts/source/feature-marks.ts';
import { train } from '../../scripts/source/folds.ts';
import { trainWordWeights, type WordCase } from '../../scripts/source/word-weights.ts';
import { readWorlds } from '../../scripts/source/worlds.ts';
import { markOfWorth } from '../../scripts/worth/mark.ts';
import { evidenceBy } from '../../server/domain/memories/rules/word-weights.ts';

test('the same worlds give the same model, to the last digit', () => {
  const trained = (): string => {
    const worlds = readWorlds().slice(-6);
    const pairs = worlds.flatMap(comparisonsOfWorld).flatMap(pairsAmongMore);
    const boosting = { trees: 6, depth: 3, rate: 0.3, leastEvidence: 1, shrinkage: 1 };
    return JSON.stringify(train(pairs, { stages: STAGES, rows: rowsWithEvidence, boosting }));
  };
  const first = trained();
  expect(first).toContain('"trees":[[');
  expect(trained()).toBe(first);
});

const MARKS = [
  ['english/gate/worth-model.json', markOfWorth()],
  ['replacing/model.json', markOfReplacing()],
  ['english/lasting/lasting-model.json', markOfLasting()],
] as const;

test.each(MARKS)('%s was trained with the features of today', (file, mark) => {
  const path = new URL(`../../server/domain/memories/rules/${file}`, import.meta.url);
  const { features } = JSON.parse(readFileSync(path, 'utf8')) as { features?: string };
  // Otherwise: run the training scripts with --write, in the order of decision 12.
  expect(features).toBe(mark);
});

test('words of several texts are weighed, and words of one text are not', () => {
  const cases = ['a', 'b', 'c', 'd'].flatMap((group): WordCase[] => [
    { group, words: ['sold', `only-${group}`], isYes: true, weight: 1 },
    { group, words: ['visited', `only-${group}`], isYes: false, weight: 1 },
  ]);
  const weights = trainWordWeights(cases);
  expect(Object.keys(weights.words)).toEqual(['sold', 'visited']);
  const evidence = evidenceBy(weights);
  expect(evidence(['sold'])).toBeGreaterThan(0.5);
  expect(evidence(['visited'])).toBeLessThan(-0.5);
});
