// Tests the first finds of questions about people among a few memories, with the builtin embedder. The tuned half was looked at while
// the weights were chosen; the held half gives its figures only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenSearch, openSearch } from './open.ts';

interface AskedWorld {
  world: string;
  /** By name. */
  memories: Record<string, string>;
  /** The name of the memory that answers. */
  questions: Record<string, string>;
}

let open: OpenSearch;
beforeAll(async () => {
  open = await openSearch();
});
afterAll(() => open[Symbol.asyncDispose]());

const FOLDER = join(import.meta.dirname, '../../memories/asking');

const readHalf = (half: string): AskedWorld[] =>
  JSON.parse(readFileSync(join(FOLDER, `${half}.json`), 'utf8'));

it.each(['tuned', 'held'])('of the %s questions most find their answer first, and show it', async (half) => {
  const answers: { first: boolean; shown: boolean }[] = [];
  for (const { world, memories, questions } of readHalf(half)) {
    const tag = `${half} ${world}`;
    await open.remember(
      tag,
      Object.entries(memories).map(([name, memory]) => ({ memory, metadata: { name } })),
    );
    for (const [question, name] of Object.entries(questions)) {
      const { results } = await open
        .searching()([tag])
        .memories(question, { searchMode: 'memories', limit: 5 });
      const at = results.findIndex(({ metadata }) => metadata?.name === name);
      answers.push({ first: at === 0, shown: (results[at]?.similarity ?? 0) >= 0.6 });
    }
  }
  expect(answers).toHaveLength(24);
  const figures = [answers.filter(({ first }) => first).length, answers.filter(({ shown }) => shown).length];
  expect(figures[0], `first and shown: ${figures.join(', ')}`).toBeGreaterThanOrEqual(21);
  expect(figures[1], `first and shown: ${figures.join(', ')}`).toBeGreaterThanOrEqual(20);
});
