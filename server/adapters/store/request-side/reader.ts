// Decides where a read runs: on the calling thread, or on a query worker if it may take long. A filter is always evaluated
// on a query worker, once for each call, and everything that is read with it is read there.
import { reachOf, type Scope } from '../../../core/scope.ts';
import { directCall } from '../../../lib/threads/direct-call.ts';
import type { JobCall } from '../../../lib/threads/job-pool.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { MetadataFilter, Restriction } from '../ports/filters.ts';
import type { EvaluatedRestriction, FilterNumbers } from '../statements/filters.ts';
import { type ScopeSize, scopeSize } from '../statements/totals.ts';
import type { QueryWorkers } from './query-workers.ts';
import { createReads, type DbOf, type ReadBounds, type ReadCommands } from './reads.ts';

/** A list over at most this many documents or memories is read on the calling thread. */
const LISTED_HERE = 2_000;

/** To list more takes longer than to look at what a search has found. */
const MOST_LISTED = 20_000;

/** The targets of a filter: documents alone, or memories with them. */
export type FilterSubject = 'documents' | 'memories';

export interface Reader {
  now(): number;
  bounds(scope: Scope): ReadBounds;
  /** `aside`: on a query worker. */
  at(scope: Scope, aside: boolean): Call<ReadCommands>;
  /** The way to read inside a restriction, and the restriction with its filter evaluated. */
  within(
    scope: Scope,
    restriction: Restriction,
    aside?: boolean,
  ): Promise<{ read: Call<ReadCommands>; restriction: EvaluatedRestriction; isAside: boolean }>;
  /** The way to read a list of everything in the scope, and the query with its filter evaluated. */
  listing<Query extends Filtered>(
    scope: Scope,
    query: Query,
    subject: FilterSubject,
  ): Promise<Listing<Query>>;
}

export interface Listing<Query extends Filtered> {
  read: Call<ReadCommands>;
  query: Omit<Query, 'filter'> & { allowed?: FilterNumbers };
  /** The number of documents and memories in the scope; null: not counted. */
  size: ScopeSize | null;
}

interface Filtered {
  readonly filter?: MetadataFilter;
}

const NEVER_ABORTED = new AbortController().signal;

/** Each read of the server itself counts as a call of its own. */
const callBehind = ({ call }: Scope): JobCall => call ?? { principal: 'server', signal: NEVER_ABORTED };

/** Evaluates a filter for each call once. */
interface Filters {
  /** Without a filter there is no entry. */
  ofList(
    scope: Scope,
    filter: MetadataFilter | undefined,
    subject: FilterSubject,
  ): Promise<{ allowed?: FilterNumbers }>;
  ofSearch(
    scope: Scope,
    filter: MetadataFilter | undefined,
  ): Promise<Pick<EvaluatedRestriction, 'allowed' | 'broad'>>;
}

const createFilters = (at: Reader['at'], most: number): Filters => {
  const ofCalls = new WeakMap<JobCall, Map<string, Promise<unknown>>>();
  const once = <T>(scope: Scope, key: string, evaluate: () => Promise<T>): Promise<T> => {
    const call = callBehind(scope);
    const evaluated = ofCalls.get(call) ?? new Map<string, Promise<unknown>>();
    ofCalls.set(call, evaluated);
    const known = (evaluated.get(key) as Promise<T> | undefined) ?? evaluate();
    evaluated.set(key, known);
    return known;
  };
  return {
    async ofList(scope, filter, subject) {
      if (filter === undefined) return {};
      const evaluate = () => at(scope, true)('filter', reachOf(scope), filter, subject === 'memories');
      return { allowed: await once(scope, JSON.stringify([subject, filter]), evaluate) };
    },
    async ofSearch(scope, filter) {
      if (filter === undefined) return {};
      const evaluate = () => at(scope, true)('narrowFilter', reachOf(scope), filter, most);
      const allowed = await once(scope, JSON.stringify(filter), evaluate);
      return allowed === null ? { broad: { filter, most } } : { allowed };
    },
  };
};

export interface ReaderOptions {
  /** Null: every read runs on the calling thread. */
  readonly workers: QueryWorkers | null;
  readonly now: () => number;
  /** The most documents and memories that a search lists for a condition of its filter. */
  readonly mostListed?: number;
}

export const createReader = (
  dbOf: DbOf,
  { workers, now, mostListed = MOST_LISTED }: ReaderOptions,
): Reader => {
  const here = directCall<ReadCommands>(createReads(dbOf));
  const at: Reader['at'] = (scope, aside) =>
    aside && workers !== null ? (command, ...args) => workers.run(callBehind(scope), command, ...args) : here;
  const filters = createFilters(at, mostListed);
  return {
    now,
    bounds: (scope) => ({ reach: reachOf(scope), now: now() }),
    at,
    async within(scope, { filter, ...rest }, aside = false) {
      const restriction = { ...rest, ...(await filters.ofSearch(scope, filter)) };
      // A path is looked up among the documents of all owners.
      const mayBeLong = aside || filter !== undefined || restriction.filepath !== undefined;
      const isAside = mayBeLong && workers !== null;
      return { read: at(scope, isAside), restriction, isAside };
    },
    async listing(scope, { filter, ...query }, subject) {
      const allows = await filters.ofList(scope, filter, subject);
      const reach = reachOf(scope);
      const size = filter === undefined ? await scopeSize(dbOf(reach), reach, LISTED_HERE) : null;
      const aside = size === null || size[subject] > LISTED_HERE;
      return { read: at(scope, aside), query: { ...query, ...allows }, size };
    },
  };
};
