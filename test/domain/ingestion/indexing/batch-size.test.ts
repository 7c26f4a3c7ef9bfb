// Tests of the number of vectors that go to the index at once.
import { expect, test } from 'vitest';
import { batchSize } from '../../../../server/domain/ingestion/indexing/batch-size.ts';

test('a batch is as large as the index takes best while nobody searches', () => {
  expect([384, 3_072].map((dimensions) => batchSize(600, dimensions, false))).toEqual([600, 600]);
});

test('while callers search, a batch is smaller, and smaller again with long vectors', () => {
  expect([384, 768, 1_536, 3_072].map((dimensions) => batchSize(600, dimensions, true))).toEqual([
    300, 300, 150, 75,
  ]);
  expect(batchSize(100, 384, true)).toBe(100);
});
