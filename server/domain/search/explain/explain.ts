// Explains the results of a search from its trace.
import type {
  ExplainedParts,
  ExplainedSearch,
  Explanation,
} from '../../../../tools/search/schemas/explain.ts';
import { isoTime } from '../../../lib/text/dates/format.ts';
import {
  type ByField,
  type ExplainWords,
  explainWords,
  type WordParts,
} from '../evidence/explain-lexical.ts';
import { type LikelyAnswer, likelyAnswer } from '../evidence/likely-answer.ts';
import type { SearchCandidate } from '../ranking/candidate.ts';
import type { PooledCandidate } from '../ranking/candidate-pool.ts';
import { REWORDED_WEIGHT } from '../ranking/fuse-wordings.ts';
import { appliedPriors, combinedPrior, namedSpeaker, type PriorContext } from '../ranking/priors.ts';
import { shownSimilarity } from '../ranking/shown-similarity.ts';
import { SEARCH_STEPS, type SearchTrace, type TracedSearch } from './trace.ts';

/** The parts of any candidate that was read, by its number; null: it was not read. */
export type ResultExplainer = (n: number) => ExplainedParts | null;

const DECIMALS = 10_000;
const roundedNumber = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;
const roundedOrNull = (value: number | null): number | null => (value === null ? null : roundedNumber(value));

/** The fields that contribute something. */
const shownFields = (fields: ByField): Partial<ByField> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value > 0 ? [[name, roundedNumber(value)]] : [])),
  );

const shownWords = ({ strength, fields, terms }: WordParts, trust: number): ExplainedParts['words'] => ({
  strength: roundedNumber(strength),
  trust: roundedNumber(trust),
  fields: shownFields(fields),
  terms: terms.map((part) => ({
    term: part.term,
    share: roundedNumber(part.share),
    strength: roundedNumber(part.strength),
    fields: shownFields(part.fields),
  })),
});

const priorContext = ({ query, candidates }: TracedSearch): PriorContext => ({
  query,
  named: namedSpeaker(query, candidates),
});

/** The scores of a candidate in one search, even if a later step removed it. */
const scoresIn = (
  search: TracedSearch & { readonly likely: LikelyAnswer },
  candidate: SearchCandidate,
  context: PriorContext,
) => {
  const strengths = search.pool.find(({ n }) => n === candidate.n);
  if (strengths === undefined) return null;
  const prior = combinedPrior(candidate, context);
  const evidence = search.scorer.evidence(strengths, candidate.flags, prior);
  const order = search.scorer.similarity(evidence, candidate.flags);
  return {
    strengths,
    evidence,
    ...shownSimilarity(search, candidate, { ...strengths, evidence, order }),
  };
};

const shownVector = (
  { basis, scorer }: TracedSearch,
  { cosine, length }: PooledCandidate,
  flags: number,
): ExplainedParts['vector'] =>
  cosine === null || basis === 'words'
    ? null
    : {
        cosine: roundedNumber(cosine),
        relevance: roundedNumber(scorer.relevance(cosine, flags)),
        weight: roundedOrNull(scorer.weight(flags, length)),
      };

/** Explains the candidates of one search; its words are analysed once, for the first candidate that needs them. */
const createExplainer = (search: TracedSearch) => {
  const context = priorContext(search);
  const likely = likelyAnswer(search.query);
  const candidates = new Map(search.candidates.map((candidate) => [candidate.n, candidate]));
  let words: ExplainWords | undefined;

  return (n: number): Omit<ExplainedParts, 'rerank' | 'window'> | null => {
    const candidate = candidates.get(n);
    const scores = candidate && scoresIn({ ...search, likely }, candidate, context);
    if (!candidate || !scores) return null;
    const { words: strength } = scores.strengths;
    const hasWords = search.basis !== 'meaning' && strength !== 0;
    if (hasWords) words ??= explainWords(search.lexical);
    const parts = hasWords ? words?.(candidate) : null;
    return {
      evidence: roundedNumber(scores.evidence),
      similarity: roundedNumber(scores.similarity),
      words: parts ? shownWords(parts, search.scorer.trust(scores.strengths, candidate.flags)) : null,
      vector: shownVector(search, scores.strengths, candidate.flags),
      priors: appliedPriors(candidate, context).map((prior) => ({ ...prior })),
      query: search.query.text,
    };
  };
};

/** The wording that a candidate matches best explains it. */
export const createResultExplainer = (trace: SearchTrace): ResultExplainer => {
  const explainers = trace.searches.map(createExplainer);
  const original = trace.searches[0]?.query.text;
  const fusedSimilarity = ({ query, similarity }: { query: string; similarity: number }) =>
    query === original ? similarity : REWORDED_WEIGHT * similarity;
  return (n) => {
    const all = explainers.flatMap((explain) => explain(n) ?? []);
    const [best] = all.sort((a, b) => fusedSimilarity(b) - fusedSimilarity(a));
    if (best === undefined) return null;
    const rerank = trace.rerankScores.get(n);
    const window = trace.windows.get(n);
    return { ...best, ...(rerank === undefined ? {} : { rerank }), ...(window ? { window } : {}) };
  };
};

/** The field `explain` of a result; empty without an explainer. */
export const explanationField = (
  explain: ResultExplainer | null,
  n: number,
): { explain?: ExplainedParts } => {
  const parts = explain?.(n) ?? null;
  return parts === null ? {} : { explain: parts };
};

const shownSearch = (search: TracedSearch): ExplainedSearch => {
  const { query, plan, lexical } = search;
  return {
    of: search.of,
    query: query.text,
    by: search.basis,
    among: plan.chunks,
    exact: !plan.wide,
    read: search.candidates.length,
    found: search.ranked.length,
    terms: query.terms.map((term, at) => ({ term, holding: lexical.found.frequencies[at] ?? 0 })),
    dates: query.dates.map(({ from, to }) => ({ from: isoTime(from), to: isoTime(to) })),
    asksWhen: query.asksWhen,
    speaker: priorContext(search).named,
    embedder: search.embedder,
  };
};

export const explainSearches = (trace: SearchTrace): NonNullable<Explanation> => ({
  searches: trace.searches.map(shownSearch),
  steps: SEARCH_STEPS.flatMap((step) => {
    const remaining = trace.remaining.get(step);
    return remaining === undefined ? [] : [{ step, left: remaining.size }];
  }),
});
