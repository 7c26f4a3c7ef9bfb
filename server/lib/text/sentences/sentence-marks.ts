// The marks that end a sentence, the marks that may follow, and abbreviations with a full stop.
// Three cutters use them. `split-sentences.ts` splits a whole text into clean sentences for readers, `sentence-ranges.ts`
// into ranges of the text as written. The chunker's `passage-end.ts` looks for the last sentence end inside a window of raw text, and its answers are stored as chunks.

/** Quotes and brackets that close behind the end of a sentence, as the members of a character class. */
export const CLOSERS = `"'”’»)\\]」』）`;

/** Marks that end a sentence where a blank follows, as the members of a character class: also Arabic, Urdu and Hindi ones. */
export const SPACED_ENDS = '.!?…؟۔।॥';

/** True: the last character is one of these marks. An expression would try every place of the text before its end. */
export const endsIn = (text: string, marks: string): boolean => text !== '' && marks.includes(text.slice(-1));

/** The chunker uses only these abbreviations: one more would move the ends of stored chunks. */
const COMMON =
  'mr mrs ms dr prof st jr sr vs etc e.g i.e cf fig no vol pp inc ltd co dept est approx jan feb mar apr jun jul aug sep sept oct nov dec';

const OF_PLACES_AND_TIMES = 'corp a.m p.m u.s u.k';
/** "Sra. Quispe", "Hr. Lund": titles of other languages stand in English texts too. */
const TITLES = 'sra srta dra hr fr mme mlle sig';

export const COMMON_ABBREVIATIONS: ReadonlySet<string> = new Set(COMMON.split(' '));

export const ENGLISH_ABBREVIATIONS: ReadonlySet<string> = new Set(
  `${COMMON} ${OF_PLACES_AND_TIMES} ${TITLES}`.split(' '),
);

/** `word` stands before a full stop. A single letter is an initial, except "I". */
export const isAbbreviation = (word: string, abbreviations: ReadonlySet<string>): boolean =>
  (word.length === 1 && word !== 'I') || abbreviations.has(word.toLowerCase());

/** A shorter line ends where its writer ended it; a longer one may be wrapped. */
export const FULL_LINE = 60;

const LONGEST_LOOK_BACK = 12;
/** German writes an ordinal with a full stop: "am 3. Oktober", "im 2. Stock". */
const GERMAN_ORDINAL = /(?<![\p{L}\p{N}]|\bI )(?:am|vom|zum|im|der|dem|den|des) \d{1,2}\.$/iu;
/** "in hall B.": a letter behind a noun is no initial of a name. */
const LETTERED =
  /(?<!\p{L})(?!(?:and|with|from|for|the|about|than|that|like|see|says?|said|our|his|her|their|via|per|both)\s)\p{Ll}{3,} \p{Lu}\.$/u;

/** The letters of an abbreviation, with the stops inside. */
const ABBREVIATED = /(?<![\p{L}\p{N}])([\p{L}.]{1,8})\.$/u;
const LONGEST_ABBREVIATION = 8;
const [SMALL_A, SMALL_Z, BLANK] = [97, 122, 32];

/**
 * The word before a full stop, where it is written in small letters of ASCII and stands behind a blank, as nearly all do: then none
 * of the expressions has to be tried. Null: something else stands there.
 */
const plainWordBefore = (before: string): string | null => {
  const stop = before.length - 1;
  let from = stop;
  while (from > 0 && before.charCodeAt(from - 1) >= SMALL_A && before.charCodeAt(from - 1) <= SMALL_Z)
    from -= 1;
  if (from === stop || (from > 0 && before.charCodeAt(from - 1) !== BLANK)) return null;
  return before.slice(from, stop);
};

/** True if the mark before `at` belongs to an abbreviation, an initial, or a sentence that continues. */
export const continuesSentence = (
  text: string,
  start: number,
  at: number,
  abbreviations: ReadonlySet<string>,
): boolean => {
  const next = text.slice(at).trimStart().charAt(0);
  if (/\p{Ll}/u.test(next)) return true;
  const before = text.slice(Math.max(start, at - LONGEST_LOOK_BACK), at);
  if (!before.endsWith('.')) return false;
  const plain = plainWordBefore(before);
  if (plain !== null) return plain.length <= LONGEST_ABBREVIATION && isAbbreviation(plain, abbreviations);
  if (GERMAN_ORDINAL.test(before)) return true;
  if (LETTERED.test(before)) return false;
  const last = ABBREVIATED.exec(before)?.[1];
  return last !== undefined && isAbbreviation(last, abbreviations);
};
