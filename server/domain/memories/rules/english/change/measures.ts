// The measurable parts of a statement: times of the week and of the day, and numbers. Another one replaces them.
import { ruleTerms } from '../grammar/terms.ts';
import { verbTokensOf } from '../grammar/verbs.ts';

const TIMES =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:week|month|year)(?:end|day|ly)s?|daily|mornings?|evenings?|afternoons?|nights?|noon|midnight|once|twice|january|february|march|april|may|june|july|august|september|october|november|december)$/;
/** Part of a date or of a span: when something was said or began is no measure of it. */
const DATES =
  /\b(?:on|in|since|from|until|around) (?:\p{L}+day )?(?:\d{1,2}(?:st|nd|rd|th)? \p{L}+(?: \d{4})?|\p{L}+ \d{4}|\d{4})\b|\bfor \S+ (?:days|weeks|months|years)\b/gu;

interface Measured {
  readonly measures: readonly string[];
  /** The other terms, which say what is measured. */
  readonly others: readonly string[];
}

export const measuredApart = (text: string): Measured => {
  const isMeasure = ({ lower, pos }: { lower: string; pos: string }): boolean =>
    pos === 'NUM' || TIMES.test(lower) || /^\d/.test(lower);
  const tokens = verbTokensOf(text.replace(DATES, ''));
  const termsOf = (words: readonly { lower: string }[]): string[] =>
    words.length === 0 ? [] : ruleTerms(words.map(({ lower }) => lower).join(' '));
  return {
    measures: termsOf(tokens.filter(isMeasure)),
    others: termsOf(tokens.filter((token) => !isMeasure(token))),
  };
};

export const measuresOf = (text: string): readonly string[] => measuredApart(text).measures;
