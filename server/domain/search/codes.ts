// Codes: joined letters and digits that together name one thing, as in "INV-20932". Words are looked for one by one, so
// that a sibling ("INV-20931") holds half of what is asked for and yet is something else.

/** Its parts in order, folded. */
export type Code = readonly string[];

const JOINED = /[\p{L}\p{N}]+(?:[-_./:#][\p{L}\p{N}]+)+/gu;
const SEPARATOR = /[-_./:#]/;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Letters at the end of a number make it no part of a code. */
const NUMERAL = /^\d+(?:s|st|nd|rd|th)$/i;
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/;
/** "100-meter": so much of something. */
const MEASURE = /^\p{N}+(?:[-_./:#]\p{L}+)+$/u;

/** With fewer it is a name rather ("COVID-19", "GLP-1R"), which texts write in several ways. */
const FEWEST_DIGITS = 3;
/** Without any letter: as a telephone or an account has them. */
const FEWEST_DIGITS_ALONE = 6;

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
const partsOf = (joined: string): Code => fold(joined).split(SEPARATOR);

const digitsIn = (text: string): number => text.match(/\p{N}/gu)?.length ?? 0;

function isCode(joined: string): boolean {
  if (DATE.test(joined) || MEASURE.test(joined)) return false;
  const telling = joined.split(SEPARATOR).filter((part) => !NUMERAL.test(part));
  const digits = telling.reduce((sum, part) => sum + digitsIn(part), 0);
  return digits >= (/\p{L}/u.test(joined) ? FEWEST_DIGITS : FEWEST_DIGITS_ALONE);
}

export const codesIn = (query: string): Code[] => [
  ...new Map(
    (query.match(JOINED) ?? []).filter(isCode).map((joined) => [fold(joined), partsOf(joined)]),
  ).values(),
];

const holdsAll = (words: ReadonlySet<string>, code: Code): boolean => code.every((part) => words.has(part));

/** The same at some places, and not at all. */
const isSibling = (one: Code, other: Code): boolean =>
  one.some((part, at) => other[at] === part) &&
  (one.length !== other.length || one.some((part, at) => other[at] !== part));

/** Whether a text names siblings of the codes that were asked for, and none of these themselves. */
export function namesAnother(text: string, codes: readonly Code[]): boolean {
  const words = new Set(fold(text).match(WORDS) ?? []);
  if (codes.some((code) => holdsAll(words, code))) return false;
  const there = (text.match(JOINED) ?? []).map(partsOf);
  return there.some((one) => codes.some((code) => isSibling(one, code)));
}
