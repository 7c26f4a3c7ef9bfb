// Checks that a finished sentence is self-contained: it has a verb, a content and a named subject.
import { ruleTerms } from './grammar/terms.ts';
import { isAuxiliary } from './grammar/verb-phrase.ts';
import { isPastForm, type VerbToken, verbTokensOf } from './grammar/verbs.ts';
import { DETERMINERS, wordSet } from './grammar/words.ts';

const FEWEST_WORDS = 3;
const FEWEST_TERMS = 2;

/** Adjectives and verbs of a passing mood, which alone are not worth a memory. */
const MOODS = wordSet(
  'feel felt happi glad excit thrill grate thank good great fine okai ok sure tire bore busi sorri proud agre know think guess hope mean understand realli amaz nice love wonder bless honor surpris curiou ready readi back here soon luck lucki',
);

const BEHIND_A_VERB = wordSet(
  'in on at to for with from by into through over under about like as well fast the a an its their his her',
);

const isFiniteAt = (tokens: readonly VerbToken[], at: number): boolean => {
  const token = tokens[at];
  if (!token) return false;
  const { lower, verb: known } = token;
  if (isAuxiliary(lower)) return true;
  const before = tokens[at - 1];
  if (!before || DETERMINERS.has(before.lower) || /['’]s$/.test(before.word)) return false;
  if (known) return known.forms.has('s') || known.forms.has('past') || known.forms.has('plain');
  if (isPastForm(token)) return true;
  return /[^s'’u]s$/.test(lower) && BEHIND_A_VERB.has(tokens[at + 1]?.lower ?? '');
};

const hasFiniteVerb = (tokens: readonly VerbToken[]): boolean =>
  tokens.some((_, at) => at > 0 && isFiniteAt(tokens, at));

/** Words that refer to something outside the sentence. */
const POINTS_AWAY =
  /^(?:he|she|it|they|this|that|these|those|him|her|his|its|their|them|which|who|whose|such|both|neither|either|one|ones|you|your)\b/i;

export const pointsAway = (text: string): boolean => POINTS_AWAY.test(text);

/** The terms of the content, without those of the speaker. */
export const contentTerms = (text: string, speaker: string): string[] => {
  const own = new Set(ruleTerms(speaker));
  return ruleTerms(text).filter((term) => !own.has(term) && !MOODS.has(term));
};

export const statesSomething = (text: string, speaker: string): boolean => {
  const tokens = verbTokensOf(text);
  if (tokens.length < FEWEST_WORDS || pointsAway(text) || !hasFiniteVerb(tokens)) return false;
  return contentTerms(text, speaker).length >= FEWEST_TERMS;
};
