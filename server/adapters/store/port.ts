// The store: SQL is the truth. `Store` serves requests and takes a Scope first, always;
// `MaintenanceStore` serves the ingest thread and the access rules and never a caller.
import type { Scope } from '../../lib/scope.ts';
import type { HeldTerm } from '../../lib/text/terms.ts';
import type { FileRecord, FileStore, SubmittedFile } from './file-port.ts';
import type { GrantStore } from './grant-port.ts';
import type { KeyStore } from './key-port.ts';
import type { SpaceStore } from './space-port.ts';
import type { ThreadStore } from './thread-port.ts';
import type { TokenCount } from './usage-port.ts';

export type Scalar = string | number | boolean;
export type Metadata = Readonly<Record<string, Scalar>>;

export type Step = 'queued' | 'extracting' | 'chunking' | 'embedding' | 'done' | 'failed';

export interface Failure {
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
  title: string | null;
  summary: string | null;
  type: string;
  content: string | null;
  url: string | null;
  source: string | null;
  filepath: string | null;
  taskType: string;
  metadata: Metadata | null;
  step: Step;
  progress: { done: number; total: number; unit: string } | null;
  failure: Failure | null;
  /** How far it was read for memories; none: there is nothing to read, or not yet. */
  memoryState: 'none' | 'waiting' | 'done' | 'failed';
  /** Why no memories could be drawn; the document itself is searchable all the same. */
  memoryFailure: Failure | null;
  /** What a language model took to read it, in all. */
  tokens: TokenCount;
  chunks: number;
  /** What of its content was left out. */
  note: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A document as far as what is found in it needs it. */
export type SourceRecord = Pick<
  DocumentRecord,
  'n' | 'id' | 'title' | 'summary' | 'type' | 'filepath' | 'metadata' | 'chunks' | 'createdAt' | 'updatedAt'
>;

// --- filters -------------------------------------------------------------------------------------

export interface Condition {
  key: string;
  value: string;
  filterType: 'metadata' | 'numeric' | 'array_contains' | 'string_contains';
  numericOperator: '=' | '>' | '<' | '>=' | '<=';
  negate: boolean;
  ignoreCase: boolean;
}

export type Filter = Condition | { AND: readonly Filter[] } | { OR: readonly Filter[] };

/** What is searched: passages of documents, or memories. */
export type Units = 'chunks' | 'memories';

/** What narrows a list or a search beyond the scope. */
export interface Restriction {
  /** Default: chunks. */
  units?: Units;
  /** Memories that are forgotten or whose time is over, too. */
  forgotten?: boolean;
  /** Only documents with all of these tags (`operator: AND`); any-of is the scope's own rule. */
  allTags?: readonly string[];
  filter?: Filter;
  /** A document's id or customId. */
  document?: string;
  /** Exact, or everything below when it ends with "/". */
  filepath?: string;
  /** Chunks alone: those that no memory speaks for, because none was drawn from their document, or not yet. */
  unspoken?: boolean;
}

// --- documents -----------------------------------------------------------------------------------

/** Which memories may serve as context: of each key one of these values. */
export type ContextFilter = Readonly<Record<string, Scalar | readonly string[]>>;

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
  /** True: the content replaces what is stored, whatever it shares with it. */
  replace: boolean;
  metadata: Metadata | null;
  title: string | null;
  filepath: string | null;
  url: string | null;
  source: string | null;
  taskType: string;
  /** Null: the caller did not say; a new document's memories may then come later. */
  dreaming: string | null;
  entityContext: string | null;
  /** Left out: what the document had before stays. */
  contextFilter?: ContextFilter;
  /** The id of the key. */
  sentBy?: string;
  /** Its text is not known yet, so `content` is empty. */
  file?: SubmittedFile;
  /** It has to be read outside of the queue: a file, a page, an address. */
  heavy?: boolean;
  createdAt?: number;
}

export type Submitted =
  /** `stored`: false where the same is there already, so that what was sent is not needed. */
  | { outcome: 'accepted'; id: string; status: 'queued' | 'done'; stored: boolean }
  /** New, and neither tags nor default tags say where it belongs. */
  | { outcome: 'untagged' }
  /** The document also carries tags that the caller does not hold. */
  | { outcome: 'forbidden'; id: string };

export type Found =
  | { outcome: 'found'; document: DocumentRecord }
  | { outcome: 'foreign' }
  | { outcome: 'ambiguous'; ids: string[] }
  | { outcome: 'missing' };

export interface Patch {
  /** New content comes with its hash, its type and its address. */
  content?: string;
  hash?: string;
  type?: string;
  url?: string | null;
  heavy?: boolean;
  /** Given keys replace, others stay. */
  metadata?: Metadata;
  customId?: string;
  tags?: readonly string[];
  taskType?: string;
  filepath?: string;
  contextFilter?: ContextFilter;
  /** The id of the key; of effect where there is new content. */
  sentBy?: string;
}

