// Turns text into the terms of the keyword index. Index and query go through the same steps.
import { hash32 } from '../../hash.ts';
import { once } from '../../once.ts';
import { languagesOfWord } from '../language/function-words.ts';
import { withoutQuestionWords } from '../language/question-words.ts';
import { bigrams, isPlainText, isUnspaced, splitByScript, wordCharacters } from '../language/scripts.ts';
import { STOP_WORDS } from '../language/stop-words.ts';
import { porter } from './porter.ts';
import { createWordTable } from './word-table.ts';

/** Databases limit the size of a lexeme; the rest of a longer "word" (such as base64) distinguishes nothing. */
const LONGEST_TERM = 128;
/** Marks, joiners and the soft hyphen belong to the word around them. */
const WORD_PART = String.raw`[\p{L}\p{N}\p{M}\u00ad\u200c\u200d\u2060\ufeff]+`;
const WORDS = new RegExp(`${WORD_PART}(?:'${WORD_PART})*`, 'gu');
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07]/g;

/** Voicing marks of kana (U+3099, U+309A) change the letter, so they are not removed but composed again. */
const DROPPED = /(?![\u3099\u309a])\p{M}|\u00ad|\u0640|\u200c|\u200d|\u2060|\ufeff/gu;
const TERM_PARTS = /[\p{L}\p{N}]+/gu;

/** Letters that have no decomposition but are commonly written without their stroke or ligature. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const TO_SPELL_OUT = /[ßæœøłđðþıς]/g;

const isAscii = (word: string): boolean => /^\p{ASCII}*$/u.test(word);

/** Strips accents and compatibility forms: "é" → "e", "ｶﾞ" → "ガ", "ﬁ" → "fi". */
export const foldWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(DROPPED, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(TO_SPELL_OUT, (letter) => SPELT_OUT[letter] ?? letter);

const stem = (word: string): string => (/^[a-z]+$/.test(word) ? porter(word) : word);

const withoutApostrophes = (word: string): string =>
  word.includes("'") ? word.replace(/'s$/, '').replaceAll("'", '') : word;

/** The article "the", alone or after "and", "with", "as" or "so", or "for the" as one word. At least three letters remain. */
const ARABIC_ARTICLE = /^(?:[\u0648\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)(?=\p{Script=Arabic}{3})/u;

const withoutArticle = (word: string): string => word.replace(ARABIC_ARTICLE, '');

const pushTerms = (word: string, terms: string[]): void => {
  if (isAscii(word)) {
    terms.push(stem(word.slice(0, LONGEST_TERM)));
    return;
  }
  for (const part of (foldWord(word).match(TERM_PARTS) ?? []).flatMap(splitByScript)) {
    if (isUnspaced(part)) for (const pair of bigrams(part)) terms.push(pair);
    else terms.push(stem(withoutArticle(part).slice(0, LONGEST_TERM)));
  }
};

/** Nearly every word has one, without a list. */
type Terms = string | readonly string[];
const NONE: Terms = [];

const termsOfWord = (word: string): Terms => {
  const bare = withoutApostrophes(word);
  if (STOP_WORDS.has(word) || STOP_WORDS.has(bare)) return NONE;
  const terms: string[] = [];
  pushTerms(bare, terms);
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : terms;
};

/** A word in lower case. */
export interface Word {
  readonly text: string;
  /** Folded and stemmed; a stop word has none. */
  readonly terms: Terms;
  /** `hash32` of the term, where it has one alone. */
  readonly hash: number;
  /** The languages in which it is a word of grammar, as the bits of `languagesOfWord`. */
  readonly languages: number;
}

const describeWord = (text: string): Word => {
  const terms = termsOfWord(text);
  return {
    text,
    terms,
    hash: typeof terms === 'string' ? hash32(terms) : 0,
    languages: languagesOfWord(text),
  };
};

const table = once(() => createWordTable(describeWord));

export interface PlacedWords {
  readonly words: readonly Word[];
  /** The place of each in the text; null: they are those of a folded text. */
  readonly starts: readonly number[] | null;
}

export const wordsWithPlaces = (text: string): PlacedWords => {
  const marked = text.replace(APOSTROPHES, "'");
  if (isPlainText(marked)) {
    const starts: number[] = [];
    return { words: table().inPlainText(marked.toLowerCase(), starts), starts };
  }
  const words = marked.normalize('NFKC').toLowerCase().match(WORDS) ?? [];
  return { words: words.map(table().of), starts: null };
};

/** The words of a text in order, repeats kept. */
export const wordsOfText = (text: string): readonly Word[] => wordsWithPlaces(text).words;

/** The terms of words in order, repeats kept: folded, stop words dropped, English words stemmed. */
export const termsOfWords = (words: readonly Word[]): string[] => {
  const found: string[] = [];
  for (const { terms } of words)
    if (typeof terms === 'string') found.push(terms);
    else for (const term of terms) found.push(term);
  return found;
};

/** True if words have at least so many terms. */
export const haveTerms = (words: readonly Word[], least: number): boolean => {
  let found = 0;
  for (const { terms } of words) {
    found += typeof terms === 'string' ? 1 : terms.length;
    if (found >= least) return true;
  }
  return false;
};

/** The terms of a text. */
export const analyse = (text: string): string[] => termsOfWords(wordsOfText(text));

const MAY_HOLD_WORD_CHARACTERS = /[\p{Script=Han}\p{Script=Hangul}]/u;

/**
 * Single characters that are words inside longer runs. Runs are indexed by pairs, so these let a query for "猫" find
 * "うちの猫は". Each is listed once; a character that stands alone is a term already.
 */
export const analyseCharacters = (text: string): string[] => {
  if (!MAY_HOLD_WORD_CHARACTERS.test(text)) return [];
  const runs = wordsOfText(text).flatMap((word) => splitByScript(foldWord(word.text)));
  return wordCharacters(runs.filter((run) => isUnspaced(run) && Array.from(run).length > 1).join(''));
};

/** A word of a query with its terms. */
export interface QueryWord {
  readonly word: string;
  readonly terms: readonly string[];
}

const termsWithStopWords = (word: string): string[] => {
  const terms: string[] = [];
  pushTerms(withoutApostrophes(word), terms);
  return terms;
};

/** The words that a search looks for: a query of stop words only ("who am I?") keeps them. */
export const queryWords = (query: string): QueryWord[] => {
  const words = wordsOfText(query).map(({ text }) => text);
  const found = withoutQuestionWords(words).flatMap((word) => {
    const { terms } = table().of(word);
    return terms.length === 0 ? [] : [{ word, terms: typeof terms === 'string' ? [terms] : terms }];
  });
  return found.length > 0 ? found : words.map((word) => ({ word, terms: termsWithStopWords(word) }));
};

/** Like `analyse`, but a query of stop words only keeps them. */
export const analyseQuery = (query: string): string[] => queryWords(query).flatMap(({ terms }) => terms);
