// The reads that may take long, by name: they run on the calling thread or on a query worker.
import type { Reach } from '../../../core/scope.ts';
import type { CommandHandlers } from '../../../lib/threads/rpc.ts';
import { checkChain } from '../queries/audit/chain.ts';
import { listAudit } from '../queries/audit/read.ts';
import { listChunks, listDocuments } from '../queries/documents/read.ts';
import { listMemories, liveMemories, memoriesByNumber } from '../queries/memories/read.ts';
import { recallByNumber, recallForProfile } from '../queries/memories/recall.ts';
import { chunksWithDocuments } from '../queries/search/chunks-with-documents.ts';
import { findById } from '../queries/search/find-by-id.ts';
import { findKeywordMatches } from '../queries/search/keyword.ts';
import { measureExtent } from '../queries/search/measure-extent.ts';
import { compareCandidates, pendingVectors, scanVectors } from '../queries/search/vector-search.ts';
import { leftOutOfIndex } from '../queries/spaces/indexed-containers.ts';
import { listRequests, storedTotals, sumCalls, sumTags, sumTokens } from '../queries/usage/read.ts';
import type { ScopedRead } from '../statements/contexts.ts';
import { evaluateAmong } from '../statements/evaluate-broad.ts';
import { evaluateFilter, evaluateNarrowFilter } from '../statements/evaluate-filter.ts';
import type { EvaluatedRestriction } from '../statements/filters.ts';
import type { Db } from '../tables/tables.ts';
import { packKeywordMatches, packVectorMatches } from './packed.ts';

/** Packs the answer of a read for the way between threads. */
const packed =
  <Args extends unknown[], Answer, Packed>(
    read: (...args: Args) => Promise<Answer>,
    pack: (answer: Answer) => Packed,
  ) =>
  async (...args: Args): Promise<Packed> =>
    pack(await read(...args));

/** The database as a reach sees it. */
export type DbOf = (reach: Reach) => Db;

type Tail<F> = F extends (db: Db, ...rest: infer R) => infer A ? (...rest: R) => A : never;

const bind = <F extends (db: Db, reach: Reach, ...rest: never[]) => Promise<unknown>>(
  dbOf: DbOf,
  query: F,
): Tail<F> => ((reach: Reach, ...rest: never[]) => query(dbOf(reach), reach, ...rest)) as Tail<F>;

/** The part of a scoped read that can cross threads. */
export type ReadBounds = Omit<ScopedRead, 'db'>;

type Within<F> = F extends (read: ScopedRead, ...rest: infer R) => infer A
  ? (bounds: ReadBounds, ...rest: R) => A
  : never;

const within = <F extends (read: ScopedRead, ...rest: never[]) => Promise<unknown>>(
  dbOf: DbOf,
  query: F,
): Within<F> =>
  ((bounds: ReadBounds, ...rest: never[]) =>
    query({ db: dbOf(bounds.reach), ...bounds }, ...rest)) as unknown as Within<F>;

type ReadUnits<T> = (
  read: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
) => Promise<T>;

/** Reads units by their numbers: a filter that allows too much to list it is evaluated for them alone. */
const among =
  <T>(query: ReadUnits<T>): ReadUnits<T> =>
  async (read, restriction, ns) =>
    query(read, await evaluateAmong(read.db, read.reach, restriction, ns), ns);

export const createReads = (db: DbOf) =>
  ({
    filter: bind(db, evaluateFilter),
    narrowFilter: bind(db, evaluateNarrowFilter),
    extent: bind(db, measureExtent),
    keyword: bind(db, findKeywordMatches),
    scan: bind(db, scanVectors),
    packedKeyword: packed(bind(db, findKeywordMatches), packKeywordMatches),
    packedScan: packed(bind(db, scanVectors), packVectorMatches),
    pending: bind(db, pendingVectors),
    leftOut: bind(db, leftOutOfIndex),
    compare: bind(db, compareCandidates),
    named: bind(db, findById),
    passages: within(db, among(chunksWithDocuments)),
    statements: within(db, among(recallByNumber)),
    remembered: within(db, recallForProfile),
    memories: within(db, among(memoriesByNumber)),
    liveMemories: within(db, liveMemories),
    listMemories: within(db, listMemories),
    listDocuments: within(db, listDocuments),
    listChunks: within(db, listChunks),
    listAudit: within(db, listAudit),
    checkChain: within(db, checkChain),
    sumCalls: within(db, sumCalls),
    sumTags: within(db, sumTags),
    sumTokens: within(db, sumTokens),
    listRequests: within(db, listRequests),
    storedTotals: within(db, storedTotals),
  }) satisfies CommandHandlers;

/** The commands of a query worker. */
export type ReadCommands = ReturnType<typeof createReads>;
