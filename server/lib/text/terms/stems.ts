// Stems of words in languages other than English, by Snowball. They stand beside the terms of `analyse`, which stem English
// alone: each carries its language, so that no word of another language meets it by chance.
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import {
  countLanguages,
  elidedWord,
  FUNCTION_WORDS,
  type FunctionWordCounts,
  type FunctionWordLanguage,
  withoutElidedWord,
} from '../language/function-words.ts';
import { isPlainText, isUnspaced } from '../language/scripts.ts';
import { analyse, foldWord, type Word, wordsOfText } from './analyse.ts';

type StemmedLanguage = FunctionWordLanguage | 'ru';

const STEMMERS: Readonly<Record<StemmedLanguage, (word: string) => string>> = {
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  ru: russian,
};

/** The tokeniser of the keyword index keeps it: it is no ASCII. */
const MARK = '·';
const LONGEST_STEM = 60;
const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const LETTERS = /^\p{L}+$/u;

const isFunctionWord = (word: string, language: StemmedLanguage): boolean =>
  language !== 'ru' && FUNCTION_WORDS[language].has(word);

const stemIn = (word: string, language: StemmedLanguage): string =>
  `${language}${MARK}${foldWord(STEMMERS[language](word))}`;

const stemsOfWord = (word: string, languages: readonly StemmedLanguage[]): string[] => {
  const bare = withoutElidedWord(word).normalize('NFC');
  if (!LETTERS.test(bare) || bare.length > LONGEST_STEM || isUnspaced(bare)) return [];
  if (CYRILLIC.test(bare)) return [stemIn(bare, 'ru')];
  return languages.flatMap((language) => (isFunctionWord(bare, language) ? [] : [stemIn(bare, language)]));
};

/** A letter that English lacks decides where a text has as many function words of English as of another language ("as" and "no" are Portuguese too). */
const NOT_ENGLISH = /[ß-öø-ÿœ]/u;

/** The languages with the most function words; several where they tie. */
const likeliest = ({ english, others }: FunctionWordCounts, fewest: number): StemmedLanguage[] => {
  const most = Math.max(...others.map(([, count]) => count));
  if (most < Math.max(fewest, english)) return [];
  return others.flatMap(([language, count]) => (count === most ? [language] : []));
};

/** The stems of a text whose words are known. */
export const stemsOfText = (text: string, words: readonly Word[]): string[] => {
  const { english, others } = countLanguages([words]);
  const fewest = NOT_ENGLISH.test(text) ? Math.max(1, english) : english + 1;
  const languages = likeliest({ english, others }, fewest);
  // Nearly every text: English, without a word that tells its language by its script.
  if (languages.length === 0 && isPlainText(text)) return [];
  return words.flatMap((word) => stemsOfWord(word.text, languages));
};

/** The stems of a text in order, repeats kept; none of an English text, whose function words are in the majority. */
export const stemsOf = (text: string): string[] => stemsOfText(text, wordsOfText(text));

const LATIN: readonly StemmedLanguage[] = ['de', 'fr', 'es', 'it', 'nl', 'pt'];

/** "habite" for "j'habite": a text may hold it without the word before it, and say too little to be stemmed. */
const termsBehindElided = (word: string): string[] =>
  elidedWord(word) === null ? [] : analyse(withoutElidedWord(word));

/** The words that a stored text may hold in place of a word of a query: its stems in each language that the query may be in. */
export const createStemsOfQuery = (query: string): ((word: string) => string[]) => {
  const { english, others } = countLanguages([wordsOfText(query)]);
  const isUnclear = english === 0 && others.every(([, count]) => count === 0);
  const languages = isUnclear ? LATIN : likeliest({ english, others }, 1);
  return (word) => [...termsBehindElided(word), ...stemsOfWord(word, languages)];
};
