// A query as ranking reads it.
import { analyseQuery } from '../../lib/text/analyse.ts';
import { asksWhen, type DateRange, dateRanges } from '../../lib/text/dates.ts';
import { type Code, codesIn } from './codes.ts';

/** More words than this are a pasted text; its beginning says what it is about. */
const MOST_TERMS = 128;

export interface Question {
  text: string;
  /** Distinct, in order of appearance. */
  terms: readonly string[];
  /** How often the query says each: repeated words are kept because they tell what a long query is about. */
  repeats: readonly number[];
  asksWhen: boolean;
  dates: readonly DateRange[];
  codes: readonly Code[];
}

export function readQuestion(text: string): Question {
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
}
