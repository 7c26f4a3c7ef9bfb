// Container tags as records, for requests (every method takes a Scope first), and their merges in the background.
import type { AuditNote } from '../../../core/audit.ts';
import type { Scope } from '../../../core/scope.ts';
import type { QuotaLimits } from './usage/quotas.ts';
import type { TokenCount } from './usage/usage.ts';

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

/** A tag with the tokens that language models used for its documents. */
export interface TagAccount extends TagRecord {
  tokens: TokenCount;
}

/** A tag with the counts of its content. */
export interface TagSummary extends TagRecord {
  documents: number;
  /** Latest, neither forgotten nor expired. */
  memories: number;
  lastActivityAt: number | null;
  /** Only during a merge. */
  merge: { id: string; as: 'source' | 'target'; target: string } | null;
}

/** Missing fields are unchanged. */
export interface TagChanges {
  name?: string;
  entityContext?: string | null;
  memoryFilesystemPaths?: readonly string[] | null;
  profileBuckets?: readonly ProfileBucket[];
  quotas?: QuotaLimits;
}

export type TagRemoved =
  | { outcome: 'removed'; documents: number; memories: number }
  /** A merge of the tag is active. */
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
  /** The number of those that gave up their customId because the target has another document of that name. */
  unnamed: number;
  createdAt: number;
  updatedAt: number;
}

export interface TagStore {
  /** The tags that the scope reads, oldest first. */
  list(scope: Scope): Promise<TagSummary[]>;
  get(scope: Scope, tag: string): Promise<TagAccount | null>;
  /** Makes the tag where there is none. */
  upsert(scope: Scope, tag: string, changes: TagChanges, note?: AuditNote | null): Promise<TagRecord>;
  /** Permanent: documents with only this tag are deleted, the others lose it. */
  remove(scope: Scope, tag: string, note?: AuditNote | null): Promise<TagRemoved>;
  /** Only stores the job; the work is done in the background. */
  merge(scope: Scope, request: MergeRequest, note?: AuditNote | null): Promise<MergeStarted>;
  mergeStatus(scope: Scope, id: string): Promise<MergeRecord | null>;
}

/** Never handed to an operation. */
export interface MergeIngestStore {
  /** Moves up to this many documents of the oldest merge in one transaction; false: there is none. */
  mergeSlice(limit: number): Promise<boolean>;
}
