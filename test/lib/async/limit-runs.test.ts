import { expect, test } from 'vitest';
import { limitRuns } from '../../../server/lib/async/limit-runs.ts';

test('runs beyond the limit wait in the order of their calls, also behind one that fails', async () => {
  const limited = limitRuns(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const runs = ends.map(({ promise }, i) =>
    limited(() => {
      begun.push(i);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('broken'));
  await expect(runs[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.resolve(10);
  expect(await runs[0]).toBe(10);
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]?.resolve(12);
  ends[3]?.resolve(13);
  expect(await Promise.all([runs[2], runs[3]])).toEqual([12, 13]);
});
