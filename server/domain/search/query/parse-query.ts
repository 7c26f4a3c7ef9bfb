// Reads a query for ranking: its terms, dates and codes.
import { analyseQuery } from '../../../lib/text/analyse.ts';
import { asksWhen, type DateRange, dateRanges } from '../../../lib/text/dates/question-dates.ts';
import { type Code, codesIn } from '../words/codes.ts';

/** A query with more words is a pasted text; its beginning says what it is about. */
const MOST_TERMS = 128;

export interface ParsedQuery {
  text: string;
  /** Distinct, in order of appearance. */
  terms: readonly string[];
  /** The number of times that the query holds each term: repeated words show what a long query is about. */
  repeats: readonly number[];
  asksWhen: boolean;
  dates: readonly DateRange[];
  codes: readonly Code[];
}

export const parseQuery = (text: string): ParsedQuery => {
  const counts = new Map<string, number>();
  for (const term of analyseQuery(text)) {
    const count = counts.get(term);
    if (count !== undefined || counts.size < MOST_TERMS) counts.set(term, (count ?? 0) + 1);
  }
  return {
    text,
    terms: [...counts.keys()],
    repeats: [...counts.values()],
    asksWhen: asksWhen(text),
    dates: dateRanges(text),
    codes: codesIn(text),
  };
};
