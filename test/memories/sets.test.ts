// The labels of the scenarios that `npm run bench:memory` plays: what they name is there.
import { describe, expect, it } from 'vitest';
import { type BenchScenario, readSet, SETS } from './sets.ts';

const saidIn = ({ steps }: BenchScenario): string =>
  steps
    .flatMap((step) =>
      'add' in step ? [step.title ?? '', step.text ?? '', ...(step.turns ?? []).flat()] : [],
    )
    .join('\n')
    .toLowerCase();

const unknownNames = ({ facts, passages = [], relations = [], questions = [] }: BenchScenario): string[] => {
  const known = new Set([...facts, ...passages].map(({ id }) => id));
  const named = [...relations.flatMap(([from, , to]) => [from, to]), ...questions.map(([, id]) => id)];
  return named.filter((id) => !known.has(id));
};

const unsaidWords = (scenario: BenchScenario): string[] => {
  const said = saidIn(scenario);
  return [...scenario.facts, ...(scenario.passages ?? []), ...(scenario.optional ?? [])]
    .flatMap(({ says }) => says)
    .filter((choices) => !choices.split('|').some((choice) => said.includes(choice.toLowerCase())));
};

const LEAST = {
  first: 100,
  tuned: 100,
  second: 80,
  third: 150,
  fourth: 180,
  fifth: 120,
  further: 200,
  sixth: 80,
  eighth: 40,
  seventh: 200,
  ninth: 120,
  tenth: 160,
  eleventh: 100,
  twelfth: 100,
  thirteenth: 90,
  fourteenth: 90,
  fifteenth: 90,
  sixteenth: 90,
  seventeenth: 90,
  eighteenth: 100,
  nineteenth: 90,
  'languages-changing': 80,
  'languages-changing-held': 75,
  twentieth: 90,
  'twenty-first': 90,
  'twenty-second-held': 90,
} as const;

describe.each(SETS)('the set %s', (name) => {
  const scenarios = readSet(name);

  it('there are enough scenarios, each with a name of its own', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(LEAST[name]);
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  });

  it('every relation and question names a labelled statement', () => {
    expect(scenarios.flatMap((one) => unknownNames(one).map((id) => `${one.id}: ${id}`))).toEqual([]);
  });

  it('every word of a label stands in what is sent', () => {
    expect(scenarios.flatMap((one) => unsaidWords(one).map((word) => `${one.id}: ${word}`))).toEqual([]);
  });

  it('what states nothing is sent without its marks', () => {
    expect(scenarios.filter((one) => /\{\{|\}\}/.test(saidIn(one))).map(({ id }) => id)).toEqual([]);
    expect(scenarios.flatMap(({ noise }) => noise).length).toBeGreaterThan(0);
  });
});
