// The characters of a text: if they are plain, and scripts that are written without spaces, where a "word" is found by its pairs of characters.

/** ASCII and common typographic marks (dashes, curly quotes, no-break space): most texts, and no letters to fold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a text holds tabs and ends of lines
const PLAIN = /^[\x00-\x7f\u00a0\u2010-\u205e]*$/;

/** True: its letters are those of ASCII. */
export const isPlainText = (text: string): boolean => PLAIN.test(text);

const UNSPACED_CLASS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc`;

const STARTS_UNSPACED = new RegExp(`^[${UNSPACED_CLASS}]`, 'u');
const RUNS = new RegExp(`[${UNSPACED_CLASS}]+|[^${UNSPACED_CLASS}]+`, 'gu');

/** Thai: the first of them. Nearly every word begins below, and to see that takes a fraction of the expression. */
const FIRST_UNSPACED = 0x0e00;

export const isUnspaced = (token: string): boolean =>
  token.charCodeAt(0) >= FIRST_UNSPACED && STARTS_UNSPACED.test(token);

/** "iphone15を買った" → "iphone15", "を買った": each part wholly in unspaced scripts or wholly outside them. */
export const splitByScript = (word: string): string[] => word.match(RUNS) ?? [];

const WORD_CHARACTERS = /[\p{Script=Han}\p{Script=Hangul}]/gu;

/** The characters that can be words on their own ("猫", "책"), each once. */
export const wordCharacters = (run: string): string[] => [...new Set(run.match(WORD_CHARACTERS))];

/** Overlapping pairs of characters; a single character is returned as it is. */
export const bigrams = (run: string): string[] => {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  const pairs: string[] = [];
  for (let at = 1; at < characters.length; at++) pairs.push(`${characters[at - 1]}${characters[at]}`);
  return pairs;
};
