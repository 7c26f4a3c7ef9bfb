// The plan of a search: before anything is read it decides if the scope is compared exactly, and how many candidates are
// read.
import type { Extent, ScopeMeasure } from '../../../adapters/store/ports/search.ts';

export interface SearchLimits {
  /** Up to this many chunks every vector is compared; beyond, the index proposes. */
  narrow: number;
  /** Up to this many chunks are read on the calling thread: the way to another one and back would cost as much. */
  here: number;
  /** Up to this many chunks every chunk with a word of the query is ranked; beyond, `keywordMatches` of them. */
  allRanked: number;
  /** The chunks with the rarest words that are ranked beyond `allRanked`. */
  keywordMatches: number;
  /** The number of chunks that the index proposes, and of cosines in a narrow scope beyond `allRanked`. */
  nearest: number;
  /** Up to this many chunks that wait for the index are compared in SQL; beyond, every vector is. */
  pending: number;
  /** The timeout of the query's vector; afterwards words alone answer. */
  embedMs: number;
  /** The timeout of the reranker; results without a score by then keep their order. */
  rerankMs: number;
  /** The timeout of the reranker in a search that did not ask for it; null: such a search is not reranked. */
  rerankEverySearchMs: number | null;
  /** The timeout of each call to a language model. */
  modelMs: number;
}

export const SEARCH_LIMITS: SearchLimits = {
  narrow: 20_000,
  here: 2_000,
  allRanked: 2_000,
  keywordMatches: 600,
  nearest: 1_000,
  pending: 20_000,
  embedMs: 5_000,
  rerankMs: 5_000,
  rerankEverySearchMs: null,
  modelMs: 10_000,
};

/** Beyond this many terms a query matches so much that ranking it all would cost more than it finds. */
const LONG_QUERY = 32;

export interface SearchPlan {
  /** True: Chroma proposes candidates; false: every vector of the scope is compared. */
  wide: boolean;
  /** True: candidates are read on a query worker. */
  aside: boolean;
  containers: readonly number[] | null;
  measure: ScopeMeasure;
  chunks: number;
  /** Some documents are messages of threads. */
  threaded: boolean;
  /** False: no chunk that is found can state a memory. */
  anyMemory: boolean;
  /** The number of keyword matches that are ranked. */
  keywordMatches: number;
  /** The number of cosines that are computed. */
  cosines: number;
  /** The most chunks waiting for the index that are compared in SQL. */
  pending: number;
  /** The most chunks in small containers, left out of the index, that are compared in SQL. */
  leftOut: number;
  /** The number of candidates that are read in full: priors may still move a result past several others. */
  poolSize: number;
  /** The number of best hits without own words (only with words of their neighbours) that are read from the store. */
  located: number;
}

const SMALLEST_POOL = 100;
const LARGEST_POOL = 300;
const POOL_PER_RESULT = 4;
const LOCATED = 20;
const LOCATED_PER_RESULT = 2;

export interface PlanInput {
  readonly extent: Extent;
  /** The number of terms in the query. */
  readonly terms: number;
  /** The number of results that the caller wants. */
  readonly results: number;
  readonly limits: SearchLimits;
}

export const planSearch = ({ extent, terms, results, limits }: PlanInput): SearchPlan => {
  const wide = extent.chunks > limits.narrow;
  const rankAll = extent.chunks <= limits.allRanked;
  return {
    wide,
    aside: wide || extent.chunks > limits.here,
    containers: extent.containers,
    measure: extent.measure,
    chunks: extent.chunks,
    threaded: extent.threaded,
    anyMemory: extent.memories > 0,
    keywordMatches: rankAll && terms <= LONG_QUERY ? limits.allRanked : limits.keywordMatches,
    cosines: rankAll ? limits.allRanked : limits.nearest,
    pending: limits.pending,
    leftOut: limits.narrow,
    poolSize: Math.min(LARGEST_POOL, Math.max(SMALLEST_POOL, POOL_PER_RESULT * results)),
    located: LOCATED + LOCATED_PER_RESULT * results,
  };
};
