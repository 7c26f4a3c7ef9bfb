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

const isReplaced = async (pair: readonly string[]): Promise<boolean> => {
  const steps = pair.map((said, at) => ({
    add: `${at}`,
    date: `2025-0${at + 1}-10`,
    turns: [turnOf(said)],
  }));
  const { links } = await play({ id: 'pair', category: 'changed', facts: [], steps }, reader);
  return links.some(({ kind }) => kind === 'updates');
};

const shareReplaced = async (all: z.output<typeof pairs>): Promise<number> => {
  const replaced = await Promise.all(all.map(isReplaced));
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
