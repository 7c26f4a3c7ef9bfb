// Tells whether a finished sentence is self-contained, and what it says beside its speaker.
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
