// Tests of cutting forgotten statements out of a passage.
import { expect, test } from 'vitest';
import { withoutForgotten } from '../../../../server/domain/search/results/without-forgotten.ts';

test('cuts the sentence that states what is forgotten', () => {
  const text = 'Morning! I flew to Narvik yesterday. I keep bees.';
  expect(withoutForgotten(text, ['Ida flew to Narvik on 7 May 2023.'])).toBe('Morning! I keep bees.');
});

test('cuts a sentence that states something else too', () => {
  const text = 'I live in Berlin and work at Siemens. I row.';
  expect(withoutForgotten(text, ['Ida lives in Berlin.'])).toBe('I row.');
});

test('cuts a statement wherever it is repeated', () => {
  const text = 'Ida keeps bees. Ida rows. As I said, Ida keeps bees.';
  expect(withoutForgotten(text, ['Ida keeps bees.'])).toBe('Ida rows.');
});

test('keeps a text that states nothing forgotten', () => {
  expect(withoutForgotten('Ida rows.', [])).toBe('Ida rows.');
  expect(withoutForgotten('Quite another matter.', ['Ida rows.'])).toBe('Quite another matter.');
});
