// Tests of recognising texts that look the same to a reader.
import { describe, expect, test } from 'vitest';
import { createTextSet } from '../../../../server/domain/search/ranking/duplicate-texts.ts';

const same = (a: string, b: string): boolean => {
  const texts = createTextSet();
  texts.add(a);
  return texts.has(b);
};

const LONG =
  'Ada prefers tea, and meetings before noon; her train leaves at 8:15, and she is never late for it.';

describe('two texts are duplicates', () => {
  test.each([
    ['the same', LONG, LONG],
    ['other capitals', LONG, LONG.toUpperCase()],
    ['other spaces', LONG, LONG.replaceAll(' ', '\n  ')],
    [
      'very many spaces at the start and inside',
      LONG,
      `${' '.repeat(80)}${LONG.replace(' ', ' '.repeat(80))}`,
    ],
    ['without the full stop, in quotes', LONG, `“${LONG.slice(0, -1)}”`],
    ['compatible forms', 'The first ﬁnd of the ＤＡＹ is here', 'The first find of the DAY is here'],
    [
      'composed and decomposed',
      'Zoë and René meet at the café today',
      'Zoë and René meet at the café today'.normalize('NFD'),
    ],
    ['a mark at the edge of what is looked at', `${'a1 '.repeat(21)}e\u0301`, `${'a1 '.repeat(21)}é`],
    ['short ones', 'OK.', ' ok'],
    ['without any letters of the alphabet', '好的，明天见。', '好的，明天见'],
    ['empty', '', ' ... '],
  ])('in the case "%s"', (_name, a, b) => {
    expect([same(a, b), same(b, a)]).toEqual([true, true]);
  });
});

describe('two texts are different', () => {
  test.each([
    ['another end', LONG, `${LONG.slice(0, -3)}at.`],
    ['another beginning', LONG, LONG.slice(1)],
    ['one more word', LONG, `${LONG} Really.`],
    ['marks inside', 'yes, no', 'yes no'],
    ['other letters', '好的', '好吧'],
    ['other accents', 'résumé of the whole year', 'resume of the whole year'],
  ])('in the case "%s"', (_name, a, b) => {
    expect([same(a, b), same(b, a)]).toEqual([false, false]);
  });
});

test('many different texts with a common beginning are all kept, each once', () => {
  const texts = createTextSet();
  const numbered = Array.from({ length: 50 }, (_, at) => `The same beginning of everything, number ${at}`);
  for (const text of numbered) {
    expect(texts.has(text)).toBe(false);
    texts.add(text);
  }
  expect(numbered.every((text) => texts.has(text.toUpperCase()))).toBe(true);
  expect(texts.has('The same beginning of everything, number 50')).toBe(false);
});
