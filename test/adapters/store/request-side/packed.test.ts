// Tests of the packed form of answers: what arrives equals what was sent.
import { expect, test } from 'vitest';
import {
  packKeywordMatches,
  packVectorMatches,
  unpackKeywordMatches,
  unpackVectorMatches,
} from '../../../../server/adapters/store/request-side/packed.ts';

const match = (n: number, terms: number) => ({
  ...{ n, document: n + 1, position: 2, part: 3, flags: 4, bodyTokens: 5, messageTokens: 6 },
  held: Array.from({ length: terms }, (_, term) => ({ term, field: term % 6, frequency: 255 })),
});

test('keyword matches keep their numbers and each its own terms', () => {
  const found = {
    matches: [match(2 ** 40, 2), match(7, 0), match(8, 3)],
    frequencies: [3, 1],
    ...{ chunks: 9, averageBodyTokens: 1.5, averageMessageTokens: 2.5 },
  };
  expect(unpackKeywordMatches(packKeywordMatches(found))).toEqual(found);
  const nothing = { ...found, matches: [] };
  expect(unpackKeywordMatches(packKeywordMatches(nothing))).toEqual(nothing);
});

test('vector matches keep their cosines exactly', () => {
  const found = [
    { n: 2 ** 40, cosine: 0.1 + 0.2 },
    { n: 1, cosine: -1 },
  ];
  expect(unpackVectorMatches(packVectorMatches(found))).toEqual(found);
  expect(unpackVectorMatches(packVectorMatches([]))).toEqual([]);
});
