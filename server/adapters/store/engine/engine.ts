// The interface of a database. Both run the shared statements, and each has its own way to keep the keyword index, vectors,
// locks, numbers and counts.
import type { QueryResult } from '#kysely';
import type { Quantised } from '../../../lib/vectors/code.ts';
import type { ChunkRecord, SourceRecord } from '../ports/documents.ts';
import type { UnitKind } from '../ports/filters.ts';
import type { KeywordMatch } from '../ports/search.ts';
import type { Db } from '../tables/tables.ts';

export interface UnitWords {
  /** The number of the chunk or memory. */
  n: number;
  tagNumbers: readonly number[];
  /** Analysed words, joined by spaces. */
  body: string;
  extra: string;
}

/** A lookup of units that hold at least one of these words. A container tag is a word of its own, so that the tag is part of each lookup. */
export interface WantedWords {
  /** Null: all tags. */
  readonly tags: readonly number[] | null;
  readonly words: readonly string[];
}

export interface WordIndex {
  write(tx: Db, kind: UnitKind, units: readonly UnitWords[]): Promise<void>;
  erase(tx: Db, kind: UnitKind, ns: readonly number[]): Promise<void>;
  /** Gives chunks another version: their words stay, but something else changed that ranking weighs. */
  touchChunks(tx: Db, ns: readonly number[]): Promise<void>;
  /** The lookup as the parameter of `chunks_holding` and `memories_holding`. */
  expression(wanted: WantedWords): string;
}

/** A chunk or memory before it is looked at for the words of a query. */
export interface RankedUnit extends Omit<KeywordMatch, 'held'> {
  readonly terms: Uint8Array;
}

/** The column of documents, chunks, their words, and memories that changes whenever their row does, for a `RowCache`. */
export const ROW_VERSION = 'written';

/** Rows in the memory of this process, by their numbers. */
export interface RowCache<Kept> {
  /** True: it is kept, in this or an earlier version. */
  holds(db: Db, n: number): boolean;
  /** Undefined: it has to be read. */
  find(db: Db, n: number, version: number): Kept | undefined;
  /** Returns what it keeps. */
  keep(db: Db, version: number, row: Kept): Kept;
}

/** Caches for a database that is another process, where sending rows takes longer than finding them. */
export interface RowCaches {
  readonly units: RowCache<RankedUnit>;
  readonly chunks: RowCache<ChunkRecord>;
  /** Documents. */
  readonly sources: RowCache<SourceRecord>;
}

export interface NumberedVector {
  n: number;
  /** Null: the chunk is gone. */
  vector: Float32Array | null;
}

/** One space, as vectors are compared in it. */
export interface StoredSpace {
  id: number;
  dimensions: number;
}

/** The vectors of one space from one number up to another. */
export interface VectorRange {
  space: number;
  from: number;
  to: number;
}

/** The numbers of vectors by which a space has grown. */
export interface VectorGrowth {
  /** The vectors that are stored. */
  readonly vectors: number;
  /** The vectors that the index is to hold where it leaves small containers out. */
  readonly indexed: number;
}

/** The numbers of several containers, of each from one number within it up to another. */
export interface VectorsOfContainers extends VectorRange {
  readonly containers: readonly number[];
}

export type VisitVector = (n: number, cosine: number) => void;

/** Vectors by their numbers, in the form in which they are compared. */
export interface VectorTable {
  /** Stores, replaces or erases vectors. */
  write(tx: Db, space: StoredSpace, vectors: readonly NumberedVector[]): Promise<VectorGrowth>;
  read(db: Db, space: StoredSpace, ns: readonly number[]): Promise<Map<number, Quantised>>;
  /** Visits a large range in pages, so that it is never in memory at once. */
  compareRange(db: Db, range: VectorRange, vector: Float32Array, visit: VisitVector): Promise<void>;
  /** Visits few small containers in one read. */
  compareContainers(
    db: Db,
    among: VectorsOfContainers,
    vector: Float32Array,
    visit: VisitVector,
  ): Promise<void>;
  compareChunks(
    db: Db,
    among: { space: number; ns: readonly number[] },
    vector: Float32Array,
    visit: VisitVector,
  ): Promise<void>;
  /** The chunks and memories after one number and up to another that have no vector in the space. */
  without(db: Db, space: StoredSpace, window: { after: number; last: number }): Promise<number[]>;
  /** Erases some vectors of the space; true: there may be more. */
  erase(tx: Db, space: number, limit: number): Promise<boolean>;
}

