// Pairs of statements: the changes that the reader finds, and those that it finds where there is none.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createRulesReader } from '../../../server/domain/memories/rules/reader.ts';
import { play } from '../../memories/book.ts';
import type { Scenario } from '../../memories/scenario.ts';
import { percent, turnOf } from './said.ts';

const pairs = z.array(z.strictObject({ before: z.string(), after: z.string(), change: z.boolean() }));
type Pair = z.output<typeof pairs>[number];

const SEEN = ['home', 'work', 'projects'];
const HELD = ['held'];
const DATES = ['2025-01-10', '2025-02-10'];

const readPairs = (name: string): Pair[] =>
  pairs.parse(
    JSON.parse(readFileSync(new URL(`../../memories/pairs/${name}.json`, import.meta.url), 'utf8')),
  );

const scenarioOf = ({ before, after }: Pair): Scenario => ({
  id: 'pair',
  category: 'changed',
  facts: [],
  steps: [before, after].map((text, at) => ({
    add: `${at}`,
    date: DATES[at] ?? '',
    turns: [turnOf(text)],
  })),
});

export const measurePairs = async (half: 'seen' | 'held', details: boolean): Promise<void> => {
  const reader = createRulesReader();
  for (const name of half === 'held' ? HELD : SEEN) {
    const all = readPairs(name);
    const counts = { found: 0, wrong: 0, drawn: 0 };
    for (const pair of all) {
      const { links, everDrawn } = await play(scenarioOf(pair), reader);
      const isFound = links.some(({ kind }) => kind === 'updates');
      if (isFound) counts[pair.change ? 'found' : 'wrong']++;
      if (pair.change && everDrawn.length > 1) counts.drawn++;
      if (details && isFound !== pair.change)
        console.log(`${pair.change ? 'missed' : 'wrong'}: ${pair.before} → ${pair.after}`);
    }
    const changes = all.filter(({ change }) => change).length;
    console.log(`\npairs, ${name}: ${all.length}`);
    console.log(`changes found           ${percent(counts.found, changes)}`);
    console.log(`both texts drawn        ${percent(counts.drawn, changes)}`);
    console.log(`of those found, right   ${percent(counts.found, counts.found + counts.wrong)}`);
  }
};
