// Documents in the store: adding, finding, listing, changing and deleting them.
import type { AuditNote } from '../../../core/audit.ts';
import type { Scope } from '../../../core/scope.ts';
import type { FileRecord, SubmittedFile } from './files.ts';
import type { Restriction } from './filters.ts';
import type { ContextFilter, Metadata } from './metadata.ts';
import type { TokenCount } from './usage/usage.ts';

export type DocumentStep = 'queued' | 'extracting' | 'chunking' | 'embedding' | 'done' | 'failed';

export interface StoredFailure {
  code: string;
  message: string;
  retryable: boolean;
}

export interface DocumentRecord {
  n: number;
  id: string;
  customId: string | null;
  /** In the order in which they were sent. */
  tags: string[];
  /** The title that is shown; the passages may have another one. */
  title: string | null;
  summary: string | null;
  /** Given by the caller, stated by the text, drawn from it, or written by a model. Null: there is none. */
  titleOrigin: 'given' | 'stated' | 'drawn' | 'written' | null;
  summaryOrigin: 'drawn' | 'written' | null;
  type: string;
  content: string | null;
  url: string | null;
  source: string | null;
  /** The id of the connection that brought it. */
  connection: string | null;
  filepath: string | null;
  taskType: string;
  metadata: Metadata | null;
  step: DocumentStep;
  /** Counts the changes of its content, from 1. */
  revision: number;
  progress: { done: number; total: number; unit: string } | null;
  failure: StoredFailure | null;
  /** The state of remembering; none: nothing to read so far. */
  memoryState: 'none' | 'waiting' | 'done' | 'failed';
  /** The reason why no memories could be drawn; the document itself is searchable. */
  memoryFailure: StoredFailure | null;
  /** All tokens that language models used for it. */
  tokens: TokenCount;
  chunks: number;
  /** Names the content that was left out. */
  note: string | null;
  createdAt: number;
  updatedAt: number;
}

/** The fields of a document that search results need. */
export type SourceRecord = Pick<
  DocumentRecord,
  | 'n'
  | 'id'
  | 'title'
  | 'summary'
  | 'type'
  | 'taskType'
  | 'filepath'
  | 'metadata'
  | 'chunks'
  | 'createdAt'
  | 'updatedAt'
> & {
  /** The title that was indexed with its passages. */
  passageTitle: string | null;
};

/** A statement that a sender makes about the content; it becomes a memory of the document. */
export interface SubmittedFact {
  memory: string;
  isStatic: boolean;
  forgetAfter: number | null;
  /** The id of the memory that it replaces. */
  replaces: string | null;
}

export interface Submission {
  /** The id the document gets if it is new. */
  id: string;
  customId: string | null;
  /** Null: the caller named none; an existing customId decides, else `defaultTags`, which may be none. */
  tags: readonly string[] | null;
  defaultTags: readonly string[];
  content: string;
  hash: string;
  type: string;
  /** True: the content replaces the stored content, even if they have parts in common. */
  replace: boolean;
  metadata: Metadata | null;
  title: string | null;
  filepath: string | null;
  url: string | null;
  source: string | null;
  taskType: string;
  /** Null: not given; a new document's memories may then come later. */
  dreaming: string | null;
  entityContext: string | null;
  /** Missing: the former value is kept. */
  contextFilter?: ContextFilter;
  /** The id of the key. */
  sentBy?: string;
  /** The text is not known yet, so `content` is empty. */
  file?: SubmittedFile;
  /** True for a file, a page or an address, which is read outside of the queue. */
  heavy?: boolean;
  createdAt?: number;
  /** The memories of its passages, which are then not read for others. Missing: they are read. */
  facts?: readonly SubmittedFact[];
}

/** The reason why facts cannot become memories of a document; nothing was stored. */
export type FactsRefused =
  /** No memories are drawn from the document: by its task type, or because its path lies outside those of its tags. */
  | { outcome: 'searched only' }
  /** There is no such memory under exactly the tags of the document. */
  | { outcome: 'unknown memory'; id: string; tags: readonly string[] }
  /** `latest`: the latest version of its chain. */
  | { outcome: 'older version'; id: string; latest: string | null }
  | { outcome: 'forgotten memory'; id: string };