export type NumberedUnits = 'chunks' | 'memories';

/** Gives the chunks and memories of a container their numbers. No number is given twice; some stay unused. */
export interface UnitNumbers {
  /** Takes `count` numbers and returns the first of them, counted within the container. */
  take(tx: Db, from: { units: NumberedUnits; container: number; count: number }): Promise<number>;
}

type LockedTable = 'documents' | 'chunks' | 'memories';

export interface RowsToLock {
  readonly table: LockedTable;
  readonly ns: readonly number[];
  /** Rows that another write holds are left out. */
  readonly free?: boolean;
}

/** The locks that writes of one database take. */
export interface WriteLocks {
  /** False: one writer writes at a time, and these functions do nothing. */
  readonly needed: boolean;
  names(tx: Db, names: readonly string[]): Promise<void>;
  /** Returns the numbers of the locked rows. */
  rows(tx: Db, rows: RowsToLock): Promise<readonly number[]>;
}

export interface ContainerCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly body_tokens: number;
  readonly messages: number;
  readonly message_tokens: number;
  readonly memories: number;
  readonly memory_tokens: number;
}

/** The counts that one database keeps. A transaction sees what it added itself only after it has ended. */
export interface Counting {
  containers(tx: Db, n: number, changes: Partial<ContainerCounts>): Promise<void>;
  vectors(tx: Db, space: number, by: VectorGrowth): Promise<void>;
}

export interface StoreEngine {
  /** True: a statement crosses a network, so few statements are better than short ones. */
  readonly isRemote: boolean;
  readonly words: WordIndex;
  readonly vectors: VectorTable;
  readonly locks: WriteLocks;
  readonly numbers: UnitNumbers;
  readonly counting: Counting;
  /** Null: the rows of the database are in the memory of this process anyway. */
  readonly rowCaches: RowCaches | null;
  /** True: what was read may be kept: the database counts the changes of passages and vectors, and the connection writes nothing. */
  readonly keepsReads: boolean;
}

/** Runs a text on the connection itself: the layers of Kysely around it cost more than a short statement. */
export type TextRunner = (
  text: string,
  parameters: readonly unknown[],
) => QueryResult<unknown> | Promise<QueryResult<unknown>>;

/** The parts of a database that the shared statements reach through their `Db`. */
interface Behind {
  readonly engine: StoreEngine;
  readonly run: TextRunner;
  /** Missing: a trip to the database costs nothing. */
  readonly inOneTrip?: <T>(ask: () => T) => T;
  /** The same database without a scope. */
  readonly everywhere: Db;
}

const behind = new WeakMap<Db, Behind>();

export const provideEngine = (db: Db, provided: Behind): void => {
  behind.set(db, provided);
};

export const behindOf = (db: Db): Behind => {
  const found = behind.get(db);
  if (found === undefined) throw new Error('Statements run on a database that an engine has opened.');
  return found;
};

export const engineOf = (db: Db): StoreEngine => behindOf(db).engine;

/**
 * Sends all statements together that `ask` starts before it first waits. For short reads only: they wait for each other, and
 * all of them fail with the first one.
 */
export const inOneTrip = <T>(db: Db, ask: () => T): T => (behindOf(db).inOneTrip ?? ((each) => each()))(ask);

/** The database without the scope of the call, for a read that tells its caller no more than that something exists. */
export const everywhere = (db: Db): Db => behindOf(db).everywhere;
