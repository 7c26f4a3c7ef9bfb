// The evidence of meaning: the query as a vector, and the cosines of the chunks with it. Cosines are always computed from
// the vectors in SQL; the index only proposes candidates in a wide scope.
import type { Embedder } from '../../../adapters/embed/port.ts';
import type { Restriction } from '../../../adapters/store/ports/filters.ts';
import type {
  KeywordMatches,
  LeftOut,
  SearchStore,
  VectorMatch,
} from '../../../adapters/store/ports/search.ts';
import type { Calibration } from '../../../adapters/store/ports/spaces.ts';
import type { VectorIndex } from '../../../adapters/vectors/port.ts';
import type { Scope } from '../../../core/scope.ts';
import type { SpaceName } from '../../../core/space.ts';
import { withTimeLimit } from '../../../lib/async/time-limit.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import type { SearchPlan } from '../query/plan.ts';
import type { SkippedOptions } from '../skipped-options.ts';
import { termRarity } from '../words/rarity.ts';

/** The embedding space that serves searches. */
export interface SearchSpace {
  id: number;
  name: SpaceName;
  calibration: Calibration;
  embedder: Embedder;
}

export interface SemanticContext {
  readonly store: SearchStore;
  readonly scope: Scope;
  readonly index: VectorIndex | null;
  /** True: the index holds the space, apart from the vectors that wait in the outbox. Default: always true. */
  readonly isIndexComplete?: (space: number) => boolean;
  readonly skipped: SkippedOptions;
  /** Logs that a search went on without a part that failed. */
  readonly warn: (message: string, cause: unknown) => void;
  readonly signal: AbortSignal;
}

/** The query's vector and the space to which it belongs. */
export interface QueryVector {
  readonly space: SearchSpace;
  readonly vector: Float32Array;
}

export interface SemanticSearch extends QueryVector {
  readonly restriction: Restriction;
  readonly plan: SearchPlan;
  /** Chunks that the words found: their cosines are needed too. */
  readonly alsoCompare: readonly number[];
  /** Chunks with words of the query, compared where the index leaves out more than can be compared. */
  readonly worded: () => Promise<readonly number[]>;
  /** With fewer surviving proposals of the index, every vector of the scope is compared. */
  readonly fewest: number;
}

/** The nearness of chunks in meaning. */
export interface Nearness {
  /** Nearest first. */
  nearest: readonly number[];
  /** Null: the chunk has no vector. */
  cosine(n: number): number | null;
}

export const NO_NEARNESS: Nearness = { nearest: [], cosine: () => null };

export interface QueryToEmbed {
  readonly query: ParsedQuery;
  /** The frequencies of the query's terms in everything that is searched. */
  readonly found: Pick<KeywordMatches, 'frequencies' | 'chunks'>;
  readonly timeoutMs: number;
}

/** The query's vector; null and a warning when the embedder does not answer in time. */
export const embedQuery = async (
  { warn, signal }: SemanticContext,
  space: SearchSpace,
  { query, found, timeoutMs }: QueryToEmbed,
): Promise<Float32Array | null> => {
  const frequencies = new Map(query.terms.map((term, at) => [term, found.frequencies[at] ?? 0]));
  const weigh = (term: string) => termRarity(term, frequencies.get(term) ?? 0, found.chunks);
  try {
    return await withTimeLimit(timeoutMs, signal, (limit) =>
      space.embedder.embedQuery(query.text, weigh, limit),
    );
  } catch (error) {
    signal.throwIfAborted();
    warn(`The embedder ${space.name.embedder} did not answer; searching by words alone.`, error);
    return null;
  }
};

/**
 * The index proposes from the vectors of all tenants, and SQL keeps those of the scope: a filter costs Chroma six to ten
 * times as much (100,000 vectors, 2 cores: 1,000 proposals 24–31 ms, of one container 177–522 ms, 2,000 28–40 ms, all on a
 * busy machine). Of scopes with 50, 30 and 14 % of all, what survives of 2,000 holds 0.99, 0.98 and 0.98 of the true ten
 * nearest; of 1,000 it holds 0.96, 0.97 and 0.93, and 0.90 where 5 % are the scope's.
 */
const AMONG_OTHERS = 2;
/** With a smaller share of survivors an exact comparison of the whole scope is as quick and misses nothing. */
const FEWEST_SHARE = 0.1;

