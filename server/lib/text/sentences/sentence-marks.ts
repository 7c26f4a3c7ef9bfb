// The marks that end a sentence, the marks that may follow, and abbreviations with a full stop.
// Two cutters use them. `split-sentences.ts` splits a whole text into clean sentences for readers. The chunker's
// `passage-end.ts` looks for the last sentence end inside a window of raw text, and its answers are stored as chunks.

/** Quotes and brackets that close behind the end of a sentence, as the members of a character class. */
export const CLOSERS = `"'”’»)\\]」』）`;

/** The chunker uses only these abbreviations: one more would move the ends of stored chunks. */
const COMMON =
  'mr mrs ms dr prof st jr sr vs etc e.g i.e cf fig no vol pp inc ltd co dept est approx jan feb mar apr jun jul aug sep sept oct nov dec';

const OF_PLACES_AND_TIMES = 'corp a.m p.m u.s u.k';

export const COMMON_ABBREVIATIONS: ReadonlySet<string> = new Set(COMMON.split(' '));

export const ENGLISH_ABBREVIATIONS: ReadonlySet<string> = new Set(
  `${COMMON} ${OF_PLACES_AND_TIMES}`.split(' '),
);

/** `word` stands before a full stop. A single letter is an initial, except "I". */
export const isAbbreviation = (word: string, abbreviations: ReadonlySet<string>): boolean =>
  (word.length === 1 && word !== 'I') || abbreviations.has(word.toLowerCase());
