// Tests of what a profile shows as lasting: who somebody is, where they live, what they can and like, and no event.
import { expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const statesIn = async (said: string): Promise<boolean[]> => {
  const { memories } = await reader.read(request({ fresh: turns(['Nora', said]) }));
  return memories.map(({ isStatic }) => isStatic);
};

test.each([
  'I live in Trondheim.',
  'I work as a roofer.',
  'My son Birk is a violinist.',
  'I am allergic to mustard.',
  'I speak Faroese.',
  'We have two goats.',
  'I play the bassoon.',
  'I always drink my tea without milk.',
  'I was born in Hamar.',
])('it lasts: "%s"', async (said) => {
  expect(await statesIn(said)).toEqual([true]);
});

test.each([
  'I bought new curtains on Tuesday.',
  'The roofer is coming on Friday.',
  'I ran 9 km this morning.',
  'My appointment with Dr. Moe is on 4 May.',
  'We are going to Bergen next week.',
  'The washing machine broke yesterday.',
])('it passes: "%s"', async (said) => {
  expect((await statesIn(said)).filter(Boolean)).toEqual([]);
});

test('what ends on a day never lasts', async () => {
  const { memories } = await reader.read(
    request({ fresh: turns(['Nora', 'I live with Pia until 3 June 2023.']) }),
  );
  expect(memories.filter(({ isStatic }) => isStatic)).toEqual([]);
});
