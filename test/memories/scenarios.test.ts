import { describe, expect, it } from 'vitest';
import { createRulesReader } from '../../server/domain/memories/rules/reader.ts';
import { play } from './book.ts';
import { figures, judge, type Verdict } from './judge.ts';
import { readScenarios, type Scenario } from './scenario.ts';

const { tuned, heldOut } = readScenarios();
const reader = createRulesReader();

async function verdictsOf(scenarios: readonly Scenario[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const scenario of scenarios) verdicts.push(judge(scenario, await play(scenario, reader)));
  return verdicts;
}

/** The promises of the service about any set of scenarios. */
function keepsItsPromises(name: string, scenarios: readonly Scenario[]): void {
  describe(name, () => {
    it('the reader loses no stated fact, and remembers nothing that was not stated', async () => {
      const verdicts = await verdictsOf(scenarios);
      const wrong = verdicts.flatMap(({ id, problems }) =>
        problems
          .filter((problem) => / is lost$|^should not be/.test(problem))
          .map((problem) => `${id}: ${problem}`),
      );
      expect(wrong).toEqual([]);
    });

    it('the reader replaces what has changed and nothing else, and knows what lasts', async () => {
      const found = figures(await verdictsOf(scenarios));
      expect(found.updatesPrecision).toBeGreaterThanOrEqual(0.95);
      expect(found.updatesRecall).toBeGreaterThanOrEqual(0.8);
      expect(found.staticF1).toBeGreaterThanOrEqual(0.8);
      expect(found.memoriesPerFact).toBeLessThanOrEqual(1.3);
    });
  });
}

describe('without a model', () => {
  it('there are enough scenarios, a third of them unknown to whoever wrote the rules', () => {
    expect(tuned.length + heldOut.length).toBeGreaterThanOrEqual(60);
    expect(heldOut.length / (tuned.length + heldOut.length)).toBeGreaterThan(0.3);
    const ids = [...tuned, ...heldOut].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(tuned.map((scenario) => ({ id: scenario.id, category: scenario.category, scenario })))(
    'the scenario $id of $category ends as it promises',
    async ({ scenario }) => {
      expect(judge(scenario, await play(scenario, reader)).problems).toEqual([]);
    },
  );

  keepsItsPromises('the scenarios that the rules were made with', tuned);
  keepsItsPromises('the scenarios that were held out', heldOut);
});
