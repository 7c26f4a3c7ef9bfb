// Reads a query for ranking: its terms, dates and codes.

import { inWordsOfAttributes } from '../../../lib/text/attributes.ts';
import { asksWhen, type DateRange, dateRanges } from '../../../lib/text/dates/question-dates.ts';
import { queryWords } from '../../../lib/text/terms/analyse.ts';
import { inflectionsOf } from '../../../lib/text/terms/derivations.ts';
import { createStemsOfQuery } from '../../../lib/text/terms/stems.ts';
import { type Code, codesIn } from '../words/codes.ts';

/** A query with more words is a pasted text; its beginning says what it is about. */
const MOST_TERMS = 128;

export interface ParsedQuery {
  text: string;
  /** Distinct, in order of appearance. */
  terms: readonly string[];
  /** Other words that count as each term: irregular forms ("went" for "go") and stems in the query's language. */
  forms: readonly (readonly string[])[];
  /** The number of times that the query holds each term: repeated words show what a long query is about. */
  repeats: readonly number[];
  asksWhen: boolean;
  dates: readonly DateRange[];
  codes: readonly Code[];
}

export const parseQuery = (text: string): ParsedQuery => {
  const counts = new Map<string, number>();
  const forms = new Map<string, readonly string[]>();
  const stemsOf = createStemsOfQuery(text);
  for (const { word, terms } of queryWords(inWordsOfAttributes(text)))
    for (const term of terms) {
      const count = counts.get(term);
      if (count === undefined && counts.size >= MOST_TERMS) continue;
      counts.set(term, (count ?? 0) + 1);
      if (count === undefined) forms.set(term, [...inflectionsOf(term), ...stemsOf(word)]);
    }
  return {
    text,
    terms: [...counts.keys()],
    forms: [...forms.values()],
    repeats: [...counts.values()],
    asksWhen: asksWhen(text),
    dates: dateRanges(text),
    codes: codesIn(text),
  };
};
