// Connections to outside sources in the store: records for requests, and the ledger for the thread that syncs.
import type { AuditNote } from '../../../../core/audit.ts';
import type { Scope } from '../../../../core/scope.ts';
import type { Submission } from '../documents.ts';
import type { Metadata } from '../metadata.ts';

export type ConnectionState =
  /** Nobody has signed in yet. */
  | 'waiting'
  /** Nothing was chosen yet. */
  | 'choosing'
  | 'active'
  | 'paused'
  | 'signed_out'
  | 'held'
  /** Its documents are being removed; requests do not see it any more. */
  | 'removing';
/** A connection that waits for a person. */
export interface WaitingConnection {
  id: string;
  provider: string;
  state: 'signed_out' | 'held';
}
export type ItemState =
  | 'wanted'
  | 'taken'
  | 'gone'
  | 'skipped'
  | 'failed'
  /** A person deleted its document here. */
  | 'excluded'
  | 'folder'
  /** Known, and not below what was chosen. */
  | 'outside';

/** The number of items in each state. */
export type ItemCounts = Readonly<Partial<Record<ItemState, number>>>;
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
  /** Items that the source showed. */
  looked: number;
  added: number;
  updated: number;
  /** Read again, and found to be the same. */
  unchanged: number;
  skipped: number;
  requests: number;
  bytes: number;
  waitedMs: number;
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
  /** The account that signed in, as the source names it. */
  account: string | null;
  email: string | null;
  /** The choice of a person; null: nothing was chosen yet. */
  choice: readonly StoredChoice[] | null;
  /** A hash of the client id of the app that signed it in. */
  app: string | null;
  grantEndsAt: number | null;
  /** Why it waits for a person, as a sentence. */
  problem: string | null;
  /** Its newest run. */
  lastRun: SyncRunRecord | null;
  watch: ConnectionWatch;
}

/** The webhooks of a connection, by which its source calls when something changes. */
export interface ConnectionWatch {
  made: boolean;
  /** The last genuine call, to the minute. */
  heardAt: number | null;
  endsAt: number | null;
  /** Why there are none, as a sentence. */
  problem: string | null;
}

/** A chosen resource: a folder, a file, a repository. */
export interface StoredChoice {
  id: string;
  name: string;
  kind: string;
  how?: unknown;
}

export interface NewConnection
  extends Omit<ConnectionRecord, 'held' | 'problem' | 'lastRun' | 'watch' | 'choice' | 'grantEndsAt'> {
  /** Null: the source needs none. */
  sealed: string | null;
}

export interface ItemRecord {
  id: string;
  state: ItemState;
  /** The id of its document. */
  doc: string | null;
  title: string | null;
  path: string | null;
  error: string | null;
  errorCode: string | null;
}

/** The fields that a sign-in brings; a missing one stays as it is. */
export interface SignedIn {
  sealed: string;
  account: string;
  email: string | null;
  app: string | null;
  grantEndsAt: number | null;
  state: 'active' | 'choosing';
}

/** `removed`: the connection is gone meanwhile. `otherAccount`: it syncs another account meanwhile. */
export type SignInEnd = 'finished' | 'removed' | 'otherAccount';

export interface ConnectionChange {
  choice?: readonly StoredChoice[];
  documentLimit?: number;
  /** The new secrets, for a connection that signed out. */
  sealed?: string;
  metadata?: ConnectionRecord['metadata'];
}

