// Plan → candidates → read → rank: the stages of one query over one kind of candidates.
// A query over both passages and memories is embedded once, so the callers take these stages for both kinds in parallel.
import type { Restriction } from '../../adapters/store/ports/filters.ts';
import type { KeywordMatches } from '../../adapters/store/ports/search.ts';
import { notFound, unavailable } from '../../core/errors.ts';
import { isInOtherLanguage } from '../../lib/text/language/other-language.ts';
import {
  type LexicalHit,
  type LexicalSearch,
  rankByWords,
  rarestMatches,
} from './evidence/lexical-evidence.ts';
import type { SaidStrength } from './evidence/said-words.ts';
import {
  compareMeaning,
  embedQuery,
  type Nearness,
  NO_NEARNESS,
  type QueryVector,
  type SearchSpace,
} from './evidence/semantic-evidence.ts';
import { NO_THREADS, type Threads, threadsAround } from './evidence/threads.ts';
import { type ParsedQuery, parseQuery } from './query/parse-query.ts';
import { planSearch, type SearchPlan } from './query/plan.ts';
import type { SearchCandidate } from './ranking/candidate.ts';
import { choosePool, type LocatedHit, locateHits, type PooledCandidate } from './ranking/candidate-pool.ts';
import { type RankedCandidate, rankCandidates } from './ranking/rank.ts';
import type { SearchContext } from './search-context.ts';
import { type ComparedThings, createScorer, type EvidenceBasis, type Scorer } from './similarity/scorer.ts';
import type { TermRarity } from './words/rarity.ts';

/** One query of one call. */
export interface QueryRun {
  readonly context: SearchContext;
  readonly query: ParsedQuery;
  readonly basis: EvidenceBasis;
}

/** One kind of candidates: passages or memories. */
export interface SearchTarget<Candidate extends SearchCandidate> {
  readonly restriction: Restriction;
  /** The candidates of these numbers that the restriction allows, in no order. */
  readonly read: (ns: readonly number[]) => Promise<Candidate[]>;
  /** Default: the rarity among passages. */
  readonly rarity?: TermRarity;
  /** Weighs the words of a candidate again after its text was read. Default: they stay as they were found. */
  readonly said?: (query: ParsedQuery, found: KeywordMatches) => SaidStrength;
  /** The number of results that the caller wants. */
  readonly results: number;
  /** The unit of `results`. */
  readonly counts: 'candidates' | 'documents';
  /** True: a restriction to a missing document is an error; false: it finds nothing. */
  readonly documentMustExist: boolean;
}

/** A target that is not empty, with its plan and the query's words in it. */
export interface PlannedTarget<Candidate extends SearchCandidate> extends SearchTarget<Candidate> {
  readonly plan: SearchPlan;
  readonly found: KeywordMatches;
}

export const startQuery = (context: SearchContext, text: string, basis: EvidenceBasis): QueryRun => ({
  context,
  query: parseQuery(text),
  basis,
});

// --- plan -------------------------------------------------------------------------------------------

/** Null: there is nothing to search. */
export const planTarget = async (
  { context, query, basis }: QueryRun,
  { restriction, results, documentMustExist }: SearchTarget<SearchCandidate>,
): Promise<SearchPlan | null> => {
  const { store, scope, limits } = context;
  const extent = await store.extent(scope, restriction, limits.narrow);
  if (!extent.documentFound && documentMustExist)
    throw notFound(`There is no document "${restriction.document}" here. Name its id or its customId.`);
  if (extent.chunks === 0) return null;
  const plan = planSearch({ extent, terms: query.terms.length, results, limits });
  return basis === 'meaning' ? { ...plan, keywordMatches: 0 } : plan;
};

/** Looks up the query's words in a target that was planned. */
export const lookUpWords = async <Candidate extends SearchCandidate>(
  { context: { store, scope }, query }: QueryRun,
  target: SearchTarget<Candidate>,
  plan: SearchPlan,
): Promise<PlannedTarget<Candidate>> => {
  // A search by meaning needs the frequencies of the words too, but not their matches.
  const found = await store.keyword(scope, target.restriction, query.terms, {
    aside: plan.aside,
    limit: plan.keywordMatches,
    measure: plan.measure,
    forms: query.forms,
  });
  return { ...target, plan, found };
};

/** Plans the search of a target and looks up the query's words in it; null: there is nothing to search. */
export const openTarget = async <Candidate extends SearchCandidate>(
  run: QueryRun,
  target: SearchTarget<Candidate>,
): Promise<PlannedTarget<Candidate> | null> => {
  const plan = await planTarget(run, target);
  return plan && lookUpWords(run, target, plan);
};

