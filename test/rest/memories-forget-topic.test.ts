// Forgetting by a topic, over labelled requests: what a person asked for goes, and nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { create, PATH, remembered } from './support/tell.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

interface ForgetRequest {
  id: string;
  kind: 'topic' | 'person' | 'both' | 'everything';
  query: string;
  /** The keys of the memories that should go. */
  forgets: string[];
}

interface World {
  world: string;
  memories: Record<string, string>;
  requests: ForgetRequest[];
}

/** `tuned`: the matching was made with them; `held`: written before it, and used for its figures only. */
const readWorlds = (half: 'tuned' | 'held'): World[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../memories/forgetting', `${half}.json`), 'utf8'));

interface Outcome {
  request: ForgetRequest;
  kept: string[];
  outside: string[];
}

const keysOf = ({ memories }: World, texts: readonly string[]): string[] =>
  Object.entries(memories).flatMap(([key, text]) => (texts.includes(text) ? [key] : []));

interface Named {
  id: string;
  memory: string;
}

const ask = (tag: string, query: string, dryRun: boolean) =>
  api.ask<{ candidates?: Named[]; forgotten?: Named[] }>('POST', `${PATH}/forget-matching`, {
    containerTag: tag,
    query,
    dryRun,
  });

const named = (memories: readonly Named[] | undefined) => memories?.map(({ id, memory }) => [id, memory]);

/** Each request has the memories of its world for itself; a real run has to do what its dry run showed. */
const playRequest = async (world: World, request: ForgetRequest): Promise<Outcome> => {
  const tag = api.newTag();
  await create(api, tag, Object.values(world.memories));
  const dry = await ask(tag, request.query, true);
  const real = await ask(tag, request.query, false);
  // A vector that has reached the index in between is compared more roughly: the last digits of a score may differ.
  expect(named(real.body.forgotten)).toEqual(named(dry.body.candidates));
  const gone = keysOf(world, real.body.forgotten?.map(({ memory }) => memory) ?? []);
  const left = await remembered(api, tag);
  expect(left.filter((text) => gone.some((key) => world.memories[key] === text))).toEqual([]);
  return {
    request,
    kept: request.forgets.filter((key) => !gone.includes(key)),
    outside: gone.filter((key) => !request.forgets.includes(key)),
  };
};

const playAll = async (half: 'tuned' | 'held'): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const world of readWorlds(half))
    for (const request of world.requests) outcomes.push(await playRequest(world, request));
  return outcomes;
};

describe.each(['tuned', 'held'] as const)('the %s requests', (half) => {
  verifies(
    'memories:forget-matching:topic',
    'forget what they name and nothing outside it',
    async () => {
      const outcomes = await playAll(half);
      expect(outcomes).toHaveLength(30);
      const outside = outcomes.filter((outcome) => outcome.outside.length > 0);
      expect(outside.map(({ request, outside: keys }) => [request.id, keys])).toEqual([]);
      const inside = outcomes.reduce((sum, { request }) => sum + request.forgets.length, 0);
      const kept = outcomes.flatMap(({ request, kept: keys }) => keys.map((key) => `${request.id}: ${key}`));
      expect(kept.length, kept.join('\n')).toBeLessThanOrEqual(0.1 * inside);
    },
    { timeoutMs: 120_000 },
  );
});

test('a topic finds its memories among hundreds of others', async () => {
  const tag = api.newTag();
  const others = Array.from({ length: 400 }, (_, at) => `Wanda rowed ${at + 3} kilometres on day ${at + 1}.`);
  for (let at = 0; at < others.length; at += 100) await create(api, tag, others.slice(at, at + 100));
  await create(api, tag, ['Wanda is allergic to nuts.', 'User lives in Zurich.']);
  const goneFor = async (query: string) =>
    (await ask(tag, query, true)).body.candidates?.map(({ memory }) => memory);
  expect(await goneFor('the nut allergy of Wanda')).toEqual(['Wanda is allergic to nuts.']);
  expect(await goneFor('forget my address')).toEqual(['User lives in Zurich.']);
});
