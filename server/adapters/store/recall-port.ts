// What search and the profile ask of memories: light rows, where they were said, what stands around them.
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRecord, Filter, Metadata, Restriction, SourceRecord } from './port.ts';

/** A memory as far as ranking and the profile need it. */
export interface RecalledMemory {
  n: number;
  id: string;
  memory: string;
  version: number;
  isStatic: boolean;
  /** A guess that nobody has approved. */
  isInference: boolean;
  /** What somebody judged of a guess. */
  review: string | null;
  metadata: Metadata | null;
  documentDate: number | null;
  eventDates: number[];
  forgetAfter: number | null;
  sourceCount: number;
  createdAt: number;
  updatedAt: number;
}

/** Where a memory was said, as far as the scope reaches. */
export interface MemorySources {
  /** In the order in which they were stored. */
  documents: SourceRecord[];
  /** The numbers of the chunks that state it. */
  chunks: number[];
}

/** What a chunk has been read for. */
export interface Stated {
  /** The memories that it states, of each chain the latest. */
  memories: number[];
  /** All of them were forgotten or declined: somebody does not want to be told this any more. */
  forgotten: boolean;
}

/** What an id names, as far as the scope reaches. */
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
  /** By number, as far as the scope and the restriction allow; the latest of their chains alone. */
  statements(scope: Scope, restriction: Restriction, ns: readonly number[]): Promise<RecalledMemory[]>;
  /** Latest, neither forgotten nor expired nor an unapproved guess, the last changed first. */
  remembered(
    scope: Scope,
    query: { filter?: Filter; isStatic: boolean; limit: number },
  ): Promise<RecalledMemory[]>;
  sources(scope: Scope, memories: readonly number[]): Promise<Map<number, MemorySources>>;
  /** Chunks that state nothing are left out. */
  stated(scope: Scope, chunks: readonly number[]): Promise<Map<number, Stated>>;
  /** Null: the scope holds nothing of this id or customId, whether or not others do. */
  named(scope: Scope, id: string): Promise<Named | null>;
  /** Another text after every write to what the tag's memories say; null: there is no such tag. */
  changes(scope: Scope, tag: string): Promise<string | null>;
}