// --- the query's vector -----------------------------------------------------------------------------

const withoutEmbedder = () =>
  unavailable(
    'Searching by meaning is not possible now because the embedder does not answer. ' +
      'Use searchMode hybrid or keyword, or try again later.',
  );

/** The frequencies of the query's words in all targets together. */
const totalFrequencies = (
  targets: readonly PlannedTarget<SearchCandidate>[],
  query: ParsedQuery,
): Pick<KeywordMatches, 'chunks' | 'frequencies'> => ({
  chunks: targets.reduce((sum, { found }) => sum + found.chunks, 0),
  frequencies: query.terms.map((_, at) =>
    targets.reduce((sum, { found }) => sum + (found.frequencies[at] ?? 0), 0),
  ),
});

/** To a model of English alone texts in other languages are all alike, so that words decide where they may. */
const understands = ({ embedder }: SearchSpace, query: ParsedQuery, basis: EvidenceBasis): boolean =>
  basis === 'meaning' || embedder.onlyEnglish !== true || !isInOtherLanguage(query.text);

/** The query's vector for all targets; null: words alone have to answer. */
export const embedForTargets = async (
  { context, query, basis }: QueryRun,
  planned: readonly (PlannedTarget<SearchCandidate> | null)[],
): Promise<QueryVector | null> => {
  const targets = planned.filter((target) => target !== null);
  const active = basis === 'words' || targets.length === 0 ? null : context.space();
  const space = active !== null && understands(active, query, basis) ? active : null;
  const vector =
    space &&
    (await embedQuery(context, space, {
      query,
      found: totalFrequencies(targets, query),
      timeoutMs: context.limits.embedMs,
    }));
  if (!vector && basis === 'meaning' && targets.length > 0) throw withoutEmbedder();
  context.signal.throwIfAborted();
  return space && vector ? { space, vector } : null;
};

// --- candidates -------------------------------------------------------------------------------------

/** The most matches whose neighbours are searched beyond their documents. */
const MATCHES_WITH_THREADS = 300;

const readThreadsOf = (
  context: SearchContext,
  plan: SearchPlan,
  lexical: LexicalSearch,
): Promise<Threads> => {
  if (!plan.threaded || lexical.found.matches.length === 0) return Promise.resolve(NO_THREADS);
  const matches = rarestMatches({ ...lexical, limit: MATCHES_WITH_THREADS });
  return threadsAround(
    context,
    matches.map(({ document }) => document),
  );
};

/** The `size` best hits by words. Of those without own words only the very best are worth a read from the store. */
const locateBest = (
  context: SearchContext,
  plan: SearchPlan,
  hits: readonly LexicalHit[],
  size: number,
): Promise<LocatedHit[]> =>
  locateHits(
    context,
    hits.slice(0, size).filter(({ n }, at) => n !== null || at < plan.located),
  );

/** Few survivors of the index's proposals, compared with the results wanted, cost recall. */
const SURVIVORS_PER_RESULT = 3;

const nearnessOf = (
  { context, query, basis }: QueryRun,
  { plan, restriction, results, found }: PlannedTarget<SearchCandidate>,
  vector: QueryVector | null,
  located: readonly LocatedHit[],
): Promise<Nearness> => {
  if (vector === null) return Promise.resolve(NO_NEARNESS);
  const worded = async (): Promise<readonly number[]> => {
    const { store, scope, limits } = context;
    const { matches } =
      basis === 'meaning'
        ? await store.keyword(scope, restriction, query.terms, {
            aside: plan.aside,
            limit: limits.keywordMatches,
            measure: plan.measure,
            forms: query.forms,
          })
        : found;
    return matches.map(({ n }) => n);
  };
  const alsoCompare = located.map(({ n }) => n);
  const fewest = SURVIVORS_PER_RESULT * results;
  return compareMeaning(context, { ...vector, restriction, plan, alsoCompare, worded, fewest });
};

/** The candidates of one target, by words and by meaning, before any of them is read. */
interface TargetCandidates {
  readonly lexical: LexicalSearch;
  readonly hits: readonly LexicalHit[];
  /** The best hits, with their numbers. */
  readonly located: readonly LocatedHit[];
  readonly nearness: Nearness;
  readonly basis: EvidenceBasis;
  readonly scorer: Scorer;
}

