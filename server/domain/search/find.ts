// Plan → candidates → fuse → hydrate → rank: the way of every search, each stage a function of its own.
import type { KeywordMatches, Restriction } from '../../adapters/store/port.ts';
import { notFound, unavailable } from '../../errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { locate, poolOf } from './candidates.ts';
import { type LexicalHit, rankByWords } from './lexical.ts';
import { type Plan, planFor, type SearchLimits } from './plan.ts';
import { type Question, readQuestion } from './question.ts';
import { type Ranked, rank } from './rank.ts';
import {
  type ActiveSpace,
  compareMeaning,
  embedQuestion,
  type Nearness,
  NO_NEARNESS,
  type SemanticDeps,
} from './semantic.ts';
import { type Basis, createJudge } from './similarity.ts';

export interface FindDeps extends SemanticDeps {
  /** The space that serves; null: search by words alone. */
  space: () => ActiveSpace | null;
  limits: SearchLimits;
}

export interface FindRequest {
  scope: Scope;
  restriction: Restriction;
  text: string;
  basis: Basis;
  /** How many results the caller wants, and what it counts as one. */
  results: number;
  counts: 'passages' | 'documents';
  /** A document that is named and not there: an error, or simply nothing. */
  documentMustExist: boolean;
  signal: AbortSignal;
}

const withoutMeaning = () =>
  unavailable(
    'Searching by meaning is not possible now because the embedder does not answer. ' +
      'Use searchMode hybrid or keyword, or try again later.',
  );

async function planned(deps: FindDeps, request: FindRequest, question: Question): Promise<Plan | null> {
  const extent = await deps.store.extent(request.scope, request.restriction, deps.limits.narrow);
  if (!extent.documentFound && request.documentMustExist)
    throw notFound(
      `There is no document "${request.restriction.document}" here. Name its id or its customId.`,
    );
  if (extent.chunks === 0) return null;
  const plan = planFor(extent, question.terms.length, request.results, deps.limits);
  return request.basis === 'meaning' ? { ...plan, matches: 0 } : plan;
}

/** Every search asks for the words: searching by meaning needs to know how rare they are, not where they stand. */
const wordsOf = (
  deps: FindDeps,
  request: FindRequest,
  plan: Plan,
  question: Question,
): Promise<KeywordMatches> =>
  deps.store.keyword(request.scope, request.restriction, question.terms, {
    wide: plan.wide,
    limit: plan.matches,
  });

interface Vector {
  space: ActiveSpace;
  vector: Float32Array;
}

/** Null: words alone have to answer. */
async function vectorOf(
  deps: FindDeps,
  request: FindRequest,
  question: Question,
  found: KeywordMatches,
): Promise<Vector | null> {
  const space = request.basis === 'words' ? null : deps.space();
  const wait = { signal: request.signal, ms: deps.limits.embedMs };
  const vector = space && (await embedQuestion(deps, space, question, found, wait));
  return space && vector ? { space, vector } : null;
}

function nearnessIn(
  deps: FindDeps,
  request: FindRequest,
  plan: Plan,
  query: Vector | null,
  alsoCompare: readonly number[],
): Promise<Nearness> {
  if (query === null) return Promise.resolve(NO_NEARNESS);
  const { scope, restriction, signal } = request;
  return compareMeaning(
    deps,
    { scope, restriction, plan, ...query, alsoCompare, signal },
    3 * request.results,
  );
}

/** By how much each further reading goes deeper than the one before. */
const DEEPER = 4;

const documentsIn = (ranked: readonly Ranked[]): number =>
  new Set(ranked.map(({ passage }) => passage.document.n)).size;

/** Whether reading further cannot give the caller more of what it counts. */
function isEnough(ranked: readonly Ranked[], hits: readonly LexicalHit[], request: FindRequest): boolean {
  if (request.counts === 'passages') return ranked.length >= request.results;
  const there = new Set(hits.map(({ document }) => document)).size;
  return documentsIn(ranked) >= Math.min(request.results, there);
}

/** The best passages for a text, best first, at most as many as are worth reading for so many results. */
export async function find(deps: FindDeps, request: FindRequest): Promise<Ranked[]> {
  const question = readQuestion(request.text);
  const plan = await planned(deps, request, question);
  if (plan === null) return [];
  const found = await wordsOf(deps, request, plan, question);
  const query = await vectorOf(deps, request, question, found);
  if (query === null && request.basis === 'meaning') throw withoutMeaning();
  request.signal.throwIfAborted();

  const { store } = deps;
  const hits = rankByWords(found, question, plan.matches);
  const best = (size: number) =>
    locate(
      store,
      request.scope,
      hits.slice(0, size).filter(({ n }, at) => n !== null || at < plan.located),
    );
  let located = await best(plan.pool);
  const alsoCompare = located.map(({ n }) => n);
  const nearness = await nearnessIn(deps, request, plan, query, alsoCompare);
  const basis: Basis = query === null ? 'words' : request.basis;
  const judge = createJudge(basis, query?.space.calibration ?? null, plan.chunks);
  const available = Math.max(hits.length, nearness.nearest.length);
  // Copies of one text, or the many pieces of one long document, must not use up all that is read.
  for (let size = plan.pool; ; size *= DEEPER) {
    if (size > plan.pool) located = await best(size);
    const candidates = poolOf(basis, judge, located, nearness, size);
    const ns = candidates.map(({ n }) => n);
    const ranked = rank(
      judge,
      question,
      candidates,
      await store.passages(request.scope, request.restriction, ns),
    );
    if (size >= available || isEnough(ranked, hits, request)) return ranked;
    request.signal.throwIfAborted();
  }
}
