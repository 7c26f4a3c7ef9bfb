// Splits a sentence into words and separators, and holds small sets of English words that many rules use.
import { isPlainText } from '../../../../../lib/text/language/scripts.ts';

export interface Token {
  readonly word: string;
  readonly lower: string;
  /** The position in the text. */
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}]+(?:['’.\-&/][\p{L}\p{N}]+)*(?:['’](?![\p{L}\p{N}]))?/gu;
/** The same in a text without other letters: tables of all letters of the world are slow. */
const PLAIN_WORD = /[a-z0-9]+(?:['’.\-&/][a-z0-9]+)*(?:['’](?![a-z0-9]))?/gi;

export const tokensOf = (text: string): Token[] => {
  const found: Token[] = [];
  const pattern = isPlainText(text) ? PLAIN_WORD : WORD;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [word] = match;
    found.push({ word, lower: word.toLowerCase(), start: match.index, end: pattern.lastIndex });
  }
  return found;
};

/** "Anna's" → "Anna", "the boys'" → "the boys". */
export const withoutOwner = (word: string): string =>
  /['’]/.test(word) ? word.replace(/['’]s?$/, '') : word;

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Adverbs between a subject and its verb, or inside a verb, that do not change a fact. */
export const ADVERBS = wordSet(`
  also always already actually absolutely just really still usually often sometimes currently now recently finally
  mostly generally normally typically rarely seldom never only even simply truly totally completely definitely certainly
  probably officially originally basically honestly personally kinda occasionally regularly frequently constantly
  sincerely deeply particularly especially both all eventually soon later since ever quite very so quickly suddenly
  apparently obviously unfortunately luckily sadly hardly barely almost nearly lately secretly proudly happily again
  successfully literally specifically gladly once twice first next then newly mainly primarily temporarily permanently`);

/** Adverbs that make a present tense a habit. */
export const HABIT_ADVERBS = wordSet(
  'always usually often sometimes normally generally typically rarely seldom never regularly occasionally frequently mostly',
);

export const DETERMINERS = wordSet(
  'a an the this that these those my our your his her its their some any no every each another both all two three four five six seven eight nine ten several many most few',
);

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
};

/** For patterns: "one" to "twelve". */
export const NUMBER_WORD = Object.keys(NUMBERS)
  .filter((word) => !/^an?$/.test(word))
  .join('|');

/** 3 for "three" and for "3"; NaN for any other word. */
export const numberOf = (word: string): number => NUMBERS[word.toLowerCase()] ?? Number(word);

export const capitalised = (text: string): string => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
};

/** Removes the final punctuation; memories are lines, not prose. */
export const withoutEnd = (text: string): string => text.replace(/[\s.!…,;:]+$/u, '').trim();
