// Tests of the turns that are indexed again after a change in a conversation.
import { expect, test } from 'vitest';
import { chunk } from '../../../../server/domain/ingestion/chunking/chunk.ts';
import {
  describeChunks,
  inputHash,
  seenBy,
} from '../../../../server/domain/ingestion/chunking/describe-chunks.ts';
import { parseContent } from '../../../../server/domain/ingestion/content/parse-content.ts';

const TURNS = 40;
const CHANGED = 20;

const talk = (changed: string) =>
  Array.from({ length: TURNS }, (_, at) => {
    const text = at === CHANGED ? changed : `I say that thing number ${at} is mine!`;
    return `${at % 2 === 0 ? 'Ann' : 'Ben'}: ${text}`;
  }).join('\n');

type Context = 'both' | 'previous';

/** The indexed text of each turn, in order. */
const indexed = (content: string, context: Context) =>
  describeChunks('document', chunk(parseContent(content, { kind: 'text' }))).map(
    ({ id, passage, terms, messageTokens }) =>
      JSON.stringify([id, inputHash(seenBy(context, passage)), [...terms], messageTokens]),
  );

const changedPlaces = (context: Context): number[] => {
  const before = indexed(talk('I gave the boat away.'), context);
  const after = indexed(talk('I sold the caravan to Grete!'), context);
  expect(before).toHaveLength(TURNS);
  return after.flatMap((turn, at) => (turn === before[at] ? [] : [at]));
};

test('a changed turn is new to the three turns on each side of it, and to no other', () => {
  expect(changedPlaces('both')).toEqual([17, 18, 19, 20, 21, 22, 23]);
});

test('only the turns after it see the change when a vector costs money', () => {
  expect(changedPlaces('previous')).toEqual([20, 21, 22, 23]);
});

test('the words of a turn are indexed once, and its neighbours keep their own', () => {
  const terms = (content: string) =>
    describeChunks('document', chunk(parseContent(content, { kind: 'text' }))).map((each) => each.terms);
  const before = terms(talk('I gave the boat away.'));
  const after = terms(talk('I sold the caravan to Grete!'));
  expect(after.flatMap((blob, at) => (Buffer.compare(blob, before[at] ?? blob) === 0 ? [] : [at]))).toEqual([
    CHANGED,
  ]);
});
