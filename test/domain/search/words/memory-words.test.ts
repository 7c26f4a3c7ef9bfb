// Tests of what is kept of the words of memories.
import { expect, test } from 'vitest';
import { memoryWords } from '../../../../server/domain/search/words/memory-words.ts';

test('What was read of a memory is kept for the next search, and given up when later memories fill the cache.', () => {
  const long = (name: string) => `${name} ${'x'.repeat(600_000)}`;
  const first = memoryWords(long('first'));
  expect(memoryWords(long('first'))).toBe(first);
  for (const name of ['second', 'third', 'fourth', 'fifth']) memoryWords(long(name));
  expect(memoryWords(long('first'))).not.toBe(first);
});
