// Tests of the rule of change: a later value replaces an earlier one of the same attribute, and nothing else.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { play } from '../../../memories/book.ts';
import { readSet } from '../../../memories/sets.ts';

const pairs = z.array(z.tuple([z.string(), z.string()]));
const file = new URL('sentences/changes.json', import.meta.url);
const { replaces, leaves } = z
  .strictObject({ replaces: pairs, leaves: pairs })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

const reader = createRulesReader();

/** The replacements after the user said the second text half a year after the first. */
const updates = async (first: string, second: string) => {
  const { links } = await play(
    {
      id: 'change',
      category: 'changed',
      steps: [
        { add: 'a', date: '2026-01-10', turns: [['user', first]] },
        { add: 'b', date: '2026-06-10', turns: [['user', second]] },
      ],
      facts: [],
    },
    reader,
  );
  return links
    .filter(({ kind }) => kind === 'updates')
    .map(({ from, to }) => ({ by: from.memory, replaced: to.memory }));
};

const replacedBy = async (first: string, second: string): Promise<string[]> =>
  (await updates(first, second)).map(({ replaced }) => replaced);

test.each(replaces)('%s – %s replaces it', async (first, second) => {
  expect(await replacedBy(first, second)).toHaveLength(1);
});

test.each(leaves)('%s – %s leaves it', async (first, second) => {
  expect(await replacedBy(first, second)).toEqual([]);
});

test.each([
  [
    'Sister Agnes is the ward manager.',
    'Sister Agnes retired on Friday. Sister Flora is the ward manager now.',
    'Sister Flora is the ward manager now',
  ],
  [
    'My boss is called Tom.',
    'Tom has left the company. My boss is called Ruth now.',
    "The user's boss is called Ruth now",
  ],
  [
    'Mr Ashworth looks after the keys.',
    'Mr Ashworth has moved away. Ms Rahman looks after the keys now.',
    'Ms Rahman looks after the keys now',
  ],
  ['I work at the sawmill.', 'I quit the sawmill. I drive a school bus.', 'The user drives a school bus'],
  ['I drive a Golf.', 'I sold the Golf and bought a cargo bike.', 'The user bought a cargo bike'],
])('%s – %s: the new value replaces it, and not the end that was said before', async (first, second, by) => {
  expect(await updates(first, second)).toEqual([
    {
      by,
      replaced: first
        .replace(/^My/, "The user's")
        .replace(/^I (\w+)/, 'The user $1s')
        .replace(/\.$/, ''),
    },
  ]);
});

test('an end alone replaces what ended', async () => {
  const made = await updates('I drive a Golf.', 'I sold the Golf last week. My sister has a parrot.');
  expect(made.map(({ by }) => by)).toEqual([expect.stringContaining('sold the Golf')]);
  const besides = await updates('I work at the sawmill.', 'I quit the sawmill. I am 58. I hate the noise.');
  expect(besides.map(({ by }) => by)).toEqual([expect.stringContaining('quit the sawmill')]);
});

test.each([
  ['My name is Priya.', 'I sold my red Skoda and drive a blue Toyota Yaris now.'],
  ['My name is Priya.', 'I use Neovim as my editor now.'],
  ['Ich heiße Klara.', 'I no longer take the bus.'],
])('%s – %s: only another name replaces the name of the user', async (first, second) => {
  expect(await replacedBy(first, second)).toEqual([]);
});

test('a statement replaces each other one once', async () => {
  const scenarios = readSet('eleventh').filter(({ facts }) => facts.some(({ state }) => state !== undefined));
  expect(scenarios.length).toBeGreaterThan(50);
  for (const scenario of scenarios) {
    const { links } = await play(scenario, reader);
    const pairs = links.map(({ kind, from, to }) => `${kind} ${from.id} – ${to.id}`);
    expect(pairs, scenario.id).toHaveLength(new Set(pairs).size);
  }
});
