// Sends scenarios to the service and collects what it shows afterwards: each scenario has a container tag of its own.
import type { AddStep, ExpectedFact } from '../../memories/scenario.ts';
import type { BenchScenario } from '../../memories/sets.ts';
import { contentOf } from '../../memories/through-service.ts';
import type { Client } from '../retrieval/client.ts';
import type { Found, Known, MemoryClient, Profile } from './client.ts';

export interface Played {
  readonly scenario: BenchScenario;
  readonly known: Known;
  readonly profile: Profile;
  /** At default settings, for each question. */
  readonly answers: readonly (readonly Found[])[];
  /** All that is found with the words of each fact and passage, in hybrid mode. */
  readonly found: ReadonlyMap<string, readonly Found[]>;
  /** The memories that are found with the words of each fact: in hybrid mode a passage may stand for its memory. */
  readonly remembered: ReadonlyMap<string, readonly Found[]>;
}

export interface Service {
  readonly client: Client;
  readonly memories: MemoryClient;
}

const AT_ONCE = 12;
const FOUND = 20;

const inTurns = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const waiting = items.entries();
  const line = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return results;
};

const tagOf = ({ id }: BenchScenario): string => `bench-${id}`;

const addsOf = ({ id, steps }: BenchScenario): AddStep[] =>
  steps.flatMap((step) => {
    if ('add' in step) return [step];
    if ('now' in step) return [];
    throw new Error(`The scenario ${id} deletes or forgets, which the bench does not play.`);
  });

const send = async (client: Client, scenario: BenchScenario, step: AddStep): Promise<string> =>
  client.add(tagOf(scenario), {
    content: contentOf(step),
    customId: `${tagOf(scenario)}-${step.add}`,
    ...(step.title === undefined ? {} : { title: step.title }),
    metadata: step.date === undefined ? {} : { date: step.date },
  });

/** Sends the first documents of all scenarios, then the second, and so on: the order inside a scenario counts. */
const sendAll = async (client: Client, scenarios: readonly BenchScenario[]): Promise<void> => {
  const waves = scenarios.flatMap((scenario) =>
    addsOf(scenario).map((step, wave) => ({ scenario, step, wave })),
  );
  for (const wave of Map.groupBy(waves, (one) => one.wave).values())
    await client.done(await inTurns(wave, ({ scenario, step }) => send(client, scenario, step)));
};

type Labelled = Pick<ExpectedFact, 'id' | 'says'>;

const wordsOf = ({ says }: Labelled): string => says.map((choices) => choices.split('|')[0]).join(' ');

const look = async (memories: MemoryClient, scenario: BenchScenario): Promise<Played> => {
  const containerTag = tagOf(scenario);
  const { facts, passages = [], questions = [] } = scenario;
  const answers: Found[][] = [];
  for (const [q] of questions) answers.push(await memories.search({ q, containerTag }));
  const inMode = async (searchMode: string, of: readonly Labelled[]): Promise<Map<string, Found[]>> => {
    const found = new Map<string, Found[]>();
    for (const fact of of) {
      const asked = { containerTag, searchMode, threshold: 0, limit: FOUND };
      found.set(fact.id, await memories.search({ ...asked, q: wordsOf(fact) }));
    }
    return found;
  };
  const found = await inMode('hybrid', [...facts, ...passages]);
  const remembered = await inMode('memories', facts);
  const [known, profile] = [await memories.known(containerTag), await memories.profile(containerTag)];
  return { scenario, known, profile, answers, found, remembered };
};

export const play = async (
  { client, memories }: Service,
  scenarios: readonly BenchScenario[],
): Promise<Played[]> => {
  await sendAll(client, scenarios);
  return inTurns(scenarios, (scenario) => look(memories, scenario));
};
