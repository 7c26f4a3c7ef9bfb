// Memories as search and the profile read them: few columns, their sources, and the state of their chunks.
import type { Scope } from '../../../../core/scope.ts';
import type { DocumentRecord, SourceRecord } from '../documents.ts';
import type { MetadataFilter, Restriction } from '../filters.ts';
import type { Metadata } from '../metadata.ts';
import type { DoubtKind } from './memories.ts';

/** The fields of a memory that a search needs. */
export interface RecalledMemory {
  n: number;
  id: string;
  memory: string;
  version: number;
  isStatic: boolean;
  /** A guess that nobody has approved. */
  isInference: boolean;
  /** Forgotten or expired. */
  isForgotten: boolean;
  /** The review of a guess. */
  review: string | null;
  metadata: Metadata | null;
  documentDate: number | null;
  eventDates: number[];
  forgetAfter: number | null;
  createdAt: number;
  updatedAt: number;
}

/** The profile weighs memories by their sources inside the scope. A search reads hundreds and does not count them. */
export interface WeighedMemory extends RecalledMemory {
  sourceCount: number;
}

/** The sources of a memory inside the scope. */
export interface MemorySources {
  /** In the order in which they were stored. */
  documents: SourceRecord[];
  /** The numbers of the chunks that state it. */
  chunks: number[];
}

/** The memories that a chunk states. */
export interface Stated {
  /** The memories that it states, only the latest of each chain. */
  memories: number[];
  /** True if all of them are forgotten, declined or expired: the chunk must no longer be shown for them. */
  forgotten: boolean;
  /** True if some of them are: the chunk must be shown without what states these. */
  partly: boolean;
}

/** A memory that a chunk states. */
export interface StatedMemory {
  memory: string;
  /** Forgotten, declined or expired. */
  isForgotten: boolean;
}

/** Of what a chunk states, all or some was replaced. */
export type Outdated = 'wholly' | 'partly';

/** A memory that a chunk states and a later one has replaced. */
export interface ReplacedMemory {
  memory: string;
  /** The number of the live memory that replaced it. */
  by: number;
}

/** The document, chunk or memory with an id, inside the scope. */
export interface Named {
  kind: 'document' | 'chunk' | 'memory';
  /** The document itself, or that of the chunk. */
  document: DocumentRecord | null;
  memory: { isLatest: boolean; isForgotten: boolean; isDeclined: boolean } | null;
  /** The numbers of what searches find of it. */
  chunks: number[];
  memories: number[];
}

export interface RecallStore {
  /** By number, inside the scope and the restriction; only the latest of each chain. */
  statements(scope: Scope, restriction: Restriction, ns: readonly number[]): Promise<RecalledMemory[]>;
  /** Latest, neither forgotten nor expired nor an unapproved guess, the last changed first. */
  remembered(
    scope: Scope,
    query: { filter?: MetadataFilter; isStatic: boolean; limit: number },
  ): Promise<WeighedMemory[]>;
  /** The memories among these that a live memory doubts, or only hints at, each with that one. */
  inDoubt(scope: Scope, memories: readonly number[], kind: DoubtKind): Promise<Map<number, number>>;
  sources(scope: Scope, memories: readonly number[]): Promise<Map<number, MemorySources>>;
  /** Chunks that state nothing are left out. */
  stated(scope: Scope, chunks: readonly number[]): Promise<Map<number, Stated>>;
  /** The chunks that state memories that were replaced. */
  outdated(scope: Scope, chunks: readonly number[]): Promise<Map<number, Outdated>>;
  /** The same chunks, each with those memories and the live ones that replaced them. */
  replacing(scope: Scope, chunks: readonly number[]): Promise<Map<number, ReplacedMemory[]>>;
  /** The memories themselves, only the latest of each chain; chunks that state nothing are left out. */
  drawn(scope: Scope, chunks: readonly number[]): Promise<Map<number, StatedMemory[]>>;
  /** The forgotten and expired memories that documents stated, as texts; documents without any are left out. */
  forgottenOf(scope: Scope, documents: readonly number[]): Promise<Map<number, string[]>>;
  /** Null: the scope has nothing with this id or customId. */
  named(scope: Scope, id: string): Promise<Named | null>;
  /** A text that changes with every write to the tag's memories; null: there is no such tag. */
  changes(scope: Scope, tag: string): Promise<string | null>;
}
