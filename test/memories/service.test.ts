// The scenarios through a running service: sent over REST, judged from what lists and searches show.
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnMemoir } from '../rest/support/use-memoir.ts';
import { figures, judge, type Verdict } from './judge.ts';
import { readScenarios, type Scenario } from './scenario.ts';
import { playThrough, searchProblems } from './through-service.ts';

const api = useOwnMemoir();

const { tuned, heldOut } = readScenarios();
/** Waiting for one another's documents costs more than working on them. */
const AT_ONCE = 12;

interface Played {
  readonly verdict: Verdict;
  readonly searched: readonly string[];
}

const played = new Map<string, Played>();

const play = async (scenario: Scenario): Promise<void> => {
  const book = await playThrough(api, scenario);
  const searched = await searchProblems(api, scenario, book);
  played.set(scenario.id, { verdict: judge(scenario, book), searched });
};

const playAll = async (scenarios: readonly Scenario[], atOnce: number): Promise<void> => {
  const waiting = scenarios.values();
  const line = async () => {
    for (const scenario of waiting) await play(scenario);
  };
  await Promise.all(Array.from({ length: atOnce }, line));
};

/** The wishes of the whole organisation about memories are one at a time. */
const isForAll = ({ guidance }: Scenario): boolean =>
  guidance !== undefined && Object.keys(guidance).some((key) => key !== 'entityContext');

const playGuided = async (scenario: Scenario): Promise<void> => {
  const { filterPrompt = null, includeItems = null, excludeItems = null } = scenario.guidance ?? {};
  const wanted = { shouldLLMFilter: true, filterPrompt, includeItems, excludeItems };
  expect((await api.ask('PATCH', '/v3/settings', wanted)).status).toBe(200);
  await play(scenario);
};

beforeAll(async () => {
  const all = [...tuned, ...heldOut];
  await playAll(
    all.filter((scenario) => !isForAll(scenario)),
    AT_ONCE,
  );
  for (const scenario of all.filter(isForAll)) await playGuided(scenario);
}, 240_000);

const playedOf = (scenarios: readonly Scenario[]): Played[] =>
  scenarios.flatMap(({ id }) => played.get(id) ?? []);

describe.each([
  ['the scenarios that the rules were made with', tuned],
  ['the scenarios that were held out', heldOut],
])('%s, through the service', (_, scenarios) => {
  it('the scenarios lose no stated fact, and nothing is remembered that was not stated', () => {
    const wrong = playedOf(scenarios).flatMap(({ verdict: { id, problems } }) =>
      problems
        .filter((problem) => / is lost$|^should not be/.test(problem))
        .map((problem) => `${id}: ${problem}`),
    );
    expect(wrong).toEqual([]);
    expect(playedOf(scenarios)).toHaveLength(scenarios.length);
  });

  it('the scenarios replace what has changed and nothing else, and know what lasts', () => {
    const found = figures(playedOf(scenarios).map(({ verdict }) => verdict));
    expect(found.updatesPrecision).toBeGreaterThanOrEqual(0.95);
    expect(found.updatesRecall).toBeGreaterThanOrEqual(0.8);
    expect(found.staticF1).toBeGreaterThanOrEqual(0.8);
    expect(found.memoriesPerFact).toBeLessThanOrEqual(1.3);
  });

  it('what holds is found, and what no longer holds is not', () => {
    const wrong = playedOf(scenarios).flatMap(({ verdict: { id }, searched }) =>
      searched.map((problem) => `${id}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });
});

it('the scenarios that the rules were made with end exactly as they promise, through the service', () => {
  const wrong = playedOf(tuned).flatMap(({ verdict: { id, problems } }) =>
    problems.map((problem) => `${id}: ${problem}`),
  );
  expect(wrong).toEqual([]);
});
