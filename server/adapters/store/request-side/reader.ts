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

/** The targets of a filter: documents alone, or memories with them. */
export type FilterSubject = 'documents' | 'memories';

export interface Reader {
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

/** The result of the filter of a call; without a filter it has no entry. */
type Allowed = (
  scope: Scope,
  filter: MetadataFilter | undefined,
  subject: FilterSubject,
) => Promise<{ allowed?: FilterNumbers }>;

const NEVER_ABORTED = new AbortController().signal;

/** Each read of the server itself counts as a call of its own. */
const callBehind = ({ call }: Scope): JobCall => call ?? { principal: 'server', signal: NEVER_ABORTED };

/** The filters of one call that were evaluated, by their text. */
type Evaluated = Map<string, Promise<FilterNumbers>>;

const createFilters = (at: Reader['at']): Allowed => {
  const ofCalls = new WeakMap<JobCall, Evaluated>();
  const ofCall = (call: JobCall): Evaluated => {
    const known = ofCalls.get(call) ?? new Map();
    ofCalls.set(call, known);
    return known;
  };
  return async (scope, filter, subject) => {
    if (filter === undefined) return {};
    const evaluated = ofCall(callBehind(scope));
    const key = JSON.stringify([subject, filter]);
    const known =
      evaluated.get(key) ?? at(scope, true)('filter', reachOf(scope), filter, subject === 'memories');
    evaluated.set(key, known);
    return { allowed: await known };
  };
};

/** `workers`: null: every read runs on the calling thread. */
export const createReader = (dbOf: DbOf, workers: QueryWorkers | null, now: () => number): Reader => {
  const here = directCall<ReadCommands>(createReads(dbOf));
  const at: Reader['at'] = (scope, aside) =>
    aside && workers !== null ? (command, ...args) => workers.run(callBehind(scope), command, ...args) : here;
  const allowed = createFilters(at);
  return {
    bounds: (scope) => ({ reach: reachOf(scope), now: now() }),
    at,
    async within(scope, { filter, ...rest }, aside = false) {
      const restriction = { ...rest, ...(await allowed(scope, filter, 'memories')) };
      // A path is looked up among the documents of all owners.
      const mayBeLong = aside || filter !== undefined || restriction.filepath !== undefined;
      const isAside = mayBeLong && workers !== null;
      return { read: at(scope, isAside), restriction, isAside };
    },
    async listing(scope, { filter, ...query }, subject) {
      const allows = await allowed(scope, filter, subject);
      const reach = reachOf(scope);
      const size = filter === undefined ? await scopeSize(dbOf(reach), reach, LISTED_HERE) : null;
      const aside = size === null || size[subject] > LISTED_HERE;
      return { read: at(scope, aside), query: { ...query, ...allows }, size };
    },
  };
};
