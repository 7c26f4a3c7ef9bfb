// The lexical evidence of one position, by term and by field. Computed only for an explanation.
import { TERM_FIELDS } from '../../../lib/text/terms/terms.ts';
import {
  type LexicalSearch,
  saturatedWeight,
  visitFields,
  type WeighedMatches,
  type WeighedPosition,
  weighMatches,
} from './lexical-evidence.ts';

/** The sources of a word's weight: a field of the text itself, or its neighbours. */
const WORD_FIELDS = ['body', 'title', 'date', 'speaker', 'relativeDates', 'neighbours'] as const;
export type WordField = (typeof WORD_FIELDS)[number];
export type ByField = Record<WordField, number>;

export interface TermPart {
  term: string;
  /** Its share of the highest possible strength. */
  share: number;
  /** Its contribution to the strength. */
  strength: number;
  fields: ByField;
}

export interface WordParts {
  /** The sum over the terms. */
  strength: number;
  fields: ByField;
  terms: TermPart[];
}

/** The position of a chunk or memory, as far as its words are concerned. */
export interface WordPosition {
  n: number;
  document: { n: number };
  position: number;
}

/** The parts of any position; null where no word speaks for it. */
export type ExplainWords = (position: WordPosition) => WordParts | null;

const FIELD_NAMES: Readonly<Record<(typeof TERM_FIELDS)[number], WordField>> = {
  body: 'body',
  title: 'title',
  head: 'date',
  speaker: 'speaker',
  relative: 'relativeDates',
  characters: 'body',
  stems: 'body',
};

const noFieldWeights = (): ByField => ({
  body: 0,
  title: 0,
  date: 0,
  speaker: 0,
  relativeDates: 0,
  neighbours: 0,
});

/** The weight of each term by field; the rest of a term's weight comes from the neighbours. */
const weightsByField = (row: WeighedPosition, { found, query }: LexicalSearch): ByField[] => {
  const byTerm = query.terms.map(noFieldWeights);
  const match = found.matches.find(({ n }) => n === row.n);
  const add = (term: number, field: WordField, weight: number) => {
    const fields = byTerm[term];
    if (fields) fields[field] += weight;
  };
  if (match)
    visitFields(match, found.averageBodyTokens, (term, field, weight) => {
      const name = TERM_FIELDS[field];
      if (name !== undefined) add(term, FIELD_NAMES[name], weight);
    });
  for (const [term, fields] of byTerm.entries()) {
    const own = WORD_FIELDS.reduce((sum, field) => sum + fields[field], 0);
    fields.neighbours = Math.max(0, (row.weights[term] ?? 0) - own);
  }
  return byTerm;
};

const termPart = (term: string, share: number, weight: number, fields: ByField): TermPart => {
  const strength = weight > 0 ? share * saturatedWeight(weight) : 0;
  const each = noFieldWeights();
  for (const field of WORD_FIELDS) each[field] = weight > 0 ? (strength * fields[field]) / weight : 0;
  return { term, share, strength, fields: each };
};

const weighedAt = (
  { rows }: WeighedMatches,
  { n, document, position }: WordPosition,
): WeighedPosition | undefined =>
  rows.find((row) => row.n === n) ??
  rows.find((row) => row.n === null && row.document === document.n && row.position === position);

export const explainWords = (search: LexicalSearch): ExplainWords => {
  const weighed = weighMatches(search);
  const { terms, ideal } = weighed;
  return (position) => {
    const row = weighedAt(weighed, position);
    if (row === undefined || ideal === 0) return null;
    const byField = weightsByField(row, search);
    const parts = search.query.terms.map((term, at) =>
      termPart(term, (terms[at] ?? 0) / ideal, row.weights[at] ?? 0, byField[at] ?? noFieldWeights()),
    );
    const fields = noFieldWeights();
    for (const part of parts) for (const field of WORD_FIELDS) fields[field] += part.fields[field];
    return { strength: parts.reduce((sum, { strength }) => sum + strength, 0), fields, terms: parts };
  };
};
