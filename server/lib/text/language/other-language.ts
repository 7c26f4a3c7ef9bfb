// Tells a text in another language than English from its letters and its words of grammar, quickly enough for every query.
import { countFunctionWords } from './function-words.ts';

const LETTERS = /\p{L}/gu;
const WORDS = /[\p{L}\p{M}]+/gu;
const LATIN_LETTERS = /\p{Script=Latin}/gu;

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/** False where nothing tells, as for a single word. */
export const isInOtherLanguage = (text: string): boolean => {
  if (2 * countOf(text, LATIN_LETTERS) < countOf(text, LETTERS)) return true;
  const { english, others } = countFunctionWords(text.normalize('NFC').toLowerCase().match(WORDS) ?? []);
  return Math.max(...others.map(([, count]) => count)) > english;
};
