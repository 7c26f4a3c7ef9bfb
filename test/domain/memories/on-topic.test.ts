// Tests of which memories hold the topic of an instruction to forget. The labelled requests are in test/memories/forgetting/.
import { expect, test } from 'vitest';
import { readForgetTopic } from '../../../server/domain/memories/forgetting/forget-topic.ts';
import { onTopic } from '../../../server/domain/memories/forgetting/on-topic.ts';

const MIRA = [
  'Mira Kovac works as a data analyst at Nordwind.',
  "Mira's son Leo is 6 years old.",
  'Mira takes metformin for her type 2 diabetes.',
  'Jonas went to Bergen with Mira.',
  'Nordwind has its office in Hamburg.',
  'User introduced Mira to Jonas.',
  'User hates cilantro.',
];

test.each([
  ['everything about Mira', [0, 1, 2, 5]],
  ['Mira Kovac', [0, 1, 2, 5]],
  ["forget Mira's diabetes", [2]],
  ['that Mira is diabetic', [2]],
  ['how old Leo is', [1]],
  ["Mira's age", []],
  ['Nordwind', [0, 4]],
  ['my dislike of cilantro', [6]],
  ['forget everything about me', [5, 6]],
  ['Olaf', []],
  ['everything', []],
])('the instruction %j takes the memories %j', (query, wanted) => {
  const found = onTopic(readForgetTopic(query), MIRA);
  expect(MIRA.flatMap((text, at) => (found.has(text) ? [at] : []))).toEqual(wanted);
});

test('"my" and "her" mean nobody for sure where several people could be meant', () => {
  const two = ['Anna is allergic to nuts.', 'Tom is allergic to nuts.'];
  expect([...onTopic(readForgetTopic('forget my allergy'), two)]).toEqual([]);
  expect([...onTopic(readForgetTopic('her allergy'), two)]).toEqual([]);
  expect([...onTopic(readForgetTopic('her allergy'), two.slice(0, 1))]).toEqual(two.slice(0, 1));
});

test('a memory that tells who somebody is goes with what is about that one', () => {
  const memories = ['Per lives in Oslo.', "Nora's ex-husband is called Per.", 'Nora met Per in Oslo.'];
  expect([...onTopic(readForgetTopic('forget Per'), memories)]).toEqual(memories.slice(0, 2));
  expect([...onTopic(readForgetTopic("Nora's ex-husband"), memories)]).toEqual(memories.slice(1, 2));
});

test('a name has no derivations', () => {
  const memories = ['Rui works for the port authority.', 'Ines lives in Porto.'];
  expect([...onTopic(readForgetTopic('porto'), memories)]).toEqual(memories.slice(1));
});

test('other languages match by their words', () => {
  const memories = ['Wanda hat eine Nussallergie.', 'Wanda segelt sonntags.'];
  expect([...onTopic(readForgetTopic('Vergiss die Nussallergie von Wanda'), memories)]).toEqual(
    memories.slice(0, 1),
  );
});
