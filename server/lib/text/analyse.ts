// From text to the terms that it is indexed and searched by. Index and query pass through the same steps.
import { porter } from './porter.ts';
import { bigrams, isUnspaced, splitByScript, wordCharacters } from './scripts.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Databases limit a lexeme's size; the rest of a longer "word" (a blob of base64, say) distinguishes nothing. */
const LONGEST_TERM = 128;
/** Longer words are rare: not worth a place in the cache. */
const LONGEST_CACHED = 40;
const CACHED_WORDS = 32_768;

/** ASCII and common typographic marks (dashes, curly quotes, no-break space): most texts, and no letters to fold. */
const PLAIN = /^[\p{ASCII}\u00a0\u2010-\u205e]*$/u;
const PLAIN_WORDS = /[a-z0-9]+(?:'[a-z0-9]+)*/g;

/** Marks, joiners and the soft hyphen belong to the word that they stand in. */
const WORD_PART = String.raw`[\p{L}\p{N}\p{M}\u00ad\u200c\u200d\u2060\ufeff]+`;
const WORDS = new RegExp(`${WORD_PART}(?:'${WORD_PART})*`, 'gu');
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07]/g;

/** Voicing marks of kana (U+3099, U+309A) make other letters, so they stay and are composed again. */
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

/** A word's terms: most words have one, a stop word none. */
type Terms = string | readonly string[];
const NONE: Terms = [];

// Two generations in place of an exact least-recently-used list: what is asked for again moves to the young one.
let young = new Map<string, Terms>();
let old = new Map<string, Terms>();

const isAscii = (word: string): boolean => /^\p{ASCII}*$/u.test(word);

/** Strips accents and compatibility forms: "é" → "e", "ｶﾞ" → "ガ", "ﬁ" → "fi". */
const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(DROPPED, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(TO_SPELL_OUT, (letter) => SPELT_OUT[letter] ?? letter);

const stem = (word: string): string => (/^[a-z]+$/.test(word) ? porter(word) : word);

const withoutApostrophes = (word: string): string =>
  word.includes("'") ? word.replace(/'s$/, '').replaceAll("'", '') : word;

/** "The": alone, or behind "and", "with", "as", "so", or "for the" in one. A stem of three letters is left. */
const ARABIC_ARTICLE = /^(?:[\u0648\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)(?=\p{Script=Arabic}{3})/u;

const withoutArticle = (word: string): string => word.replace(ARABIC_ARTICLE, '');

function pushTerms(word: string, terms: string[]): void {
  const parts = isAscii(word) ? [word] : (fold(word).match(TERM_PARTS) ?? []).flatMap(splitByScript);
  for (const part of parts) {
    if (isUnspaced(part)) for (const pair of bigrams(part)) terms.push(pair);
    else terms.push(stem(withoutArticle(part).slice(0, LONGEST_TERM)));
  }
}

function computeTerms(word: string): Terms {
  const bare = withoutApostrophes(word);
  if (STOP_WORDS.has(word) || STOP_WORDS.has(bare)) return NONE;
  const terms: string[] = [];
  pushTerms(bare, terms);
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : terms;
}

function remember(word: string, terms: Terms): void {
  if (young.size >= CACHED_WORDS) {
    old = young;
    young = new Map();
  }
  young.set(word, terms);
}

function termsOf(word: string): Terms {
  const known = young.get(word);
  if (known !== undefined) return known;
  if (word.length > LONGEST_CACHED) return computeTerms(word);
  // A copy: a word cut out of a text would keep the whole text in memory for as long as it is cached.
  const copy = Buffer.from(word, 'utf16le').toString('utf16le');
  const terms = old.get(copy) ?? computeTerms(copy);
  remember(copy, terms);
  return terms;
}

function wordsOf(text: string): readonly string[] {
  const marked = text.replace(APOSTROPHES, "'");
  if (PLAIN.test(marked)) return marked.toLowerCase().match(PLAIN_WORDS) ?? [];
  return marked.normalize('NFKC').toLowerCase().match(WORDS) ?? [];
}

/** The terms of a text in order, repeats kept: folded, stop words dropped, English words stemmed. */
export function analyse(text: string): string[] {
  const found: string[] = [];
  for (const word of wordsOf(text)) {
    const terms = termsOf(word);
    if (typeof terms === 'string') found.push(terms);
    else for (const term of terms) found.push(term);
  }
  return found;
}

const MAY_HOLD_WORD_CHARACTERS = /[\p{Script=Han}\p{Script=Hangul}]/u;

/**
 * Characters that are words and stand within longer runs, which are indexed by pairs: so that one who asks for "猫" finds
 * "うちの猫は". Each once; those that stand alone are terms already.
 */
export function analyseCharacters(text: string): string[] {
  if (!MAY_HOLD_WORD_CHARACTERS.test(text)) return [];
  const runs = wordsOf(text).flatMap((word) => splitByScript(fold(word)));
  return wordCharacters(runs.filter((run) => isUnspaced(run) && Array.from(run).length > 1).join(''));
}

/** As `analyse`, but a query made of stop words alone ("who am I?") keeps them. */
export function analyseQuery(query: string): string[] {
  const found = analyse(query);
  if (found.length === 0) for (const word of wordsOf(query)) pushTerms(withoutApostrophes(word), found);
  return found;
}