export type Updated =
  | { outcome: 'updated'; id: string; status: 'queued' | 'done' }
  | { outcome: 'foreign' }
  | { outcome: 'forbidden'; id: string }
  | { outcome: 'ambiguous'; ids: string[] }
  | { outcome: 'taken'; id: string }
  | { outcome: 'missing' };

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
}

export interface ListQuery extends Restriction {
  /** Only these steps. */
  steps?: readonly Step[];
  /** Only what came from these. */
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

export interface DocumentStore {
  submit(scope: Scope, items: readonly Submission[]): Promise<Submitted[]>;
  find(scope: Scope, ref: string): Promise<Found>;
  list(scope: Scope, query: ListQuery): Promise<{ documents: DocumentRecord[]; total: number }>;
  update(scope: Scope, ref: string, patch: Patch): Promise<Updated>;
  remove(scope: Scope, target: Removal): Promise<Removed>;
  chunks(scope: Scope, documentN: number): Promise<ChunkRecord[]>;
  /** Its original; null: it was not uploaded. */
  file(scope: Scope, documentN: number): Promise<FileRecord | null>;
}

// --- search --------------------------------------------------------------------------------------

/** How much a search has before it: decides between the exact scan and the index. */
export interface Extent {
  /** Chunks that survive the restriction, counted up to the bound and one more. */
  chunks: number;
  /** The containers of the scope; null: every one. */
  containers: number[] | null;
  /** False: the restriction names a document that is not there. */
  documentFound: boolean;
  /** Some documents of the scope are messages of threads. */
  threaded: boolean;
  /** Memories that the scope holds, also former and forgotten ones and those that the restriction leaves out. */
  memories: number;
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
  /** Of the terms that were asked for those that it holds, in each of its fields. */
  held: readonly HeldTerm[];
}

export interface KeywordMatches {
  matches: KeywordMatch[];
  /** How many chunks of the scope, or of what survives the restriction, hold each term; in the order asked for. */
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

/** A chunk with its document, as a result is made of. */
export interface Passage extends ChunkRecord {
  document: SourceRecord;
}

/** A part of a document: the chunks between two positions, of each only some parts where these are named. */
export interface Stretch {
  document: number;
  from: number;
  to: number;
  parts?: { from: number; to: number };
}

export interface SearchStore extends ThreadStore {
  extent(scope: Scope, restriction: Restriction, bound: number): Promise<Extent>;
  /** `wide`: rank by the database first and return only the best, off the API thread. */
  keyword(
    scope: Scope,
    restriction: Restriction,
    terms: readonly string[],
    options: { wide: boolean; limit: number },
  ): Promise<KeywordMatches>;
  /** Exact: every surviving vector is compared; nearest first. */
  scan(
    scope: Scope,
    restriction: Restriction,
    request: { space: number; vector: Float32Array; limit: number; wide: boolean },
  ): Promise<VectorMatch[]>;
  /**
   * The chunks that the index has not taken yet, anybody's; null: more than `limit`. To be read before the index is
   * asked: what it takes in between is then known twice and not missed.
   */
  pending(scope: Scope, space: number, limit: number): Promise<number[] | null>;
  /** Cosines of those of these chunks that survive; nearest first. */
  compare(
    scope: Scope,
    restriction: Restriction,
    request: { space: number; vector: Float32Array; candidates: readonly number[]; limit: number },
  ): Promise<VectorMatch[]>;
  /** The passages among `ns` that the scope and the restriction allow, in no order. */
  passages(scope: Scope, restriction: Restriction, ns: readonly number[]): Promise<Passage[]>;
  /** The chunks of each stretch in reading order, for the neighbours of hits. */
  neighbours(scope: Scope, stretches: readonly Stretch[]): Promise<ChunkRecord[][]>;
  /** The places of these chunks in their documents, from 0. */
  places(scope: Scope, ns: readonly number[]): Promise<Map<number, number>>;
  /** Full text of documents, for `includeFullDocs`. */
  contents(scope: Scope, documentNs: readonly number[]): Promise<Map<number, string>>;
}

export interface Store {
  documents: DocumentStore;
  search: SearchStore;
}

// --- maintenance: spaces, counts, and the keys beside this file ----------------------------------------------------------

export type { Calibration, Curve, SpaceRecord, SpaceStore } from './space-port.ts';

export interface Organisation {
  id: string;
  createdAt: number;
}

export interface StoreCounts {
  documents: number;
  chunks: number;
  queued: number;
  failed: number;
  outbox: number;
}

/** Never handed to an operation. */
export interface AccessStore {
  keys: KeyStore;
  grants: GrantStore;
  files: FileStore;
  spaces: SpaceStore;
  /** The one this store belongs to; `fresh` becomes it at the first start. */
  organisation(fresh: Organisation): Promise<Organisation>;
  counts(): Promise<StoreCounts>;
}
