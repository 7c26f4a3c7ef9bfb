// Plan → candidates → fuse → hydrate → rank: the way of every search, each stage a function of its own.
// A query that is asked of passages and of memories is embedded once: so the stages are walked in step.
import type { KeywordMatches, Restriction } from '../../adapters/store/port.ts';
import { notFound, unavailable } from '../../errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { locate, poolOf } from './candidates.ts';
import { type LexicalHit, mostTelling, rankByWords } from './lexical.ts';
import { type Plan, planFor, type SearchLimits } from './plan.ts';
import { type Question, readQuestion } from './question.ts';
import { type Ranked, rank } from './rank.ts';
import { type Rarity, rarityOf } from './rarity.ts';
import {
  type ActiveSpace,
  compareMeaning,
  embedQuestion,
  type Nearness,
  NO_NEARNESS,
  type SemanticDeps,
} from './semantic.ts';
import { type Basis, createJudge } from './similarity.ts';
import { NO_THREADS, type Threads, threadsAround } from './threads.ts';
import type { Rankable } from './unit.ts';
import type { Watch } from './watch.ts';

export interface FindDeps extends SemanticDeps {
  /** The space that serves; null: search by words alone. */
  space: () => ActiveSpace | null;
  limits: SearchLimits;
}

/** One query, whatever it is asked of. */
export interface Asked {
  scope: Scope;
  text: string;
  basis: Basis;
  signal: AbortSignal;
  /** Told how it went; null: nobody wants to know. */
  watch: Watch | null;
}

/** What it is asked of. */
export interface Target<Unit extends Rankable> {
  restriction: Restriction;
  /** Those of these numbers that the restriction allows, in no order. */
  read(ns: readonly number[]): Promise<Unit[]>;
  /** How much a word tells among them; left out: as among passages. */
  rarity?: Rarity;
  /** How many results the caller wants, and what it counts as one. */
  results: number;
  counts: 'units' | 'documents';
  /** A document that is named and not there: an error, or simply nothing. */
  documentMustExist: boolean;
}

/** A target that holds something, with the words found in it. */
interface Opened<Unit extends Rankable> extends Target<Unit> {
  plan: Plan;
  found: KeywordMatches;
}

interface Vector {
  space: ActiveSpace;
  vector: Float32Array;
}

export interface Finding {
  /** Null: there is nothing to search. */
  open<Unit extends Rankable>(target: Target<Unit>): Promise<Opened<Unit> | null>;
  /** The query's vector for all that was opened; null: words alone have to answer. */
  embed(opened: readonly (Opened<Rankable> | null)[]): Promise<Vector | null>;
  /** The best for the query, best first, at most as many as are worth reading for so many results. */
  finish<Unit extends Rankable>(opened: Opened<Unit> | null, query: Vector | null): Promise<Ranked<Unit>[]>;
}

const withoutMeaning = () =>
  unavailable(
    'Searching by meaning is not possible now because the embedder does not answer. ' +
      'Use searchMode hybrid or keyword, or try again later.',
  );

async function planned(
  deps: FindDeps,
  asked: Asked,
  target: Target<Rankable>,
  question: Question,
): Promise<Plan | null> {
  const extent = await deps.store.extent(asked.scope, target.restriction, deps.limits.narrow);
  if (!extent.documentFound && target.documentMustExist)
    throw notFound(
      `There is no document "${target.restriction.document}" here. Name its id or its customId.`,
    );
  if (extent.chunks === 0) return null;
  const plan = planFor(extent, question.terms.length, target.results, deps.limits);
  return asked.basis === 'meaning' ? { ...plan, matches: 0 } : plan;
}

async function openTarget<Unit extends Rankable>(
  deps: FindDeps,
  asked: Asked,
  target: Target<Unit>,
  question: Question,
): Promise<Opened<Unit> | null> {
  const plan = await planned(deps, asked, target, question);
  if (plan === null) return null;
  // Every search asks for the words: one by meaning needs to know how rare they are, not where they stand.
  const found = await deps.store.keyword(asked.scope, target.restriction, question.terms, {
    wide: plan.wide,
    limit: plan.matches,
  });
  return { ...target, plan, found };
}

/** How often the words stand in all that was opened, taken together. */
const together = (
  opened: readonly Opened<Rankable>[],
  question: Question,
): Pick<KeywordMatches, 'chunks' | 'frequencies'> => ({
  chunks: opened.reduce((sum, { found }) => sum + found.chunks, 0),
  frequencies: question.terms.map((_, at) =>
    opened.reduce((sum, { found }) => sum + (found.frequencies[at] ?? 0), 0),
  ),
});

