// The query workers of a server.
import { createQueryWorkers, type QueryWorkers } from '../../adapters/store/request-side/query-workers.ts';
import { reachOf } from '../../core/scope.ts';
import type { SearchElsewhere } from '../../domain/search/places.ts';
import { entry } from '../../lib/threads/entry.ts';
import type { WholeSearches } from './searches.ts';

export type SearchingWorkers = QueryWorkers<WholeSearches>;

export const startQueryWorkers = (file: string, deadlineMs: number): SearchingWorkers =>
  createQueryWorkers<WholeSearches>({ file, deadlineMs, thread: entry('./thread', import.meta.url) });

/** The way of a whole search to a query worker. */
export const searchAside = (workers: SearchingWorkers): SearchElsewhere => ({
  mayRun: () => true,
  warm: workers.warm,
  run: async (scope, whole) => scope.call && workers.run(scope.call, 'search', reachOf(scope), whole),
});