export type Submitted =
  /**
   * `stored`: false if the same content is already stored, so that the sent file is not needed. `retried`: the document
   * waited after a failure, and is tried at once.
   */
  | { outcome: 'accepted'; id: string; status: 'queued' | 'done'; stored: boolean; retried?: true }
  /** A new document without tags and without default tags. */
  | { outcome: 'untagged' }
  /** The document also carries tags that the caller does not hold. */
  | { outcome: 'forbidden'; id: string }
  | FactsRefused;

export type FoundDocument =
  | { outcome: 'found'; document: DocumentRecord }
  | { outcome: 'foreign' }
  | { outcome: 'ambiguous'; ids: string[] }
  | { outcome: 'missing' };

export interface Patch {
  /** New content has its hash, type and address. */
  content?: string;
  hash?: string;
  type?: string;
  url?: string | null;
  heavy?: boolean;
  /** Given keys replace stored ones, others are kept. */
  metadata?: Metadata;
  title?: string;
  customId?: string;
  tags?: readonly string[];
  taskType?: string;
  filepath?: string;
  contextFilter?: ContextFilter;
  /** The id of the key; used only with new content. */
  sentBy?: string;
  /** The memories of the new content; missing: it is read for them. */
  facts?: readonly SubmittedFact[];
}

export type Updated =
  | { outcome: 'updated'; id: string; step: DocumentStep; retried?: true }
  | FactsRefused
  | { outcome: 'foreign' }
  | { outcome: 'forbidden'; id: string }
  | { outcome: 'ambiguous'; ids: string[] }
  | { outcome: 'taken'; id: string }
  | { outcome: 'missing' };

/** For a document without a failure nothing changes. */
export type Retried = Exclude<Updated, { outcome: 'taken' } | FactsRefused>;

export type Removal =
  | { by: 'ref'; ref: string }
  | { by: 'ids'; ids: readonly string[] }
  | { by: 'tags'; tags: readonly string[] }
  | { by: 'filepath'; filepath: string };

export interface Removed {
  deleted: string[];
  missing: string[];
  /** Visible or existing documents that the caller may not delete. */
  forbidden: string[];
  /** `by: 'ref'` only: the customId names several. */
  ambiguous: string[];
  /** The number of documents that further calls of the same removal delete. */
  left?: number;
}

export interface ListQuery extends Restriction {
  /** Only these steps. */
  steps?: readonly DocumentStep[];
  /** Only documents with one of these tags: the tags that a write names do not narrow its scope. */
  anyTags?: readonly string[];
  /** Only documents from these sources. */
  sources?: readonly string[];
  /** Only these documents, by one of their names. */
  named?: { by: 'id' | 'customId'; values: readonly string[] };
  sort: 'createdAt' | 'updatedAt';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
  content: boolean;
}

export interface ChunkRecord {
  n: number;
  id: string;
  text: string;
  position: number;
  part: number;
  title: string | null;
  speaker: string | null;
  role: string | null;
  date: number | null;
  flags: number;
  metadata: Metadata | null;
  createdAt: number;
}

/** A chunk in a list over documents. */
export interface ListedChunk extends ChunkRecord {
  /** The id of its document. */
  documentId: string;
}

export interface ChunkListQuery extends Pick<Restriction, 'filter'> {
  /** `updatedAt`: by the last change of the document. */
  sort: 'createdAt' | 'updatedAt' | 'position';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export interface DocumentStore {
  submit(scope: Scope, items: readonly Submission[]): Promise<Submitted[]>;
  find(scope: Scope, ref: string): Promise<FoundDocument>;
  list(scope: Scope, query: ListQuery): Promise<{ documents: DocumentRecord[]; total: number }>;
  update(scope: Scope, ref: string, patch: Patch): Promise<Updated>;
  remove(scope: Scope, target: Removal, note?: AuditNote | null): Promise<Removed>;
  /** Processes a document again that failed or waits after a failure. */
  retry(scope: Scope, ref: string): Promise<Retried>;
  /** The same for several, by id; returns the number of those that had a failure. */
  retryAll(scope: Scope, ids: readonly string[]): Promise<number>;
  chunks(scope: Scope, documentN: number): Promise<ChunkRecord[]>;
  /** The chunks of all documents. */
  listChunks(scope: Scope, query: ChunkListQuery): Promise<{ chunks: ListedChunk[]; total: number }>;
  /** Its original; null: it was not uploaded. */
  file(scope: Scope, documentN: number): Promise<FileRecord | null>;
}