async function embedFor(
  deps: FindDeps,
  asked: Asked,
  opened: readonly Opened<Rankable>[],
  question: Question,
): Promise<Vector | null> {
  const space = asked.basis === 'words' || opened.length === 0 ? null : deps.space();
  const wait = { signal: asked.signal, ms: deps.limits.embedMs };
  const vector = space && (await embedQuestion(deps, space, question, together(opened, question), wait));
  return space && vector ? { space, vector } : null;
}

function nearnessIn(
  deps: FindDeps,
  { scope, signal }: Asked,
  { plan, restriction, results }: Opened<Rankable>,
  query: Vector | null,
  alsoCompare: readonly number[],
): Promise<Nearness> {
  if (query === null) return Promise.resolve(NO_NEARNESS);
  return compareMeaning(deps, { scope, restriction, plan, ...query, alsoCompare, signal }, 3 * results);
}

/** The matches whose neighbours are looked for beyond their documents. */
const LENDERS = 300;

function threadsOf(
  deps: FindDeps,
  { scope }: Asked,
  { plan, found, rarity }: Opened<Rankable>,
  question: Question,
): Promise<Threads> {
  if (!plan.threaded || found.matches.length === 0) return Promise.resolve(NO_THREADS);
  const lenders = mostTelling(found, question, LENDERS, rarity);
  return threadsAround(
    deps.store,
    scope,
    lenders.map(({ document }) => document),
  );
}

/** By how much each further reading goes deeper than the one before. */
const DEEPER = 4;

const documentsIn = (ranked: readonly Ranked<Rankable>[]): number =>
  new Set(ranked.map(({ unit }) => unit.document.n)).size;

/** Whether reading further cannot give the caller more of what it counts. */
function isEnough(
  ranked: readonly Ranked<Rankable>[],
  hits: readonly LexicalHit[],
  { counts, results }: Target<Rankable>,
): boolean {
  if (counts === 'units') return ranked.length >= results;
  const there = new Set(hits.map(({ document }) => document)).size;
  return documentsIn(ranked) >= Math.min(results, there);
}

const whatWasAsked = (
  { text }: Asked,
  { restriction, plan, found, rarity = rarityOf }: Opened<Rankable>,
  question: Question,
  query: Vector | null,
) => ({
  of: restriction.units ?? ('chunks' as const),
  embedder: query?.space.name.embedder ?? null,
  ...{ text, question, plan, found, rarity },
});

async function rankOpened<Unit extends Rankable>(
  deps: FindDeps,
  asked: Asked,
  opened: Opened<Unit>,
  question: Question,
  query: Vector | null,
): Promise<Ranked<Unit>[]> {
  const { plan, found } = opened;
  const threads = await threadsOf(deps, asked, opened, question);
  const hits = rankByWords(found, question, plan.matches, opened.rarity, threads);
  const best = (size: number) =>
    locate(
      deps.store,
      asked.scope,
      hits.slice(0, size).filter(({ n }, at) => n !== null || at < plan.located),
    );
  let located = await best(plan.pool);
  const alsoCompare = located.map(({ n }) => n);
  const nearness = await nearnessIn(deps, asked, opened, query, alsoCompare);
  const basis: Basis = query === null ? 'words' : asked.basis;
  const judge = createJudge(basis, query?.space.calibration ?? null, plan.chunks);
  const available = Math.max(hits.length, nearness.nearest.length);
  // Copies of one text, or the many pieces of one long document, must not use up all that is read.
  for (let size = plan.pool; ; size *= DEEPER) {
    if (size > plan.pool) located = await best(size);
    const candidates = poolOf(basis, judge, located, nearness, size);
    const units = await opened.read(candidates.map(({ n }) => n));
    const ranked = rank(judge, question, candidates, units);
    if (size >= available || isEnough(ranked, hits, opened)) {
      asked.watch?.searched({
        ...whatWasAsked(asked, opened, question, query),
        ...{ threads, basis, judge, candidates, units, ranked },
      });
      return ranked;
    }
    asked.signal.throwIfAborted();
  }
}

export function startFinding(deps: FindDeps, asked: Asked): Finding {
  const question = readQuestion(asked.text);
  return {
    open: (target) => openTarget(deps, asked, target, question),
    async embed(all) {
      const opened = all.filter((one) => one !== null);
      const query = await embedFor(deps, asked, opened, question);
      if (query === null && asked.basis === 'meaning' && opened.length > 0) throw withoutMeaning();
      asked.signal.throwIfAborted();
      return query;
    },
    finish: async (opened, query) =>
      opened === null ? [] : rankOpened(deps, asked, opened, question, query),
  };
}

/** All stages for a query that is asked of one kind of thing. */
export async function find<Unit extends Rankable>(
  deps: FindDeps,
  asked: Asked,
  target: Target<Unit>,
): Promise<Ranked<Unit>[]> {
  const finding = startFinding(deps, asked);
  const opened = await finding.open(target);
  return finding.finish(opened, await finding.embed([opened]));
}
