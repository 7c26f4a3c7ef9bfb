// Memories in the store, for requests. Every method takes a Scope first.
import type { AuditNote } from '../../../../core/audit.ts';
import type { Scope } from '../../../../core/scope.ts';
import type { MetadataFilter, Restriction } from '../filters.ts';
import type { Metadata } from '../metadata.ts';
import type { FillSpace } from '../spaces.ts';

export type MemoryRelation = 'updates' | 'extends' | 'derives';

/** A memory that `doubts` another perhaps replaces it; one that `hints` at it does so with a small chance. No answer shows them: they decide what comes first. */
export type DoubtKind = 'doubts' | 'hints';
export type StoredRelation = MemoryRelation | DoubtKind;

export interface MemoryRecord {
  n: number;
  id: string;
  memory: string;
  /** In the order in which they were sent. */
  tags: string[];
  container: number;
  version: number;
  isLatest: boolean;
  isStatic: boolean;
  isInference: boolean;
  isForgotten: boolean;
  slot: string | null;
  about: string | null;
  forgetAfter: number | null;
  forgetReason: string | null;
  review: 'approved' | 'declined' | null;
  metadata: Metadata | null;
  documentDate: number | null;
  eventDates: number[];
  /** Null on the first of a chain. */
  parentId: string | null;
  rootId: string | null;
  sourceCount: number;
  createdAt: number;
  updatedAt: number;
}

/** A memory with its versions, relations and sources. */
export interface MemoryDetail extends MemoryRecord {
  documentIds: string[];
  /** Earlier versions, newest first. */
  history: MemoryRecord[];
  /** The relations of this memory to others, by their ids. */
  relations: { id: string; kind: MemoryRelation }[];
}

/** A memory that is ready to be stored: analysed and embedded. */
export interface PreparedMemory {
  memory: string;
  isStatic: boolean;
  isInference: boolean;
  slot: string | null;
  about: string | null;
  forgetAfter: number | null;
  forgetReason: string | null;
  metadata: Metadata | null;
  documentDate: number | null;
  eventDates: readonly number[];
  /** Its words for the keyword index, joined by spaces. */
  body: string;
  bodyTokens: number;
  terms: Uint8Array;
  inputHash: string;
  vectors: ReadonlyMap<number, Float32Array>;
}

/** Names one memory under any of the tags: by id, or the latest version by its exact text. */
export interface MemoryTarget {
  tags: readonly string[];
  id?: string;
  content?: string;
}

export type MemoryFound =
  /** `latest`: the id of its chain's latest version. */
  | { outcome: 'found'; memory: MemoryRecord; latest: string | null }
  /** The memory exists outside the caller's tags. */
  | { outcome: 'foreign' }
  | { outcome: 'missing' };

export interface MemoryList {
  filter?: MetadataFilter;
  /** Includes forgotten and expired ones. */
  forgotten: boolean;
  /** Only these. */
  isStatic?: boolean;
  isInference?: boolean;
  sort: 'createdAt' | 'updatedAt';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export interface Revision {
  prepared: PreparedMemory;
  /** Missing: inherited from the version before. */
  metadata?: Metadata | null;
  forgetAfter?: number | null;
  forgetReason?: string | null;
  documentDate?: number | null;
  eventDates?: readonly number[];
}

export type Revised =
  | { outcome: 'revised'; memory: MemoryRecord }
  /** Another version replaced it. */
  | { outcome: 'superseded' }
  /** Forgotten; or expired, and the revision gives no new expiry. */
  | { outcome: 'forgotten' }
  | { outcome: 'missing' };

export type Reviewed =
  | { outcome: 'reviewed'; memory: MemoryRecord }
  /** Not a pending guess, or no judgement to withdraw. */
  | { outcome: 'refused' };

/** A guess, with the number of memories that it was made from. */
export interface InferredMemory extends MemoryRecord {
  parentCount: number;
}

export interface Relative {
  id: string;
  memory: string;
  relation: MemoryRelation;
  /** Relative to the memory asked about: −1 the version before, +1 the one after; null outside its chain. */
  version: number | null;
  metadata: Metadata | null;
  updatedAt: number;
}

export interface Relatives {
  parents: Relative[];
  children: Relative[];
  related: Relative[];
}

/** Documents that were asked to be read again, in slices. */
export interface RedrawAsked {
  documents: number;
  /** The number of the last one of the slice; null: it was the last slice. */
  last: number | null;
}

/** The progress of the documents that were asked to be read again, and of the memories under them. */
export interface RedrawStatus {
  waiting: number;
  done: number;
  failed: number;
  added: number;
  removed: number;
}

/** For requests. */
export interface MemoryStore {
  /** Asks for documents to be read again for memories: all, or those with any of the tags. Returns their number. */
  redraw(scope: Scope, tags: readonly string[] | undefined): Promise<number>;
  redrawStatus(scope: Scope, tags: readonly string[] | undefined): Promise<RedrawStatus>;
  find(scope: Scope, target: MemoryTarget): Promise<MemoryFound>;
  /** The memories of these ids that are live under any of the tags, in the order of the ids. */
  among(scope: Scope, request: { tags: readonly string[]; ids: readonly string[] }): Promise<MemoryRecord[]>;
  list(scope: Scope, query: MemoryList): Promise<{ memories: MemoryDetail[]; total: number }>;
  /** Live guesses that nobody has judged, those made from most memories first, then the newest. */
  inferred(scope: Scope, limit: number): Promise<{ memories: InferredMemory[]; total: number }>;
  /** Latest, neither forgotten nor expired, newest first. */
  live(scope: Scope, query: { filter?: MetadataFilter; limit: number }): Promise<MemoryRecord[]>;
  /** By number, inside the scope and the restriction. */
  memories(scope: Scope, restriction: Restriction, ns: readonly number[]): Promise<MemoryDetail[]>;
  /** Forgotten and expired ones only on request. */
  relatives(scope: Scope, ns: readonly number[], forgotten?: boolean): Promise<Map<number, Relatives>>;
  /** The memories of these documents, by document number. */
  ofDocuments(scope: Scope, documents: readonly number[]): Promise<Map<number, MemoryDetail[]>>;
  /**
   * Creates a light document as their source; all or nothing. A statement equal to a live memory becomes a source of
   * it; the memory then has the later expiry and the metadata of both. A statement that changes one becomes a
   * version of it: the latest, or an earlier one if its date is earlier.
   */
  create(
    scope: Scope,
    request: { tags: readonly string[]; documentId: string; memories: readonly PreparedMemory[] },
    spaces: readonly FillSpace[],
  ): Promise<{ documentId: string; memories: MemoryRecord[] }>;
  /** A new version of the memory, which a light document of its own supports. */
  revise(scope: Scope, id: string, revision: Revision, spaces: readonly FillSpace[]): Promise<Revised>;
  /** Soft; returns the ids that were forgotten now, without missing ones and those forgotten before. */
  forget(
    scope: Scope,
    ids: readonly string[],
    request: { reason: string | null; batch: string | null },
    note?: AuditNote | null,
  ): Promise<string[]>;
  review(scope: Scope, id: string, action: 'approve' | 'decline' | 'undo'): Promise<Reviewed>;
}
