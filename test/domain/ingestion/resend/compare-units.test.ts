// Tests of the comparison of texts by units and by their ends.
import { describe, expect, it, test } from 'vitest';
import { sharedEnds, textKey } from '../../../../server/domain/ingestion/resend/compare-units.ts';

const MANY = 300_000;

describe('The key of a text', () => {
  it('ignores differences in blanks', () => {
    expect(textKey('Mara \t moved\nto Porto. ')).toBe(textKey('Mara moved to Porto.'));
    expect(textKey('Mara moved to Porto.')).not.toBe(textKey('Mara moved toPorto.'));
  });

  it('differs between 300,000 texts, of which 32 bits would mix up ten', () => {
    const texts = Array.from({ length: MANY }, (_, at) => `It weighs ${Math.sqrt(at)} grams.`);
    const keys = new Set(texts.map(textKey));
    expect(keys.size).toBe(MANY);
  });
});

describe('The common ends of two texts', () => {
  test.each([
    [
      'a change in the middle',
      'one two three',
      'one 2 three',
      { length: 10, kept: 10 / 13, reused: 10 / 11 },
    ],
    ['an end that repeats the beginning', 'abab', 'ababab', { length: 4, kept: 1, reused: 4 / 6 }],
    ['a beginning that repeats the end', 'ababab', 'abab', { length: 4, kept: 4 / 6, reused: 1 }],
    ['nothing stored', '', 'one', { length: 0, kept: 0, reused: 0 }],
    ['nothing sent', 'one', '', { length: 0, kept: 0, reused: 0 }],
  ])('are counted once: %s', (_, stored, sent, ends) => {
    expect(sharedEnds(stored, sent)).toEqual(ends);
  });
});
