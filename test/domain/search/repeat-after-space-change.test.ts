// Tests of repeating a search when the embedding space changes during it.
import { expect, test } from 'vitest';
import { repeatAfterSpaceChange } from '../../../server/domain/search/repeat-after-space-change.ts';

/** Answers with the space that serves when the search begins; `meanwhile` runs before the answer. */
const start = (meanwhile: (turn: number) => void) => {
  let space: number | null = 1;
  let runs = 0;
  const settled = repeatAfterSpaceChange(() => space);
  return {
    search: () =>
      settled(async () => {
        const seen = space;
        meanwhile(runs++);
        return seen;
      }),
    change(to: number | null) {
      space = to;
    },
    runs: () => runs,
  };
};

test('a search runs once', async () => {
  const { search, runs } = start(() => undefined);
  expect(await search()).toBe(1);
  expect(runs()).toBe(1);
});

test('a search that began with a former space runs again with the new one', async () => {
  const begun = start((turn) => {
    if (turn === 0) begun.change(2);
  });
  expect(await begun.search()).toBe(2);
  expect(begun.runs()).toBe(2);
});

test('a search that failed because of the change runs again, and any other failure is final', async () => {
  const failing = start((turn) => {
    if (turn > 0) return;
    failing.change(2);
    throw new Error('erased');
  });
  expect(await failing.search()).toBe(2);
  const broken = start(() => {
    throw new Error('broken');
  });
  await expect(broken.search()).rejects.toThrow('broken');
  expect(broken.runs()).toBe(1);
});
