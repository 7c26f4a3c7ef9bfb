// For searches: the size of a scope, candidates by words and by vectors, chunks with their documents.
import type { Scope } from '../../../core/scope.ts';
import type { HeldTerm } from '../../../lib/text/terms/terms.ts';
import type { ChunkRecord, SourceRecord } from './documents.ts';
import type { Restriction, UnitKind } from './filters.ts';
import type { ThreadStore } from './threads.ts';

/** Other words that count as each term, such as stems in other languages. */
export type WordForms = readonly (readonly string[])[];

/** Measures of a scope and a restriction, so that later reads of a search need not measure again. */
export interface ScopeMeasure {
  /** The containers of the scope; null: every one. */
  containers: number[] | null;
  /** The numbers of the tags of the scope; null: it has none. */
  tagNumbers: number[] | null;
  chunks: number;
  bodyTokens: number;
  messages: number;
  messageTokens: number;
  /** True: the number of a chunk alone shows that it is inside the restriction. */
  byNumber: boolean;
  /** True: a filter is all that restricts, so that the number of its document shows it as well. */
  byDocument: boolean;
}

/** The size of the searched scope, which decides between the exact scan and the index. */
export interface Extent {
  /** Chunks that survive the restriction, counted up to the bound and one more. */
  chunks: number;
  /** The containers of the scope; null: every one. */
  containers: number[] | null;
  /** False: the restriction names a missing document. */
  documentFound: boolean;
  /** Some documents of the scope are messages of threads. */
  threaded: boolean;
  /** Memories that the scope holds, also former and forgotten ones and those that the restriction leaves out. */
  memories: number;
  measure: ScopeMeasure;
}

/** One chunk that holds a query term, with what ranking needs (retrieval in TypeScript, never `bm25()` in a narrow scope). */
export interface KeywordMatch {
  n: number;
  document: number;
  position: number;
  part: number;
  flags: number;
  bodyTokens: number;
  messageTokens: number;
  /** The terms of the request that it holds, in each of its fields. */
  held: readonly HeldTerm[];
}

export interface KeywordMatches {
  matches: KeywordMatch[];
  /** For each term, in the order of the request: the number of chunks of the scope, or inside the restriction, that hold it. */
  frequencies: number[];
  /** Over the scope's containers, for length normalisation and idf. */
  chunks: number;
  averageBodyTokens: number;
  averageMessageTokens: number;
}

export interface VectorMatch {
  n: number;
  /** Cosine, from the vectors in SQL, so that both ways of finding agree. */
  cosine: number;
}

/** A chunk with its document, for a result. */
export interface ChunkWithDocument extends ChunkRecord {
  document: SourceRecord;
}

/** A part of a document: the chunks between two positions, of each only some parts where these are named. */
export interface Stretch {
  document: number;
  from: number;
  to: number;
  parts?: { from: number; to: number };
}

/** The part of a scope that the index leaves out, because it lies in small containers. */
export interface LeftOut {
  /** The containers of which every vector is to be compared. */
  readonly containers: readonly number[];
  /** The chunks or memories in all that are left out. */
  readonly units: number;
  /** True: there are other small containers, too many to compare. */
  readonly more: boolean;
}

export interface SearchStore extends ThreadStore {
  extent(scope: Scope, restriction: Restriction, bound: number): Promise<Extent>;
  /** `aside`: on a query worker, in place of the calling thread. */
  keyword(
    scope: Scope,
    restriction: Restriction,
    terms: readonly string[],
    options: { aside: boolean; limit: number; measure?: ScopeMeasure; forms?: WordForms },
  ): Promise<KeywordMatches>;
  /** Exact: every surviving vector is compared, of all containers of the scope or of some; nearest first. */
  scan(
    scope: Scope,
    restriction: Restriction,
    request: {
      space: number;
      vector: Float32Array;
      limit: number;
      aside: boolean;
      measure?: ScopeMeasure;
      containers?: readonly number[];
    },
  ): Promise<VectorMatch[]>;
  /**
   * The small containers of the scope, where the index leaves them out, to be compared exactly up to `most` chunks or memories.
   * Null: the index lacks large ones too. Must be read before `pending`, for the same reason.
   */
  leftOut(scope: Scope, request: { space: number; units: UnitKind; most: number }): Promise<LeftOut | null>;
  /**
   * The chunks of all owners that the index has not taken yet; null: more than `limit`. Must be read before the index is
   * queried: a chunk that it takes in between is then found twice and not missed.
   */
  pending(scope: Scope, space: number, limit: number): Promise<number[] | null>;
  /** Cosines of those of these chunks that survive; nearest first. */
  compare(
    scope: Scope,
    restriction: Restriction,
    request: { space: number; vector: Float32Array; candidates: readonly number[]; limit: number },
  ): Promise<VectorMatch[]>;
  /** The passages among `ns` that the scope and the restriction allow, in no order. */
  passages(scope: Scope, restriction: Restriction, ns: readonly number[]): Promise<ChunkWithDocument[]>;
  /** The chunks of each range in reading order, for the neighbours of hits. */
  neighbours(scope: Scope, stretches: readonly Stretch[]): Promise<ChunkRecord[][]>;
  /** The places of these chunks in their documents, from 0. */
  places(scope: Scope, ns: readonly number[]): Promise<Map<number, number>>;
  /** Full text of documents, for `includeFullDocs`. */
  contents(scope: Scope, documentNs: readonly number[]): Promise<Map<number, string>>;
}
