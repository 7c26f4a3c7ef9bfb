// Tests of the table that finds words by their letters.
import { describe, expect, it } from 'vitest';
import { createWordTable } from '../../../../server/lib/text/terms/word-table.ts';

const counting = () => {
  const described: string[] = [];
  const table = createWordTable((text) => {
    described.push(text);
    return { text };
  });
  const textsIn = (text: string, starts?: number[]) =>
    table.inPlainText(text, starts).map((word) => word.text);
  return { table, described, textsIn };
};

/** Around the number of letters that are packed, and the most that are kept. */
const LENGTHS = [1, 4, 5, 6, 10, 19, 20, 21, 25, 39, 40, 41, 60];

describe('the words of a plain text', () => {
  it('come in order with their places, an apostrophe between two letters inside', () => {
    const starts: number[] = [];
    const text = "'twas o'brien's dogs' 4021 -- x1'y '' end'";
    expect(counting().textsIn(text, starts)).toEqual(['twas', "o'brien's", 'dogs', '4021', "x1'y", 'end']);
    expect(starts.map((at) => text.charAt(at))).toEqual(['t', 'o', 'd', '4', 'x', 'e']);
  });

  it.each(LENGTHS)('of %i letters are told apart by each of them', (length) => {
    const { textsIn } = counting();
    const words = Array.from(
      { length },
      (_, at) => `${'a'.repeat(at)}b${'a'.repeat(length - at - 1)}`,
    ).concat('a'.repeat(length), 'a'.repeat(length + 1));
    for (let round = 0; round < 2; round += 1) expect(textsIn(words.join(' '))).toEqual(words);
  });

  it('are described once if they are short enough to be kept', () => {
    const { described, textsIn } = counting();
    const words = LENGTHS.map((length) => 'abcdefghij'.repeat(6).slice(0, length));
    for (let round = 0; round < 3; round += 1) textsIn(words.join(' '));
    const times = (word: string) => described.filter((one) => one === word).length;
    expect(words.map(times)).toEqual(LENGTHS.map((length) => (length <= 40 ? 1 : 3)));
  });
});

describe('a single word', () => {
  it('is the word of a text with the same letters', () => {
    const { table, described } = counting();
    expect(table.inPlainText("the dog's kennel")).toEqual([
      table.of('the'),
      table.of("dog's"),
      table.of('kennel'),
    ]);
    expect(described).toHaveLength(3);
  });

  it.each([
    '',
    "'",
    "o'",
    "'o",
    'é',
    'naïve',
    '猫',
    'привет',
    'a-b',
    'a\u0000',
    'ａ',
    'Hello',
    'x'.repeat(50),
  ])('of any characters is itself: %j', (word) => {
    const { table } = counting();
    for (let round = 0; round < 2; round += 1) expect(table.of(word).text).toBe(word);
  });

  it('is found again in whichever way it is written', () => {
    const { table, described } = counting();
    for (let round = 0; round < 3; round += 1)
      for (const word of ['naïve', 'naive', 'naïves']) table.of(word);
    expect(described).toEqual(['naïve', 'naive', 'naïves']);
  });
});
