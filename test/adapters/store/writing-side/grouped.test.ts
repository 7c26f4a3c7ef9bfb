// Tests of callers that share a transaction.
import { expect, test } from 'vitest';
import { createGrouped } from '../../../../server/adapters/store/writing-side/grouped.ts';
import { DatabaseAwayError } from '../../../../server/core/errors.ts';
import { nextTurn } from '../../../../server/lib/async/wait.ts';

/** Runs that end when the test says so. */
const openRuns = () => {
  const runs: { given: readonly number[]; end: (answers: readonly string[] | Error) => void }[] = [];
  const grouped = createGrouped(
    (given: readonly number[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        runs.push({
          given,
          end: (answers) => (answers instanceof Error ? reject(answers) : resolve(answers)),
        });
      }),
  );
  return { runs, grouped };
};

const texts = (given: readonly number[]): string[] => given.map(String);

test('one caller is served at once, and those that come meanwhile together, each with its own answer', async () => {
  const { runs, grouped } = openRuns();
  const answers = [1, 2, 3, 4].map(grouped);
  expect(runs.map(({ given }) => given)).toEqual([[1]]);
  runs[0]?.end(['1']);
  await answers[0];
  await nextTurn();
  expect(runs[1]?.given).toEqual([2, 3, 4]);
  runs[1]?.end(['2', '3', '4']);
  expect(await Promise.all(answers)).toEqual(['1', '2', '3', '4']);
});

test('eight that wait are served beside the first', async () => {
  const { runs, grouped } = openRuns();
  const answers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(grouped);
  const eight = [2, 3, 4, 5, 6, 7, 8, 9];
  expect(runs.map(({ given }) => given)).toEqual([[1], eight]);
  runs[1]?.end(texts(eight));
  await answers[8];
  await nextTurn();
  expect(runs).toHaveLength(2);
  runs[0]?.end(['1']);
  await answers[0];
  await nextTurn();
  runs[2]?.end(['10']);
  expect(await Promise.all(answers)).toEqual(texts([1, ...eight, 10]));
});

test('after a failure each runs alone, and only the one at fault is refused', async () => {
  const grouped = createGrouped(async (given: readonly number[]) => {
    if (given.includes(4)) throw new Error('4 is wrong');
    return texts(given);
  });
  const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(grouped));
  expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    ...['1', '2', '3'],
    '4 is wrong',
    '5',
  ]);
});

test('while the database is away all are refused at once', async () => {
  let runs = 0;
  const grouped = createGrouped(async (given: readonly number[]) => {
    runs += 1;
    if (given.length > 1) throw new DatabaseAwayError(new Error('gone'));
    return texts(given);
  });
  const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(grouped));
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    ...['rejected', 'rejected', 'rejected', 'rejected'],
  ]);
  expect(runs).toBe(2);
});
