// Connections to outside sources in the store: records for requests, and the ledger for the thread that syncs.
import type { Scope } from '../../../core/scope.ts';

export type ConnectionState = 'active' | 'paused' | 'signed_out' | 'held';
export type ItemState = 'wanted' | 'taken' | 'gone' | 'skipped' | 'failed' | 'excluded';
export type SyncTrigger = 'cron' | 'manual' | 'event';

export interface SyncRunRecord {
  id: string;
  connectionId: string;
  status: 'running' | 'completed' | 'failed';
  trigger: SyncTrigger;
  startedAt: number;
  completedAt: number | null;
  processed: number;
  failed: number;
  removed: number;
  /** Items that the source showed and for which the limit of documents left no place. */
  beyondLimit: number;
  errorCode: string | null;
  error: string | null;
}

export interface ConnectionRecord {
  id: string;
  provider: string;
  tags: string[];
  state: ConnectionState;
  documentLimit: number;
  /** Without secrets. */
  metadata: Record<string, string | number | boolean>;
  createdBy: string | null;
  createdAt: number;
  /** Null: only by hand. */
  nextLookAt: number | null;
  /** Removals that wait for a person. */
  held: number;
}

export interface NewConnection extends Omit<ConnectionRecord, 'state' | 'held'> {
  /** Null: the source needs none. */
  sealed: string | null;
}

export interface ItemRecord {
  id: string;
  state: ItemState;
  /** The id of its document. */
  doc: string | null;
  error: string | null;
  errorCode: string | null;
}

export interface ConnectionStore {
  /** Those that have one of the tags of the scope, oldest first. */
  list(scope: Scope): Promise<ConnectionRecord[]>;
  get(scope: Scope, id: string): Promise<ConnectionRecord | null>;
  /** False: the caller does not hold all of its tags. */
  create(scope: Scope, connection: NewConnection): Promise<boolean>;
  /** False: there is none that the caller may change. A connection that resumes looks at once, and so does one whose removals are accepted. */
  pause(scope: Scope, id: string): Promise<boolean>;
  resume(scope: Scope, id: string): Promise<boolean>;
  acceptRemovals(scope: Scope, id: string): Promise<boolean>;
  /** It looks at once; false: there is none, or it is not active. */
  want(scope: Scope, id: string, trigger: Exclude<SyncTrigger, 'cron'>): Promise<boolean>;
  /** Returns the ids of the documents that no other connection holds; null: there was none. */
  remove(scope: Scope, id: string): Promise<string[] | null>;
  /** Newest first. */
  runs(scope: Scope, id: string, limit: number): Promise<SyncRunRecord[]>;
  items(scope: Scope, id: string, state: ItemState, limit: number): Promise<ItemRecord[]>;
  count(scope: Scope, id: string): Promise<Partial<Record<ItemState, number>>>;
}

/** The lease of a run. The writer refuses a write whose lease is no longer that of the connection. */
export interface HeldRun {
  connection: string;
  lease: string;
  run: string;
  look: number;
}

export interface LeasedRun extends HeldRun {
  record: ConnectionRecord;
  sealed: string | null;
  cursor: unknown;
}

/** An item as a look shows it. */
export interface SeenItem {
  id: string;
  mark: string;
  face: Readonly<Record<string, unknown>>;
  how: unknown;
  /** The reason why it is not read; it is shown to people. */
  skip?: { code: string; message: string };
  /** The source says that it was removed. */
  gone?: boolean;
}

export interface WantedItem {
  id: string;
  mark: string;
  face: Record<string, unknown>;
  how: unknown;
  doc: string | null;
  /** Only title, path or metadata changed. */
  sameContent: boolean;
  attempts: number;
}

export interface ItemFailure {
  code: string;
  message: string;
  /** Null: it is not tried again before it changes. */
  dueAt: number | null;
}

export interface RunEnd {
  status: 'completed' | 'failed';
  errorCode: string | null;
  error: string | null;
  nextLookAt: number | null;
  /** The source refused the credentials: nothing is asked before they are renewed. */
  signedOut?: boolean;
  notBefore?: number;
}

/** Every write answers false, and changes nothing, if another run has taken the connection. */
export interface ConnectionIngestStore {
  /** The connection that is due longest, with the run that was cut off or a new one. Null: none is due. */
  leaseRun(forMs: number): Promise<LeasedRun | null>;
  /** One transaction: what a page shows, the cursor that follows it, and the lease for a while longer. */
  storePage(
    held: HeldRun,
    page: { items: readonly SeenItem[]; cursor: unknown },
    forMs: number,
  ): Promise<boolean>;
  /** After a whole listing: what it did not show is gone, unless that are suspiciously many. */
  endWholeLook(held: HeldRun): Promise<{ outcome: 'removed' | 'held'; items: number } | false>;
  wanted(connection: string, limit: number): Promise<WantedItem[]>;
  /** Gone items that still have a document. */
  goneWithDocument(connection: string, limit: number): Promise<{ id: string; doc: string }[]>;
  taken(held: HeldRun, item: Pick<WantedItem, 'id' | 'mark' | 'face'>, doc: string): Promise<boolean>;
  failItem(held: HeldRun, id: string, failure: ItemFailure): Promise<boolean>;
  /** Their documents are removed. */
  forgetItems(held: HeldRun, ids: readonly string[]): Promise<boolean>;
  endRun(held: HeldRun, end: RunEnd): Promise<boolean>;
}
