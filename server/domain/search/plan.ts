// Decides before anything is read: what narrows the search, what results are judged by, and whether the scope is small
// enough to be compared exactly.
import type { Condition, Extent, Filter, Restriction } from '../../adapters/store/port.ts';
import type { Basis } from './similarity.ts';

export interface SearchLimits {
  /** Up to this many chunks every vector is compared on the calling thread; beyond, the index proposes. */
  narrow: number;
  /** Up to this many chunks every chunk with a word of the query is ranked; beyond, the best few by rare words. */
  rankedWhole: number;
  /** Those best few. */
  matches: number;
  /** How many the index proposes, and how many cosines are asked of a narrow scope beyond `rankedWhole`. */
  nearest: number;
  /** Up to this many chunks that the index has not taken yet are compared beside it; beyond, every vector is. */
  pending: number;
  /** How long a query may wait for its vector before words alone answer. */
  embedMs: number;
  /** How long a search waits for a reranker before its results stay in their order. */
  rerankMs: number;
  /** How long it waits for a language model, each time that it asks one. */
  modelMs: number;
}

export const SEARCH_LIMITS: SearchLimits = {
  narrow: 20_000,
  rankedWhole: 2_000,
  matches: 600,
  nearest: 1_000,
  pending: 20_000,
  embedMs: 5_000,
  rerankMs: 5_000,
  modelMs: 10_000,
};

/** Long queries hit so much that ranking it all would cost more than it finds. */
const LONG_QUERY = 32;

export interface Plan {
  wide: boolean;
  containers: readonly number[] | null;
  chunks: number;
  /** Some documents are messages of threads. */
  threaded: boolean;
  /** Without any nothing that is found states one. */
  anyMemory: boolean;
  /** How many keyword matches are ranked. */
  matches: number;
  /** How many cosines are asked for. */
  cosines: number;
  /** How many that wait for the index are compared beside it. */
  pending: number;
  /** How many candidates are read in full: priors may still move a result past several others. */
  pool: number;
  /** How many of the best by words are looked up even where only their neighbours' words speak for them. */
  located: number;
}

const SMALLEST_POOL = 100;
const LARGEST_POOL = 300;
const POOL_PER_RESULT = 4;
const LOCATED = 20;
const LOCATED_PER_RESULT = 2;

export function planFor(extent: Extent, terms: number, results: number, limits: SearchLimits): Plan {
  const wide = extent.chunks > limits.narrow;
  const whole = extent.chunks <= limits.rankedWhole;
  const pool = Math.min(LARGEST_POOL, Math.max(SMALLEST_POOL, POOL_PER_RESULT * results));
  return {
    wide,
    containers: extent.containers,
    chunks: extent.chunks,
    threaded: extent.threaded,
    anyMemory: extent.memories > 0,
    matches: whole && terms <= LONG_QUERY ? limits.rankedWhole : limits.matches,
    cosines: whole ? limits.rankedWhole : limits.nearest,
    pending: limits.pending,
    pool,
    located: LOCATED + LOCATED_PER_RESULT * results,
  };
}

/** The fields of both requests that narrow a search; tags are the scope's. */
export interface Narrowing {
  docId?: string | undefined;
  endUserId?: string | undefined;
  filepath?: string | undefined;
  filters?: Filter | undefined;
}

const endUserIs = (value: string): Condition => ({
  key: 'endUserId',
  value,
  filterType: 'metadata',
  numericOperator: '=',
  negate: false,
  ignoreCase: false,
});

function filterOf({ filters, endUserId }: Narrowing): Filter | undefined {
  if (endUserId === undefined) return filters;
  const user = endUserIs(endUserId);
  return filters === undefined ? user : { AND: [filters, user] };
}

export function restrictionOf(input: Narrowing): Restriction {
  const filter = filterOf(input);
  return {
    ...(input.docId === undefined ? {} : { document: input.docId }),
    ...(input.filepath === undefined ? {} : { filepath: input.filepath }),
    ...(filter === undefined ? {} : { filter }),
  };
}

/** One field of a request that narrows, by itself. */
export interface OneNarrowing {
  field: 'docId' | 'filepath' | 'endUserId' | 'filters';
  /** Of a filter, what it asks for: the keys, without the values. */
  keys: readonly string[];
  restriction: Restriction;
}

/** The parts of a filter that all have to hold. */
const conjuncts = (filter: Filter): readonly Filter[] =>
  'AND' in filter ? filter.AND.flatMap(conjuncts) : [filter];

const keysOf = (filter: Filter): string[] => {
  if ('AND' in filter) return filter.AND.flatMap(keysOf);
  return 'OR' in filter ? filter.OR.flatMap(keysOf) : [filter.key];
};

/** Each of them alone; of a filter each part that has to hold. */
export function narrowings(input: Narrowing): OneNarrowing[] {
  const { docId, filepath, endUserId, filters } = input;
  const fields = { docId, filepath, endUserId } as const;
  const simple = (['docId', 'filepath', 'endUserId'] as const).flatMap((field): OneNarrowing[] => {
    const value = fields[field];
    return value === undefined ? [] : [{ field, keys: [], restriction: restrictionOf({ [field]: value }) }];
  });
  const parts = filters === undefined ? [] : conjuncts(filters);
  return [
    ...simple,
    ...parts.map(
      (filter): OneNarrowing => ({
        field: 'filters',
        keys: [...new Set(keysOf(filter))],
        restriction: { filter },
      }),
    ),
  ];
}

export type SearchMode = 'memories' | 'hybrid' | 'documents' | 'semantic' | 'keyword';

export function basisOf(mode: SearchMode): Basis {
  if (mode === 'keyword') return 'words';
  return mode === 'semantic' ? 'meaning' : 'both';
}