export interface ConnectionStore {
  /** The connections with one of the tags of the scope, oldest first. */
  list(scope: Scope): Promise<ConnectionRecord[]>;
  get(scope: Scope, id: string): Promise<ConnectionRecord | null>;
  /** False: the caller does not hold all of its tags. */
  create(scope: Scope, connection: NewConnection, note?: AuditNote | null): Promise<boolean>;
  /** False: there is none that the caller may change. A connection that resumes looks at once, and so does one whose removals are accepted. */
  pause(scope: Scope, id: string, note?: AuditNote | null): Promise<boolean>;
  resume(scope: Scope, id: string, note?: AuditNote | null): Promise<boolean>;
  acceptRemovals(scope: Scope, id: string, note?: AuditNote | null): Promise<boolean>;
  /** Has the connection look at once; false: there is none, or it is not active. */
  want(
    scope: Scope,
    id: string,
    trigger: Exclude<SyncTrigger, 'cron'>,
    note?: AuditNote | null,
  ): Promise<boolean>;
  /** Changes the connection, and has it look at once. False: there is none that the caller may change. */
  change(scope: Scope, id: string, change: ConnectionChange, note?: AuditNote | null): Promise<boolean>;
  /** Its sealed secrets; null: there are none, or the caller may not change it. */
  secrets(scope: Scope, id: string): Promise<string | null>;
  /** The tokens of a renewed sign-in, before they are used. */
  renewSecrets(scope: Scope, id: string, sealed: string): Promise<void>;
  /** Its documents are hidden, or are kept and belong to no connection. Null: there is none that the caller may change. */
  remove(scope: Scope, id: string, keepDocuments: boolean, note?: AuditNote | null): Promise<number | null>;
  /** A deleted or excluded item is wanted again; the number of those. */
  include(scope: Scope, id: string, items: readonly string[], note?: AuditNote | null): Promise<number>;
  /** Newest first. */
  runs(scope: Scope, id: string, limit: number): Promise<SyncRunRecord[]>;
  items(
    scope: Scope,
    id: string,
    state: ItemState,
    page: { limit: number; offset: number },
  ): Promise<ItemRecord[]>;
  /** The items of each connection that the caller may see. */
  counts(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, ItemCounts>>;
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
  /** Runs before it that failed one after the other. */
  failures: number;
}

/** The way in which the source of a connection works, as far as its ledger depends on it. */
export interface LedgerRules {
  /** Items have folders, so that a folder takes its content along. */
  folders: boolean;
  /** Only what lies below the chosen folders is wanted. */
  selects: boolean;
  /** An item that disappears while another appears with its mark was moved. */
  moves: boolean;
}

/** An item as a look shows it. */
export interface SeenItem {
  id: string;
  /** Missing: a file. */
  kind?: 'file' | 'folder';
  parent?: string;
  mark: string;
  face: Readonly<Record<string, unknown>>;
  how: unknown;
  bytes?: number;
  tags?: readonly string[];
  /** The reason why it is not read; it is shown to people. */
  skip?: { code: string; message: string };
  /** The source says that it was removed. */
  gone?: boolean;
}

export interface SeenPage {
  items: readonly SeenItem[];
  cursor: unknown;
  /** Items whose ids begin so and that the look did not show are gone. */
  covered?: readonly string[];
  /** Everything that was read before is wanted again. */
  again?: boolean;
  /** Items that the look showed before this page do not count. */
  restart?: boolean;
  /** The page is the first of a listing: an interrupted run begins its listing again. */
  begins?: boolean;
}

export interface WantedItem {
  id: string;
  parent: string | null;
  mark: string;
  face: Record<string, unknown>;
  how: unknown;
  tags: readonly string[] | null;
  doc: string | null;
  /** The mark of the content that its document has; null: it was never read. */
  takenMark: string | null;
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

/** The content of an item that was read. */
export interface TakenItem {
  item: Pick<WantedItem, 'id' | 'mark' | 'face'>;
  contentMark: string | null;
  /** Null: the same content as before. */
  submission: Submission | null;
  description: ItemDescription;
  /** Items that the content leads to. */
  found: readonly SeenItem[];
  note: string | null;
}

/** An item that was read and has nothing to store. */
export interface SkippedItem {
  id: string;
  skip: { code: string; message: string };
  /** Items that it leads to all the same. */
  found: readonly SeenItem[];
}

/** The things that are known of a document besides its content. */
export interface ItemDescription {
  provider: string;
  title: string | null;
  url: string | null;
  filepath: string | null;
  metadata: Metadata;
}

export type TakeOutcome =
  | { outcome: 'added' | 'updated' | 'unchanged'; stored: boolean }
  /** A document of this customId was made by a caller: it is left alone, and the item fails. */
  | { outcome: 'occupied' };

export interface RunEnd {
  status: 'completed' | 'failed';
  errorCode: string | null;
  error: string | null;
  nextLookAt: number | null;
  /** The source refused the credentials: nothing is asked before they are renewed. */
  signedOut?: boolean;
  notBefore?: number;
}

export type RunCounts = Partial<Record<'requests' | 'bytes' | 'waitedMs', number>>;

/** Every write answers false, and changes nothing, if another run has taken the connection. */
export interface ConnectionIngestStore {
  /** The connection that is due longest, with the run that was cut off or a new one. Null: none is due. */
  leaseRun(forMs: number): Promise<LeasedRun | null>;
  /** The time at which the next connection is due; null: none. */
  nextRunAt(): Promise<number | null>;
  /** The lease for a while longer, and what the run has cost since the last call. */
  renew(held: HeldRun, forMs: number, counts: RunCounts): Promise<boolean>;
  /** One transaction: what a page shows, the cursor that follows it, and the lease for a while longer. */
  storePage(held: HeldRun, page: SeenPage, rules: LedgerRules, forMs: number): Promise<boolean>;
  /** After the last page of a look: what lies below the chosen folders is wanted, and nothing else. */
  settleChoice(held: HeldRun): Promise<boolean>;
  /** After a whole listing: what it did not show is gone, unless that are suspiciously many. */
  endWholeLook(
    held: HeldRun,
    rules: LedgerRules,
  ): Promise<{ outcome: 'removed' | 'held'; items: number } | false>;
  /** Items that a rule of the settings leaves out now, or no longer does. */
  applyFilter(
    held: HeldRun,
    changes: { leftOut: readonly string[]; back: readonly string[] },
  ): Promise<boolean>;
  /** Files of the ledger, in the order of their ids. */
  files(connection: string, after: string, limit: number): Promise<LedgerFile[]>;
  wanted(connection: string, limit: number): Promise<WantedItem[]>;
  /** The time at which a wanted item may be tried again; null: none is wanted. */
  nextWantedAt(connection: string): Promise<number | null>;
  /** The path of a folder, as in "/Plans/2026"; empty for one that is not known. */
  pathOf(connection: string, folder: string): Promise<string>;
  /** Documents of the connection that are not processed yet. */
  waitingDocuments(connection: string): Promise<number>;
  take(held: HeldRun, taken: TakenItem, rules: LedgerRules): Promise<TakeOutcome | false>;
  failItem(held: HeldRun, id: string, failure: ItemFailure): Promise<boolean>;
  /** There is nothing to store; the document of an earlier reading is removed. */
  skipItem(held: HeldRun, skipped: SkippedItem, rules: LedgerRules): Promise<boolean>;
  /** Items that no look since this one has shown, longest unseen first. */
  unseen(connection: string, look: number, limit: number): Promise<WantedItem[]>;
  /** Notes that these items were asked for and exist. */
  noteHere(held: HeldRun, ids: readonly string[]): Promise<boolean>;
  noteGone(held: HeldRun, ids: readonly string[], rules: LedgerRules): Promise<boolean>;
  /** Removes documents of items that are gone; false also when there is none left. */
  removeGone(held: HeldRun, limit: number): Promise<boolean>;
  endRun(held: HeldRun, end: RunEnd): Promise<boolean>;
  /** The tokens of a renewed sign-in, before they are used. */
  storeSecrets(connection: string, sealed: string): Promise<void>;
  readSecrets(connection: string): Promise<string | null>;
  /** Nothing is asked of its account before then, also after a restart. */
  silence(connection: string, until: number): Promise<void>;
  /** Goes on with removed connections; true: there may be more. */
  finishRemovals(): Promise<boolean>;
}

export interface LedgerFile {
  id: string;
  state: ItemState;
  errorCode: string | null;
  parent: string | null;
  face: Record<string, unknown>;
}
