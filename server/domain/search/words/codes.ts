// Codes: joined letters and digits that together name one thing, as in "INV-20932". The search looks for words one by
// one, so a sibling ("INV-20931") holds half of the query's words and yet is something else.

/** The parts of a code in order, folded. */
export type Code = readonly string[];

const JOINED = /[\p{L}\p{N}]+(?:[-_./:#][\p{L}\p{N}]+)+/gu;
const SEPARATOR = /[-_./:#]/;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Letters at the end of a number make it no part of a code. */
const NUMERAL = /^\d+(?:s|st|nd|rd|th)$/i;
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/;
/** A quantity, as in "100-meter". */
const MEASURE = /^\p{N}+(?:[-_./:#]\p{L}+)+$/u;

/** With fewer digits it is a name ("COVID-19", "GLP-1R"), which texts write in several ways. */
const FEWEST_DIGITS = 3;
/** Without any letter, as in telephone and account numbers. */
const FEWEST_DIGITS_ALONE = 6;

const foldCode = (text: string): string => text.normalize('NFKC').toLowerCase();
const codeParts = (joined: string): Code => foldCode(joined).split(SEPARATOR);

const digitsIn = (text: string): number => text.match(/\p{N}/gu)?.length ?? 0;

const isCode = (joined: string): boolean => {
  if (DATE.test(joined) || MEASURE.test(joined)) return false;
  const parts = joined.split(SEPARATOR).filter((part) => !NUMERAL.test(part));
  const digits = parts.reduce((sum, part) => sum + digitsIn(part), 0);
  return digits >= (/\p{L}/u.test(joined) ? FEWEST_DIGITS : FEWEST_DIGITS_ALONE);
};

export const codesIn = (query: string): Code[] => [
  ...new Map(
    (query.match(JOINED) ?? []).filter(isCode).map((joined) => [foldCode(joined), codeParts(joined)]),
  ).values(),
];

const containsCode = (words: ReadonlySet<string>, code: Code): boolean =>
  code.every((part) => words.has(part));

/** Equal in some parts, but not in all. */
const isSibling = (one: Code, other: Code): boolean =>
  one.some((part, at) => other[at] === part) &&
  (one.length !== other.length || one.some((part, at) => other[at] !== part));

/** True: the text names siblings of the codes, and none of the codes themselves. */
export const namesOtherCode = (text: string, codes: readonly Code[]): boolean => {
  const words = new Set(foldCode(text).match(WORDS) ?? []);
  if (codes.some((code) => containsCode(words, code))) return false;
  const named = (text.match(JOINED) ?? []).map(codeParts);
  return named.some((one) => codes.some((code) => isSibling(one, code)));
};