const gatherCandidates = async (
  run: QueryRun,
  target: PlannedTarget<SearchCandidate>,
  vector: QueryVector | null,
  compared: ComparedThings,
): Promise<TargetCandidates> => {
  const { context, query, basis: wantedBasis } = run;
  const { plan, found, rarity } = target;
  const withoutThreads = { found, query, limit: plan.keywordMatches, rarity };
  const threads = await readThreadsOf(context, plan, withoutThreads);
  const lexical = { ...withoutThreads, threads };
  const hits = rankByWords(lexical);
  const located = await locateBest(context, plan, hits, plan.poolSize);
  const nearness = await nearnessOf(run, target, vector, located);
  const basis = vector === null ? 'words' : wantedBasis;
  const { units } = target.restriction;
  const calibration = vector?.space.calibration ?? null;
  const scorer = createScorer(basis, calibration, { ...compared, terms: query.terms.length }, units);
  return { lexical, hits, located, nearness, basis, scorer };
};

// --- read and rank ----------------------------------------------------------------------------------

/** Each further reading takes this many times as many candidates as the one before. */
const DEEPER = 4;

const documentCount = (ranked: readonly RankedCandidate<SearchCandidate>[]): number =>
  new Set(ranked.map(({ candidate }) => candidate.document.n)).size;

/** True: reading more candidates cannot give the caller more results. */
const isEnough = (
  ranked: readonly RankedCandidate<SearchCandidate>[],
  hits: readonly LexicalHit[],
  { counts, results }: SearchTarget<SearchCandidate>,
): boolean => {
  if (counts === 'candidates') return ranked.length >= results;
  const available = new Set(hits.map(({ document }) => document)).size;
  return documentCount(ranked) >= Math.min(results, available);
};

/** The pool with all that the texts of its candidates say; a candidate that was not read stays as it was. */
const weighAgain = (
  pool: readonly PooledCandidate[],
  candidates: readonly SearchCandidate[],
  said: SaidStrength | undefined,
): readonly PooledCandidate[] => {
  const texts = new Map(candidates.map(({ n, text }) => [n, text]));
  return pool.map((pooled) => {
    const text = texts.get(pooled.n);
    if (text === undefined) return pooled;
    return { ...pooled, words: said?.(text, pooled.words) ?? pooled.words, length: text.length };
  });
};

/** All that a query over these targets compares: chance is worth the same in each of them. */
export const comparedIn = (
  targets: readonly (PlannedTarget<SearchCandidate> | null)[],
): Required<Omit<ComparedThings, 'terms'>> => {
  const sizes = targets.map((target) => target?.plan.chunks ?? 0);
  return { things: Math.max(...sizes), vectors: sizes.reduce((sum, size) => sum + size, 0) };
};

/** The best candidates of one target, best first; null: the target was empty. `compared`: in all targets of the query. */
export const rankTarget = async <Candidate extends SearchCandidate>(
  run: QueryRun,
  target: PlannedTarget<Candidate> | null,
  vector: QueryVector | null,
  compared = comparedIn([target]),
): Promise<RankedCandidate<Candidate>[]> => {
  if (target === null) return [];
  const { context, query } = run;
  const { plan } = target;
  const traceSearch = context.trace?.beginSearch();
  const gathered = await gatherCandidates(run, target, vector, compared);
  const { lexical, hits, nearness, basis, scorer } = gathered;
  let { located } = gathered;
  const available = Math.max(hits.length, nearness.nearest.length);
  // Copies of one text, or the many pieces of one long document, must not use up everything that is read.
  for (let size = plan.poolSize; ; size *= DEEPER) {
    if (size > plan.poolSize) located = await locateBest(context, plan, hits, size);
    const chosen = choosePool({ basis, scorer, located, nearness }, size);
    const candidates = await target.read(chosen.map(({ n }) => n));
    const pool = weighAgain(chosen, candidates, target.said?.(query, target.found));
    const ranked = rankCandidates({ scorer, query, pool, candidates });
    if (size >= available || isEnough(ranked, hits, target)) {
      const of = target.restriction.units ?? 'chunks';
      const embedder = vector?.space.name.embedder ?? null;
      traceSearch?.({ of, query, plan, basis, embedder, scorer, lexical, pool, candidates, ranked });
      return ranked;
    }
    context.signal.throwIfAborted();
  }
};

/** All stages for a query over one kind of candidates. */
export const findCandidates = async <Candidate extends SearchCandidate>(
  run: QueryRun,
  target: SearchTarget<Candidate>,
): Promise<RankedCandidate<Candidate>[]> => {
  const planned = await openTarget(run, target);
  return rankTarget(run, planned, await embedForTargets(run, [planned]));
};
