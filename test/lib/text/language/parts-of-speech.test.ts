import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import {
  areEnglishWords,
  createTaggerSource,
  type Tagger,
  taggedWords,
} from '../../../../server/lib/text/language/parts-of-speech.ts';

const require = createRequire(import.meta.url);
const create = require('wink-nlp') as (model: unknown, pipes: readonly string[]) => Tagger;

test('the words of a sentence have their parts of speech, plain forms and places', () => {
  const words = taggedWords('She lives in Qzarvik');
  expect(words.map(({ pos, lemma, isKnown, end }) => [pos, lemma, isKnown, end])).toEqual([
    ['PRON', 'she', true, 3],
    ['VERB', 'live', true, 9],
    ['ADP', 'in', true, 12],
    ['PROPN', 'qzarvik', false, 20],
  ]);
  expect(areEnglishWords('the cat sleeps')).toBe(true);
  expect(areEnglishWords('the qzarvik sleeps')).toBe(false);
});

test('the words of a text have the same parts of speech whatever was read before', () => {
  const text = "The user's piano teacher is Mrs. Halloran";
  const read = () => taggedWords(text).map(({ pos, end }) => [pos, end]);
  const before = read();
  const sentence = "A client of the user's, Herr Ammann, sold his Volvo and (Anna's).";
  const words = taggedWords(sentence);
  expect(read()).toEqual(before);
  expect(words.map(({ end }) => end)).toEqual([
    ...[1, 8, 11, 15, 20, 22, 23, 28, 35, 36, 41, 45, 51, 55, 57, 61, 63, 64, 65],
  ]);
  expect(words.at(-1)?.end).toBe(sentence.length);
});

test('the library is loaded anew when it has met too many unknown words, and knows the same words again', () => {
  let loads = 0;
  const source = createTaggerSource(
    () => {
      loads += 1;
      return create(require('wink-eng-lite-web-model'), ['sbd', 'pos']);
    },
    { mostUnknown: 50, callsBetweenLooks: 10 },
  );
  const first = source().firstUnknown;
  for (let at = 0; at < 45; at++) source().readDoc(`zqx${at}a zqx${at}b`);
  expect(loads).toBe(2);
  expect(source().firstUnknown).toBe(first);
});
