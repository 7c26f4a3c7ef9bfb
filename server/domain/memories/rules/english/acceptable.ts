// Tells whether a finished sentence is self-contained, and what it says beside its speaker.

import { areMostlyEnglish } from '../../../../lib/text/language/parts-of-speech.ts';
import { ruleTerms } from './grammar/terms.ts';
import { wordSet } from './grammar/words.ts';

/** Adjectives and verbs of a passing mood, which alone are not worth a memory. */
const MOODS = wordSet(
  'feel felt happi glad excit thrill grate thank good great fine okai ok sure tire bore busi sorri proud agre know think guess hope mean understand realli amaz nice love wonder bless honor surpris curiou ready readi back here soon luck lucki',
);

/** Words that refer to something outside the sentence. */
const POINTS_AWAY =
  /^(?:he|she|it|they|this|that|these|those|him|her|his|its|their|them|which|who|whose|such|both|neither|either|one|ones|you|your)\b/i;

export const pointsAway = (text: string): boolean => POINTS_AWAY.test(text);

/** The terms of the content, without those of the speaker. */
export const contentTerms = (text: string, speaker: string): string[] => {
  const own = new Set(ruleTerms(speaker));
  return ruleTerms(text).filter((term) => !own.has(term) && !MOODS.has(term));
};

/** A short sentence in another language may pass for English: so many of its words must be. */
const ENGLISH = 0.5;
/** "4.8 kilos", "Rspack, 11 s": beside a number, a word that the model lacks is a unit or a name. */
const ENOUGH_WORDS = 2;

/** "Mam 39 lat", "Mój numer to 601 555 014": of so few words, the first tells the language. */
const POLISH = /^(?:mam (?=\d+ lat)|(?:mój|moja|moje|jestem|mieszkam|pracuję) )/iu;

export const isInEnglish = (said: string): boolean => {
  if (POLISH.test(said)) return false;
  const plain = said.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? [];
  if (/\d/.test(said)) return plain.length < ENOUGH_WORDS || areMostlyEnglish(plain, ENGLISH);
  return areMostlyEnglish(said.toLowerCase().match(/\p{L}+/gu) ?? [], ENGLISH);
};
