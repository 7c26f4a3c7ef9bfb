// The words of the passages that were read a moment ago: a passage is read for the title and the summary of its document, and
// again for the keyword index.
import { createMemo } from '../../memo.ts';
import { type PlacedWords, wordsWithPlaces } from './analyse.ts';

/** In each of two generations: the documents that are read at one time. About 3 MB. */
const MOST_CHARACTERS = 100_000;
/** Longer ones are rare. */
const LONGEST = 10_000;

const kept = createMemo<PlacedWords>(MOST_CHARACTERS, ({ length }) => length);

export const passageWords = (text: string): PlacedWords =>
  text.length > LONGEST ? wordsWithPlaces(text) : kept(text, () => wordsWithPlaces(text));
