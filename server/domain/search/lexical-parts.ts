// Why a place has the strength in words that it has: by term and by field. Asked only where somebody wants to know.
import type { KeywordMatches } from '../../adapters/store/port.ts';
import { TERM_FIELDS } from '../../lib/text/terms.ts';
import { saturated, visitFields, type Weighed, type Weighing, weigh } from './lexical.ts';
import type { Question } from './question.ts';
import type { Rarity } from './rarity.ts';
import type { Threads } from './threads.ts';

/** Where a word may stand: in a field of the text itself, or in what its neighbours lend it. */
export const WORD_FIELDS = ['body', 'title', 'date', 'speaker', 'relativeDates', 'neighbours'] as const;
export type WordField = (typeof WORD_FIELDS)[number];
export type ByField = Record<WordField, number>;

export interface TermPart {
  term: string;
  /** Its share of what could be reached. */
  share: number;
  /** What it gives here. */
  strength: number;
  fields: ByField;
}

export interface WordParts {
  /** The sum of its terms. */
  strength: number;
  fields: ByField;
  terms: TermPart[];
}

export interface Place {
  n: number;
  document: { n: number };
  position: number;
}

const NAMES: Readonly<Record<(typeof TERM_FIELDS)[number], WordField>> = {
  body: 'body',
  title: 'title',
  head: 'date',
  speaker: 'speaker',
  relative: 'relativeDates',
  characters: 'body',
};

const nothing = (): ByField => ({
  body: 0,
  title: 0,
  date: 0,
  speaker: 0,
  relativeDates: 0,
  neighbours: 0,
});

/** What each field gives to each term; what is left of a term's weight its neighbours lent. */
function weightsByField(row: Weighed, found: KeywordMatches, question: Question): ByField[] {
  const byTerm = question.terms.map(nothing);
  const match = found.matches.find(({ n }) => n === row.n);
  const add = (term: number, field: WordField, weight: number) => {
    const fields = byTerm[term];
    if (fields) fields[field] += weight;
  };
  if (match)
    visitFields(match, found.averageBodyTokens, (term, field, weight) => {
      const name = TERM_FIELDS[field];
      if (name !== undefined) add(term, NAMES[name], weight);
    });
  for (const [term, fields] of byTerm.entries()) {
    const own = WORD_FIELDS.reduce((sum, field) => sum + fields[field], 0);
    fields.neighbours = Math.max(0, (row.weights[term] ?? 0) - own);
  }
  return byTerm;
}

function partOf(term: string, share: number, weight: number, fields: ByField): TermPart {
  const strength = weight > 0 ? share * saturated(weight) : 0;
  const each = nothing();
  for (const field of WORD_FIELDS) each[field] = weight > 0 ? (strength * fields[field]) / weight : 0;
  return { term, share, strength, fields: each };
}

const rowAt = ({ rows }: Weighing, { n, document, position }: Place): Weighed | undefined =>
  rows.find((row) => row.n === n) ??
  rows.find((row) => row.n === null && row.document === document.n && row.position === position);

/** Of one search: what its words give to any place; null where none of them speaks for it. */
export function explainWords(
  found: KeywordMatches,
  question: Question,
  limit: number,
  rarity: Rarity,
  threads: Threads,
): (place: Place) => WordParts | null {
  const weighing = weigh(found, question, limit, rarity, threads);
  const { terms, ideal } = weighing;
  return (place) => {
    const row = rowAt(weighing, place);
    if (row === undefined || ideal === 0) return null;
    const byField = weightsByField(row, found, question);
    const parts = question.terms.map((term, at) =>
      partOf(term, (terms[at] ?? 0) / ideal, row.weights[at] ?? 0, byField[at] ?? nothing()),
    );
    const fields = nothing();
    for (const part of parts) for (const field of WORD_FIELDS) fields[field] += part.fields[field];
    return { strength: parts.reduce((sum, { strength }) => sum + strength, 0), fields, terms: parts };
  };
}
