// Tests of the rules on sentences that were written without a look at them.
import { expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turns } from '../../../adapters/language-model/requests.ts';
import { type UnseenSentence, unseenSentences } from './unseen-sentences.ts';

/** The share of sentences that are read as expected today; it may rise, and is then written here. */
const LEAST = 0.95;

const reader = createRulesReader();

const read = async (said: string): Promise<string[]> => {
  const { memories } = await reader.read(request({ fresh: turns(['Nora', said]) }));
  return memories.map(({ memory }) => memory);
};

const holds = (memory: string, words: readonly string[]): boolean =>
  words.every((word) => memory.toLowerCase().includes(word.toLowerCase()));

/** As many memories as expected, and one for each row of words. */
const isRight = ({ states }: UnseenSentence, memories: readonly string[]): boolean =>
  memories.length === states.length &&
  states.every((words) => memories.some((memory) => holds(memory, words)));

test('the rules read unseen sentences no worse than before', async () => {
  const wrong: string[] = [];
  for (const sentence of unseenSentences) {
    const memories = await read(sentence.said);
    if (!isRight(sentence, memories)) wrong.push(`${sentence.said} → ${memories.join(' | ') || '(nothing)'}`);
  }
  const share = 1 - wrong.length / unseenSentences.length;
  expect(
    share,
    `${share.toFixed(3)} of ${unseenSentences.length}; wrong:\n${wrong.join('\n')}`,
  ).toBeGreaterThanOrEqual(LEAST);
});

test('the table has at least sixty unseen sentences, and a fifth of them states nothing', () => {
  expect(unseenSentences.length).toBeGreaterThanOrEqual(60);
  const empty = unseenSentences.filter(({ states }) => states.length === 0);
  expect(empty.length).toBeGreaterThanOrEqual(unseenSentences.length / 5);
});
