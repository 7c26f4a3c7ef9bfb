// Tests of joining the words of one family.
import { expect, test } from 'vitest';
import { inflectionsOf, rootsOf } from '../../../../server/lib/text/terms/derivations.ts';

test.each([
  'allergy allergic allergies',
  'marry married marriage',
  'asthma asthmatic',
  'injury injured injure',
  'rehearse rehearsal',
  'employ employer employment employee',
  'deploy deployment',
  'pregnant pregnancy',
  'buy bought',
  'guitar guitarist',
])('%j share a root', (words) => {
  expect(new Set(rootsOf(words)).size).toBe(1);
});

test.each([
  'Porto port',
  'mother moth',
  'brother broth',
  'party part',
  'story store',
  'number numb',
  'peanut nut',
])('%j are different words', (words) => {
  expect(new Set(rootsOf(words)).size).toBe(2);
});

test('an irregular verb has other forms, a regular one none', () => {
  expect(inflectionsOf('go')).toEqual(['went', 'gone']);
  expect(inflectionsOf('went')).toEqual(['go', 'gone']);
  expect(inflectionsOf('play')).toEqual([]);
});
