// The language of a text, by the n-grams of eld. A short text in Latin letters is easily mistaken, so English wins where it is close.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { FUNCTION_WORDS, type FunctionWordLanguage } from './function-words.ts';
import { areEnglishWords, areMostlyEnglish } from './parts-of-speech.ts';
import { isPlainText } from './scripts.ts';
import { STOP_WORDS } from './stop-words.ts';

interface Detector {
  detect(text: string): { readonly language: string; getScores(): Readonly<Record<string, number>> };
}

let loaded: Detector | null = null;

/** The smallest set of n-grams: 33 MB of heap and 0.3 s, loaded on first use. The package has no entry for `require`. */
const detector = (): Detector => {
  if (loaded) return loaded;
  const entry = fileURLToPath(import.meta.resolve('eld/extrasmall'));
  loaded = (createRequire(import.meta.url)(entry) as { eld: Detector }).eld;
  return loaded;
};

const SAMPLE = 400;
/** English within this distance of the best language is English if the text holds English function words. */
const CLOSE = 0.12;
const ENGLISH_WORDS =
  /\b(?:the|is|are|am|was|were|my|i'm|i've|and|of|to|with|have|has|had|not|don't|this|that|you|your|we|our|he|she|his|her|they|it|for|at|on|an|be|will|can)\b|^I [a-z]+/gi;
/** Words of English that are words of Dutch too. */
const ALSO_DUTCH = /^(?:is|was|of|we|had|at|an)$/i;
/** Capitalised words, apart from labels: "Wohnort: Graz". */
const NAMES = /\p{Lu}[\p{L}'’-]+(?![\p{L}'’:-])/gu;
const LATIN_WORDS = /[a-z]+(?:['’][a-z]+)*/g;
const OTHER_LETTERS = /[\u0080-\u200f\u203b-\u{10ffff}]/u;
/** Too short to tell: "Oh no" is Portuguese to the n-grams. */
const FEWEST_WORDS = 3;

/** A name outweighs the words of a short text: "Sven lives in Malmö" is Swedish to the n-grams. */
const SHORT_WORDS = 12;

const leadOf = (text: string): number => {
  const { language, getScores } = detector().detect(text);
  const scores = getScores();
  return (scores[language] ?? 0) - (scores.en ?? 0);
};

/** English in its words, and close to English with or without the names. */
const isShortEnglish = (sample: string, withoutNames: string): boolean =>
  sample.split(/\s+/).length <= SHORT_WORDS &&
  areEnglishWords(withoutNames) &&
  Math.min(leadOf(sample), leadOf(withoutNames)) <= CLOSE;

const VALUE = /\d/;
const PLAIN = /(?<![\p{L}\d'’_.-])\p{Ll}{3,}(?![\p{L}\d'’_-])/gu;

/** "shoes 42, ring 58": a line of values has no words of grammar, by which languages are told apart. */
const isEnglishValue = (sample: string, nearest: string): boolean => {
  const words = sample.match(PLAIN) ?? [];
  return (
    VALUE.test(sample) &&
    sample.split(/\s+/).length <= SHORT_WORDS &&
    words.length > 0 &&
    areEnglishWords(words.join(' ')) &&
    !words.some((word) => FUNCTION_WORDS[nearest as FunctionWordLanguage]?.has(word))
  );
};

/** "Maintainer: Liv": the words of a list with labels are mostly names and numbers. */
const LABELS = /(?:^|\n|[.;] )[-*# ]*(?<label>\p{L}[\p{L} ]{1,30}):/gu;

/** Most of its labels are English words, and it is close to English. */
const isEnglishList = (sample: string): boolean => {
  const labels = [...sample.matchAll(LABELS)].map(({ groups }) => groups?.label?.toLowerCase() ?? '');
  const english = labels.filter(areEnglishWords);
  const isWhole = english.length > 0 && english.length === labels.length;
  return english.length > labels.length / 2 && leadOf(sample) <= (isWhole ? 2 * CLOSE : CLOSE);
};

/** Words of English that are words of Danish, Romanian and others too. */
const ALSO_OTHER = new Set(
  'are can for had has have her men once over same some than then under until'.split(' '),
);
const EVERYDAY =
  'my it like love know think things glad sounds really thanks great good going keep looks hear wow hey yeah awesome'.split(
    ' ',
  );
/** Words of grammar and of talk that no other language has. */
const ENGLISH_ONLY: ReadonlySet<string> = new Set([
  ...EVERYDAY,
  ...[...STOP_WORDS].filter(
    (word) =>
      word.length >= 3 &&
      !ALSO_OTHER.has(word) &&
      !Object.values(FUNCTION_WORDS).some((words) => words.has(word)),
  ),
]);
const ENOUGH_ENGLISH = 3;
const ENOUGH_OF_ALL = 0.2;

/** True: enough words are English alone, so that no letters need to be counted. */
const isPlainlyEnglish = (sample: string): boolean => {
  if (OTHER_LETTERS.test(sample)) return false;
  const words = sample.toLowerCase().match(LATIN_WORDS) ?? [];
  const found = words.filter((word) => ENGLISH_ONLY.has(word));
  return found.length >= words.length * ENOUGH_OF_ALL && new Set(found).size >= ENOUGH_ENGLISH;
};

const nearestLanguage = (text: string): string => {
  const sample = text.slice(0, SAMPLE);
  if (isPlainlyEnglish(sample)) return 'en';
  const plain = sample.replace(NAMES, '');
  const isPlain = !OTHER_LETTERS.test(plain);
  if (isPlain && sample.split(/\s+/).length < FEWEST_WORDS) return 'en';
  const { language, getScores } = detector().detect(sample);
  if (language === 'en' || language === '') return 'en';
  if (isPlain && (isShortEnglish(sample, plain) || isEnglishValue(sample, language) || isEnglishList(sample)))
    return 'en';
  const scores = getScores();
  const found = sample.match(ENGLISH_WORDS) ?? [];
  const words = found.filter((word) => language !== 'nl' || !ALSO_DUTCH.test(word)).length;
  const lead = (scores[language] ?? 0) - (scores.en ?? 0);
  return isPlain && words > 0 && lead <= CLOSE * (/^I\b/.test(sample) ? 3 : Math.min(words, 2))
    ? 'en'
    : language;
};

/** ISO 639-2 has this code for a text in no language that can be told. */
const UNDETERMINED = 'und';
/** Words that are neither names nor short. */
const PLAIN_WORDS = /(?<![\p{L}\d'’_.-])\p{Ll}{4,}(?![\p{L}\d'’_-])/gu;
const PLAIN_LATIN_WORDS = /(?<![A-Za-z\d'’_.-])[a-z]{4,}(?![A-Za-z\d'’_-])/g;
const ENOUGH_PLAIN_WORDS = 5;
/** Names of products and slips of the keyboard may be most words of a note, but not nearly all. */
const LEAST_ENGLISH = 0.2;

/** Hardly one of its words is English, apart from function words: random letters, encoded data. */
const isStrange = (sample: string): boolean => {
  const words = (sample.match(isPlainText(sample) ? PLAIN_LATIN_WORDS : PLAIN_WORDS) ?? []).filter(
    (word) => !STOP_WORDS.has(word),
  );
  return words.length >= ENOUGH_PLAIN_WORDS && !areMostlyEnglish(words, LEAST_ENGLISH);
};

/** The ISO 639-1 code; English for a text without letters, `und` for one without known words. */
export const languageOf = (text: string): string => {
  const language = nearestLanguage(text);
  return language === 'en' && isStrange(text.slice(0, SAMPLE)) ? UNDETERMINED : language;
};
