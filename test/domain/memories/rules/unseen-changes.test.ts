// Facts, small talk and changes that were written before the rules for them; the second half was never tuned on.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { type Book, play } from '../../../memories/book.ts';

const half = z.strictObject({
  facts: z.array(z.string()),
  chatter: z.array(z.string()),
  changes: z.array(z.tuple([z.string(), z.string()])),
  stays: z.array(z.tuple([z.string(), z.string()])),
});
const file = new URL('sentences/changes-and-chatter.json', import.meta.url);
const { first, second } = z
  .strictObject({ first: half, second: half })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

const reader = createRulesReader();

const bookOf = (sentences: readonly string[]): Promise<Book> =>
  play(
    {
      id: 'sentences',
      category: 'chat',
      facts: [],
      steps: sentences.map((said, at) => ({
        add: `${at}`,
        date: `2025-0${at + 1}-10`,
        turns: [['user', said]],
      })),
    },
    reader,
  );

const shareOf = async <T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<number> => {
  const held = await Promise.all(all.map(holds));
  return held.filter(Boolean).length / all.length;
};
const isRemembered = async (said: string): Promise<boolean> => (await bookOf([said])).rows.length > 0;
const isReplaced = async (pair: readonly string[]): Promise<boolean> =>
  (await bookOf(pair)).links.some(({ kind }) => kind === 'updates');

/** The least shares that are read as meant today; they may rise, and are then written here. */
describe.each([
  { name: 'first', set: first, facts: 1, chatter: 0.05, changes: 0.8 },
  { name: 'second', set: second, facts: 0.8, chatter: 0.05, changes: 0.45 },
])('of the $name half', ({ set, facts, chatter, changes }) => {
  test('facts are remembered', async () => {
    expect(await shareOf(set.facts, isRemembered)).toBeGreaterThanOrEqual(facts);
  });
  test('small talk is not', async () => {
    expect(await shareOf(set.chatter, isRemembered)).toBeLessThanOrEqual(chatter);
  });
  test('a later value replaces the earlier one', async () => {
    expect(await shareOf(set.changes, isReplaced)).toBeGreaterThanOrEqual(changes);
  });
  test('what can stand beside it is left', async () => {
    expect(await shareOf(set.stays, isReplaced)).toBe(0);
  });
});