/** Null when the index does not answer. */
const proposeFromIndex = async (
  { scope, warn, signal }: SemanticContext,
  index: VectorIndex,
  { plan, space, vector }: SemanticSearch,
): Promise<number[] | null> => {
  try {
    const { containers } = plan;
    const k = containers === null ? plan.cosines : AMONG_OTHERS * plan.cosines;
    const nearest = await index.nearest(scope, { space: space.id, vector, k, containers }, signal);
    return nearest.map(({ n }) => n);
  } catch (error) {
    signal.throwIfAborted();
    warn('The vector index did not answer; comparing every vector instead.', error);
    return null;
  }
};

const scanScope = (
  { store, scope }: SemanticContext,
  { restriction, plan, space, vector }: SemanticSearch,
  some?: { readonly containers: readonly number[] },
): Promise<VectorMatch[]> =>
  store.scan(scope, restriction, {
    space: space.id,
    vector,
    limit: plan.cosines,
    aside: plan.aside,
    measure: plan.measure,
    ...some,
  });

/** Both lists, each match once: one that both hold is the same in both. */
const joinedMatches = (matches: readonly VectorMatch[], others: readonly VectorMatch[]): VectorMatch[] => {
  const known = new Set(matches.map(({ n }) => n));
  return [...matches, ...others.filter(({ n }) => !known.has(n))].sort((a, b) => b.cosine - a.cosine);
};

/** In the containers that the index leaves out every vector is compared, as far as they are not too many. */
const compareLeftOut = (
  context: SemanticContext,
  search: SemanticSearch,
  { containers }: LeftOut,
): Promise<VectorMatch[]> =>
  containers.length === 0 ? Promise.resolve([]) : scanScope(context, search, { containers });

const BY_WORDS_ALONE =
  'The vector index leaves small container tags out, and those of this search hold too much to compare all of it. ' +
  'In them only passages and memories with words of the query were found. Name fewer container tags, or search with other words.';

/** The proposals of the index and the vectors that it lacks, compared in SQL; null: every vector must be compared. */
const compareProposed = async (
  context: SemanticContext,
  search: SemanticSearch,
): Promise<VectorMatch[] | null> => {
  const { store, scope, index, skipped, isIndexComplete = () => true } = context;
  const { restriction, plan, space, vector, alsoCompare, worded, fewest } = search;
  if (index === null || !isIndexComplete(space.id)) return null;
  const { units = 'chunks' } = restriction;
  const leftOut = await store.leftOut(scope, { space: space.id, units, most: plan.leftOut });
  if (leftOut === null) return null;
  const pending = await store.pending(scope, space.id, plan.pending);
  if (pending === null) return null;
  const indexed = plan.measure.chunks - leftOut.units;
  const proposed = indexed > 0 ? await proposeFromIndex(context, index, search) : [];
  if (proposed === null) return null;
  const candidates = [
    ...new Set([...proposed, ...pending, ...alsoCompare, ...(leftOut.more ? await worded() : [])]),
  ];
  const limit = candidates.length + plan.cosines;
  const [compared, others] = await Promise.all([
    store.compare(scope, restriction, { space: space.id, vector, candidates, limit }),
    compareLeftOut(context, search, leftOut),
  ]);
  const survivors = new Set(compared.map(({ n }) => n));
  const own = proposed.filter((n) => survivors.has(n)).length;
  const tooFew = plan.containers === null ? 0 : FEWEST_SHARE * proposed.length;
  if (own + others.length < Math.min(Math.max(fewest, tooFew), indexed)) return null;
  if (leftOut.more) skipped.add('q', BY_WORDS_ALONE);
  return joinedMatches(compared, others);
};

const cosinesOf = async (context: SemanticContext, search: SemanticSearch): Promise<VectorMatch[]> => {
  const proposed = search.plan.wide ? await compareProposed(context, search) : null;
  return proposed ?? scanScope(context, search);
};

/**
 * `cosines`: nearest first. A chunk that is not among them is at most as near as the last of them, and gets that cosine;
 * where every vector was compared, a chunk that is missing has no vector yet.
 */
const nearnessFrom = (cosines: readonly VectorMatch[], plan: SearchPlan): Nearness => {
  const known = new Map<number, number>();
  for (const { n, cosine } of cosines) known.set(n, cosine);
  const complete = plan.chunks <= plan.cosines;
  const beyond = complete ? null : (cosines.at(-1)?.cosine ?? null);
  return { nearest: cosines.map(({ n }) => n), cosine: (n) => known.get(n) ?? beyond };
};

export const compareMeaning = async (context: SemanticContext, search: SemanticSearch): Promise<Nearness> =>
  nearnessFrom(await cosinesOf(context, search), search.plan);
