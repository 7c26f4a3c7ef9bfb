import { expect, test } from 'vitest';
import type { Search } from '../../../server/domain/search/search.ts';
import { steady } from '../../../server/domain/search/steady.ts';

const signal = new AbortController().signal;

/** Answers with the space that serves when it is asked; something may happen while it runs. */
const start = (meanwhile: (turn: number) => void) => {
  let space: number | null = 1;
  let asked = 0;
  const run = async (): Promise<never> => {
    const seen = space;
    meanwhile(asked++);
    return { results: [], timing: seen ?? 0, total: 0 } as never;
  };
  const search: Search = { documents: run, memories: run, findMemories: run };
  return {
    search: steady(search, () => space),
    change(to: number | null) {
      space = to;
    },
    asked: () => asked,
  };
};

const ask = async (search: Search) => (await search.memories({} as never, {} as never, signal)).timing;

test('a search is asked once', async () => {
  const { search, asked } = start(() => undefined);
  expect(await ask(search)).toBe(1);
  expect(asked()).toBe(1);
});

test('one that began with a space that serves no more is asked again with the new one', async () => {
  const begun = start((turn) => {
    if (turn === 0) begun.change(2);
  });
  expect(await ask(begun.search)).toBe(2);
  expect(begun.asked()).toBe(2);
});

test('so is one that failed for it; another failure stays one', async () => {
  const failing = start((turn) => {
    if (turn > 0) return;
    failing.change(2);
    throw new Error('erased');
  });
  expect(await ask(failing.search)).toBe(2);
  const broken = start(() => {
    throw new Error('broken');
  });
  await expect(ask(broken.search)).rejects.toThrow('broken');
  expect(broken.asked()).toBe(1);
});
