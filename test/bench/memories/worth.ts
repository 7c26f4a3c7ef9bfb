// Single sentences of conversations and notes: of those that deserve a memory and of those that do not, how many become one.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createRulesReader } from '../../../server/domain/memories/rules/reader.ts';
import { play } from '../../memories/book.ts';
import { percent, turnOf } from './said.ts';

const sentences = z.array(z.strictObject({ said: z.string(), keep: z.boolean() }));

export const measureWorth = async (details: boolean): Promise<void> => {
  const file = new URL('../../memories/worth/sentences.json', import.meta.url);
  const all = sentences.parse(JSON.parse(readFileSync(file, 'utf8')));
  const reader = createRulesReader();
  const counts = { kept: 0, noise: 0 };
  for (const { said, keep } of all) {
    const step = { add: 'a', date: '2025-01-10', turns: [turnOf(said)] };
    const { everDrawn } = await play({ id: 'one', category: 'chat', facts: [], steps: [step] }, reader);
    if (everDrawn.length > 0) counts[keep ? 'kept' : 'noise']++;
    if (details && everDrawn.length > 0 !== keep) console.log(`${keep ? 'lost' : 'noise'}: ${said}`);
  }
  const worth = all.filter(({ keep }) => keep).length;
  console.log(`\nsentences: ${all.length}`);
  console.log(`worth a memory, kept       ${percent(counts.kept, worth)}`);
  console.log(`not worth one, kept        ${percent(counts.noise, all.length - worth)}`);
};
