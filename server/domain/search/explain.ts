// What results are made of, from what a search told while it was made.
import type { ExplainedParts, ExplainedSearch, Explanation } from '../../../tools/shared/search-explain.ts';
import { REWORDED } from './fuse.ts';
import { type ByField, explainWords, type WordParts } from './lexical-parts.ts';
import { iso } from './present.ts';
import { appliedTo, namedSpeaker, priorOf, type Setting } from './priors.ts';
import type { Rankable } from './unit.ts';
import { type Searched, STEPS, type Watch } from './watch.ts';

const DECIMALS = 10_000;
const short = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** Those that give something. */
const shortFields = (fields: ByField): Partial<ByField> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value > 0 ? [[name, short(value)]] : [])),
  );

const shownWords = ({ strength, fields, terms }: WordParts): ExplainedParts['words'] => ({
  strength: short(strength),
  fields: shortFields(fields),
  terms: terms.map((part) => ({
    term: part.term,
    share: short(part.share),
    strength: short(part.strength),
    fields: shortFields(part.fields),
  })),
});

const settingOf = ({ question, units }: Searched): Setting => ({
  question,
  named: namedSpeaker(question, units),
});

/** What a unit reached in one search, whether or not it was left in it. */
function reachedIn(search: Searched, unit: Rankable, setting: Setting) {
  const strengths = search.candidates.find(({ n }) => n === unit.n);
  if (strengths === undefined) return null;
  const evidence = search.judge.evidence(strengths, unit.flags, priorOf(unit, setting));
  return { strengths, evidence, similarity: search.judge.similarity(evidence) };
}

type WordsOf = ReturnType<typeof explainWords>;

/** Of one search, made once for all that is asked of it. */
function explainerOf(search: Searched) {
  const setting = settingOf(search);
  const units = new Map(search.units.map((unit) => [unit.n, unit]));
  let words: WordsOf | undefined;
  const wordsOf: WordsOf = (place) => {
    const { found, question, plan, rarity, threads } = search;
    words ??= explainWords(found, question, plan.matches, rarity, threads);
    return words(place);
  };

  return (n: number): Omit<ExplainedParts, 'rerank' | 'window'> | null => {
    const unit = units.get(n);
    const reached = unit && reachedIn(search, unit, setting);
    if (!unit || !reached) return null;
    const { cosine, words: strength } = reached.strengths;
    const { judge, basis } = search;
    const inWords = basis === 'meaning' || strength === 0 ? null : wordsOf(unit);
    return {
      evidence: short(reached.evidence),
      similarity: short(reached.similarity),
      words: inWords && shownWords(inWords),
      vector:
        cosine === null || basis === 'words'
          ? null
          : {
              cosine: short(cosine),
              relevance: short(judge.relevance(cosine, unit.flags)),
              weight: judge.weight === null ? null : short(judge.weight),
            },
      priors: appliedTo(unit, setting).map((prior) => ({ ...prior })),
      query: search.text,
    };
  };
}

/** The parts of anything that was read, by its number; the wording that it matches best speaks for it. */
export function partsFrom(watch: Watch): (n: number) => ExplainedParts | null {
  const explainers = watch.searches.map(explainerOf);
  const first = watch.searches[0]?.text;
  const worth = ({ query, similarity }: { query: string; similarity: number }) =>
    query === first ? similarity : REWORDED * similarity;
  return (n) => {
    const all = explainers.flatMap((explain) => explain(n) ?? []);
    const [best] = all.sort((a, b) => worth(b) - worth(a));
    if (best === undefined) return null;
    const rerank = watch.reranked.get(n);
    const window = watch.windows.get(n);
    return { ...best, ...(rerank === undefined ? {} : { rerank }), ...(window ? { window } : {}) };
  };
}

/** For a result that carries its explanation where one was asked for. */
export function explained(
  explain: ReturnType<typeof partsFrom> | null,
  n: number,
): { explain?: ExplainedParts } {
  const parts = explain?.(n) ?? null;
  return parts === null ? {} : { explain: parts };
}

const shownSearch = (search: Searched): ExplainedSearch => ({
  of: search.of,
  query: search.text,
  by: search.basis,
  among: search.plan.chunks,
  exact: !search.plan.wide,
  read: search.units.length,
  found: search.ranked.length,
  terms: search.question.terms.map((term, at) => ({ term, holding: search.found.frequencies[at] ?? 0 })),
  dates: search.question.dates.map(({ from, to }) => ({ from: iso(from), to: iso(to) })),
  asksWhen: search.question.asksWhen,
  speaker: settingOf(search).named,
  embedder: search.embedder,
});

export const explanationFrom = (watch: Watch): NonNullable<Explanation> => ({
  searches: watch.searches.map(shownSearch),
  steps: STEPS.flatMap((step) => {
    const left = watch.left.get(step);
    return left === undefined ? [] : [{ step, left: left.size }];
  }),
});
