// Tests of cutting forgotten statements out of a passage.
import { expect, test } from 'vitest';
import { withoutForgotten } from '../../../../server/domain/search/results/without-forgotten.ts';

const gone = (memory: string) => ({ memory, isForgotten: true });
const live = (memory: string) => ({ memory, isForgotten: false });

test('cuts the sentence that states what is forgotten', () => {
  const text = 'Morning! I flew to Narvik yesterday. I keep bees.';
  const drawn = [gone('Ida flew to Narvik on 7 May 2023.'), live('Ida keeps bees.')];
  expect(withoutForgotten(text, drawn)).toBe('Morning! I keep bees.');
});

test('keeps a sentence that also states what is not forgotten', () => {
  const text = 'I live in Berlin and work at Siemens. I row.';
  const drawn = [gone('Ida lives in Berlin.'), live('Ida works at Siemens.')];
  expect(withoutForgotten(text, drawn)).toBe(text);
});

test('cuts a statement wherever it is repeated', () => {
  const text = 'Ida keeps bees. Ida rows. As I said, Ida keeps bees.';
  expect(withoutForgotten(text, [gone('Ida keeps bees.'), live('Ida rows.')])).toBe('Ida rows.');
});

test('keeps a text that states nothing forgotten', () => {
  expect(withoutForgotten('Ida rows.', [live('Ida rows.')])).toBe('Ida rows.');
  expect(withoutForgotten('Quite another matter.', [gone('Ida rows.')])).toBe('Quite another matter.');
});
