// The reads that may take long, by name: run on the calling thread or on the reading thread.
import type { CommandHandlers } from '../../../lib/threads/rpc.ts';
import { findById } from '../queries/search/find-by-id.ts';
import { measureExtent } from '../queries/search/measure-extent.ts';
import { compareCandidates, pendingVectors, scanVectors } from '../queries/search/vector-search.ts';
import { findKeywordMatches } from '../sqlite/keyword.ts';
import type { Db } from '../tables/tables.ts';

type Tail<F> = F extends (db: Db, ...rest: infer R) => infer A ? (...rest: R) => A : never;

const bind = <F extends (db: Db, ...rest: never[]) => Promise<unknown>>(db: Db, query: F): Tail<F> =>
  ((...rest: never[]) => query(db, ...rest)) as Tail<F>;

export const createReads = (db: Db) =>
  ({
    extent: bind(db, measureExtent),
    keyword: bind(db, findKeywordMatches),
    scan: bind(db, scanVectors),
    pending: bind(db, pendingVectors),
    compare: bind(db, compareCandidates),
    named: bind(db, findById),
  }) satisfies CommandHandlers;

/** The commands of the reading thread. */
export type ReadCommands = ReturnType<typeof createReads>;
