// Tests of numbering the terms of a text.
import { expect, test } from 'vitest';
import { hash32 } from '../../../../server/lib/hash.ts';
import { createTermNumbers } from '../../../../server/lib/text/terms/terms.ts';

test('terms are numbered in the order in which they first come', () => {
  const numbers = createTermNumbers();
  const of = (term: string) => numbers.of(term, hash32(term));
  expect(['cat', 'dog', 'cat', 'eel', 'dog'].map(of)).toEqual([0, 1, 0, 2, 1]);
  expect(numbers.hashes).toEqual(['cat', 'dog', 'eel'].map((term) => hash32(term)));
});

test('two terms of one hash have numbers of their own', () => {
  const numbers = createTermNumbers();
  expect([numbers.of('one', 7), numbers.of('two', 7), numbers.of('one', 7)]).toEqual([0, 1, 0]);
});

test('a text of many terms is numbered like a short one, and the next text begins at nought', () => {
  const numbers = createTermNumbers();
  const terms = Array.from({ length: 5000 }, (_, at) => `term${at}`);
  const numbered = () => terms.map((term) => numbers.of(term, hash32(term)));
  expect(numbered()).toEqual(terms.map((_, at) => at));
  expect(numbered()).toEqual(terms.map((_, at) => at));
  numbers.clear();
  expect(numbers.of('term4999', hash32('term4999'))).toBe(0);
  expect(numbers.of('term0', hash32('term0'))).toBe(1);
});
