import { expect, test } from 'vitest';
import {
  countHeldRoots,
  sentencesWithRoots,
  statingSentences,
} from '../../../../server/domain/search/words/stating-sentences.ts';

const TEXT = 'Ada lives in Lyon. She drinks green tea every morning. Ada drinks tea in Lyon. It rains.';

const stated = (memory: string): string[] => {
  const passage = sentencesWithRoots(TEXT);
  const places = statingSentences(passage, memory);
  return passage.sentences
    .filter((_, at) => places.has(at))
    .map(({ start, end }) => TEXT.slice(start, end).trim());
};

test('The sentences that hold most words of a memory state it, and several where each holds nearly all.', () => {
  expect(stated('Ada lives in Lyon')).toContain('Ada lives in Lyon.');
  expect(stated('Ada drinks green tea')).toEqual([
    'She drinks green tea every morning.',
    'Ada drinks tea in Lyon.',
  ]);
  expect(stated('Ben plays chess')).toEqual([]);
});

test('The roots that a sentence holds are counted for each sentence, those of unknown words for none.', () => {
  const passage = sentencesWithRoots(TEXT);
  expect(passage.sentences).toHaveLength(4);
  expect(countHeldRoots(passage, ['tea', 'lyon', 'chess'])).toEqual([1, 1, 2, 0]);
  expect(countHeldRoots(passage, [])).toEqual([0, 0, 0, 0]);
});

test('What was read of a passage is kept for the next search, and given up when later passages fill the cache.', () => {
  const long = (name: string) => `${name} ${'x'.repeat(400_000)}`;
  const first = sentencesWithRoots(long('first'));
  expect(sentencesWithRoots(long('first'))).toBe(first);
  for (const name of ['second', 'third', 'fourth', 'fifth']) sentencesWithRoots(long(name));
  expect(sentencesWithRoots(long('first'))).not.toBe(first);
});
