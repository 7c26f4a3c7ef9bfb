// Pairs of statements written before the general comparison; the rules were not fitted to the unseen half.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { play } from '../../../memories/book.ts';

const pairs = z.array(z.tuple([z.string(), z.string()]));
const half = z.strictObject({ updates: pairs, stays: pairs });
const file = new URL('sentences/changed-values.json', import.meta.url);
const { seen, unseen } = z
  .strictObject({ seen: half, unseen: half })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

const reader = createRulesReader();

/** "Greta: I teach yoga" is Greta's, anything else is the user's. */
const turnOf = (said: string): [string, string] => {
  const { who, what } = /^(?<who>\p{Lu}\p{Ll}+): (?<what>.+)$/u.exec(said)?.groups ?? {};
  return who && what ? [who, what] : ['user', said];
};

/** `others`: what the same people said before. */
const isReplaced = async (pair: readonly string[], others: readonly string[] = []): Promise<boolean> => {
  const steps = pair.map((said, at) => ({
    add: `${at}`,
    date: `2025-0${at + 1}-10`,
    turns: [...(at === 0 ? others : []), said].map(turnOf),
  }));
  const { links } = await play({ id: 'pair', category: 'changed', facts: [], steps }, reader);
  return links.some(({ kind }) => kind === 'updates');
};

const shareReplaced = async (
  all: z.output<typeof pairs>,
  others: readonly string[] = [],
): Promise<number> => {
  const replaced = await Promise.all(all.map((pair) => isReplaced(pair, others)));
  return replaced.filter(Boolean).length / all.length;
};

/** The least shares that are read as meant today; they may rise, and are then written here. */
describe.each([
  { name: 'seen', set: seen, updates: 0.55 },
  { name: 'unseen', set: unseen, updates: 0.25 },
])('of the $name half', ({ set, updates }) => {
  test('a later statement replaces the earlier one that it changes', async () => {
    expect(await shareReplaced(set.updates)).toBeGreaterThanOrEqual(updates);
  });
  test('a statement that can stand beside the earlier one leaves it', async () => {
    expect(await shareReplaced(set.stays)).toBe(0);
  });
});

const OTHERS = [
  ...['I like dark chocolate.', 'My aunt Nele is a dentist.', 'I own a green bicycle.', 'I speak Danish.'],
  ...['I collect old maps.', 'My doctor is Dr. Sommer.', 'I swim on Fridays.', 'I have a piano.'],
  ...['I grew up on a farm.', 'My father is a carpenter.', 'I hate early flights.', 'I wear glasses.'],
];

test('a change needs more certainty where many earlier statements are about the same person', async () => {
  const own = unseen.updates.filter((pair) => turnOf(pair[0])[0] === 'user');
  const [alone, amongMany] = [await shareReplaced(own), await shareReplaced(own, OTHERS)];
  expect(amongMany).toBeLessThan(alone);
  expect(amongMany).toBeGreaterThan(0);
});
