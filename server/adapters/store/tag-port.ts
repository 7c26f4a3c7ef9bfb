// Container tags as records: what a request may ask (a Scope first, always), and the merges that go on in the background.
import type { Scope } from '../../lib/scope.ts';
import type { TokenCount } from './usage-port.ts';

export interface ProfileBucket {
  key: string;
  description: string;
}

export interface TagRecord {
  tag: string;
  name: string | null;
  entityContext: string | null;
  /** Paths below which documents are read for memories; null: everywhere. */
  memoryFilesystemPaths: string[] | null;
  /** The tag's own. */
  profileBuckets: ProfileBucket[];
  createdAt: number;
  updatedAt: number;
}

/** A tag with what language models took for what carries it. */
export interface TagAccount extends TagRecord {
  tokens: TokenCount;
}

/** A tag with what lies under it. */
export interface TagSummary extends TagRecord {
  documents: number;
  /** Latest, neither forgotten nor expired. */
  memories: number;
  lastActivityAt: number | null;
  /** Only while a merge goes on. */
  merge: { id: string; as: 'source' | 'target'; target: string } | null;
}

/** What is left out stays. */
export interface TagChanges {
  name?: string;
  entityContext?: string | null;
  memoryFilesystemPaths?: readonly string[] | null;
  profileBuckets?: readonly ProfileBucket[];
}

export type TagRemoved =
  | { outcome: 'removed'; documents: number; memories: number }
  /** A merge has it in hand. */
  | { outcome: 'merging'; id: string }
  /** Documents under it may belong to others: only a caller who may use every tag can remove one. */
  | { outcome: 'forbidden' }
  | { outcome: 'missing' };

export interface MergeRequest {
  id: string;
  sources: readonly string[];
  target: string;
}

export type MergeStarted =
  | { outcome: 'started' }
  | { outcome: 'merging'; id: string }
  | { outcome: 'forbidden' }
  | { outcome: 'missing'; tags: string[] };

export interface MergeRecord extends MergeRequest {
  status: 'queued' | 'processing' | 'completed';
  /** Documents that carry the target by now. */
  moved: number;
  /** Of those, the ones that gave up their customId because the target has another document of that name. */
  unnamed: number;
  createdAt: number;
  updatedAt: number;
}

export interface TagStore {
  /** Those that the scope reads, oldest first. */
  list(scope: Scope): Promise<TagSummary[]>;
  get(scope: Scope, tag: string): Promise<TagAccount | null>;
  /** Makes the tag where there is none. */
  upsert(scope: Scope, tag: string, changes: TagChanges): Promise<TagRecord>;
  /** For good: documents that have only this tag go, the others lose it. */
  remove(scope: Scope, tag: string): Promise<TagRemoved>;
  /** Only notes the job; the work is done in the background. */
  merge(scope: Scope, request: MergeRequest): Promise<MergeStarted>;
  mergeStatus(scope: Scope, id: string): Promise<MergeRecord | null>;
}

/** Never handed to an operation. */
export interface MergeIngestStore {
  /** Moves up to so many documents of the oldest merge in one transaction; false: there is none. */
  mergeSlice(limit: number): Promise<boolean>;
}
