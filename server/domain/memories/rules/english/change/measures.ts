// The measurable parts of a statement: times of the week and of the day, and numbers. Another one replaces them.
import { ruleTerms } from '../grammar/terms.ts';
import { isNumeral, type VerbToken, verbTokensOf } from '../grammar/verbs.ts';

const TIMES =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:week|month|year)(?:end|day|ly)s?|daily|mornings?|evenings?|afternoons?|nights?|noon|midnight|once|twice|january|february|march|april|may|june|july|august|september|october|november|december)$/;
/** Part of a date or of a span: when something was said or began is no measure of it. */
const DATES =
  /\b(?:on|in|since|from|until|around) (?:\p{L}+day )?(?:\d{1,2}(?:st|nd|rd|th)? \p{Lu}\p{L}+(?: \d{4})?|\p{L}+ \d{4}|\d{4})\b|\bfor \S+ (?:days|weeks|months|years)\b/gu;

interface Measured {
  readonly measures: readonly string[];
  /** The other terms, which say what is measured. */
  readonly others: readonly string[];
}

const isMeasure = (token: VerbToken): boolean =>
  /^\d/.test(token.lower) || TIMES.test(token.lower) || isNumeral(token);

/** "year four" of "year four at Hillcrest": the words up to the measure and those that belong to it. */
export const aroundMeasure = (text: string): string => {
  const [said = ''] = text.split(/[,;]/);
  const tokens = verbTokensOf(said);
  const measure = tokens.findIndex(isMeasure);
  const behind = tokens.find(
    (token, at) =>
      measure >= 0 && at > measure && /^(?:ADP|SCONJ)$/.test(token.pos) && token.lower !== 'over',
  );
  return behind && !tokens.some((token) => token.start > behind.start && isMeasure(token))
    ? said.slice(0, behind.start)
    : said;
};

/** "ledger number 39": another number is another ledger. */
const IDENTIFIES =
  /^(?:numbers?|no|nr|chapter|page|part|section|paragraph|line|row|item|question|exercise|issue|ticket|order|invoice|rule|law|article)$/;

export const measuredApart = (text: string): Measured => {
  const words = verbTokensOf(text.replace(DATES, ''));
  const identifying = new Set(
    words.filter((token, at) => isMeasure(token) && IDENTIFIES.test(words[at - 1]?.lower ?? '')),
  );
  const isValue = (token: VerbToken): boolean => isMeasure(token) && !identifying.has(token);
  const termsOf = (some: readonly { lower: string }[]): string[] =>
    some.length === 0 ? [] : ruleTerms(some.map(({ lower }) => lower).join(' '));
  return {
    measures: termsOf(words.filter(isValue)),
    others: termsOf(words.filter((token) => !isValue(token))),
  };
};

export const measuresOf = (text: string): readonly string[] => measuredApart(text).measures;

const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'date',
    /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may \d|\d may|june|july|august|september|october|november|december)\b/i,
  ],
  [
    'time',
    /\b\d{1,2}:\d\d\b|\b\d{1,2} ?(?:am|pm)\b|\b(?:at|from|until|till) \d{1,2}\b(?! \p{Lu})|\bo'clock\b|\b(?:noon|midnight)\b/u,
  ],
  ['money', /[€$£]|\b(?:euros?|dollars?|pounds|francs?|kronor)\b/i],
];
const UNIT =
  /\b\d+(?:[.,]\d+)* ?(?<unit>%|(?!(?:over|and|or|to|at|in|on|of|for|from|with|since|until|by|the|a|an|every|each|now|because)\b)\p{L}+)/gu;

/** "date", "time", "money", or the unit behind the number: values of one kind can replace each other. */
export const measureKindsOf = (text: string): readonly string[] => {
  const kinds = KINDS.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));
  if (kinds.length > 0) return kinds;
  const units = [...text.matchAll(UNIT)].flatMap(({ groups }) => ruleTerms(groups?.unit ?? ''));
  return units.length > 0 ? units : /\d/.test(text) ? ['number'] : [];
};
