// Tests of the judgement of `npm run test:scale`: each kind of harm is seen, and nothing else is taken for one.
import { expect, test } from 'vitest';
import { isGood, judge, type StoredDocument } from './judge.ts';

const stored = (customId: string, more: Partial<StoredDocument> = {}): StoredDocument => ({
  ...{ customId, content: `text of ${customId}`, step: 'done', chunks: 1, doubled: 0 },
  ...more,
});
const told = (...names: string[]) => new Map(names.map((name) => [name, `text of ${name}`]));

test('what was acknowledged and is stored once and done is good, and so is more than was acknowledged', () => {
  const verdict = judge(told('a'), [stored('a'), stored('b')]);
  expect(verdict).toEqual({ acknowledged: 1, stored: 2, lost: [], twice: [], stuck: [] });
  expect(isGood(verdict)).toBe(true);
});

test.each([
  ['that is missing', [], { lost: ['a'] }],
  ['with another text', [stored('a', { content: 'another' })], { lost: ['a'] }],
  ['without chunks', [stored('a', { chunks: 0 })], { lost: ['a'] }],
  ['that is stored twice', [stored('a'), stored('a')], { twice: ['a'] }],
  ['with a doubled chunk', [stored('a', { chunks: 2, doubled: 1 })], { twice: ['a'] }],
  ['that still waits', [stored('a', { step: 'embedding' })], { stuck: ['a'] }],
  ['that failed', [stored('a', { step: 'failed' })], { stuck: ['a'] }],
])('a document %s is not good', (_, documents, harm) => {
  const verdict = judge(told('a'), documents);
  expect(verdict).toMatchObject(harm);
  expect(isGood(verdict)).toBe(false);
});
