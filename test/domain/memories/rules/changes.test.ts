// Tests of the rule of change: a later value replaces an earlier one of the same attribute, and nothing else.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { play } from '../../../memories/book.ts';

const pairs = z.array(z.tuple([z.string(), z.string()]));
const file = new URL('sentences/changes.json', import.meta.url);
const { replaces, leaves } = z
  .strictObject({ replaces: pairs, leaves: pairs })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

const reader = createRulesReader();

/** The memories that were replaced when the user said the second sentence half a year after the first. */
const replacedBy = async (first: string, second: string): Promise<string[]> => {
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
  return links.filter(({ kind }) => kind === 'updates').map(({ to }) => to.memory);
};

test.each(replaces)('%s – %s replaces it', async (first, second) => {
  expect(await replacedBy(first, second)).toHaveLength(1);
});

test.each(leaves)('%s – %s leaves it', async (first, second) => {
  expect(await replacedBy(first, second)).toEqual([]);
});
