// Memories in the store: what a request may ask (a Scope first, always), and what the remember step does.
import type { Said } from '../../lib/said.ts';
import type { Scope } from '../../lib/scope.ts';
import type { FillSpace } from './ingest-port.ts';
import type { ContextFilter, Filter, Metadata, Restriction } from './port.ts';
import type { TokenCount } from './usage-port.ts';

export type MemoryRelation = 'updates' | 'extends' | 'derives';

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

/** A memory with everything that stands around it. */
export interface MemoryDetail extends MemoryRecord {
  documentIds: string[];
  /** Earlier versions, newest first. */
  history: MemoryRecord[];
  /** What this memory is to others, by their ids. */
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
  /** It exists outside the caller's tags. */
  | { outcome: 'foreign' }
  | { outcome: 'missing' };

export interface MemoryList {
  filter?: Filter;
  /** Forgotten and expired ones too. */
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
  /** Left out: inherited from the version before. */
  metadata?: Metadata | null;
  forgetAfter?: number | null;
  forgetReason?: string | null;
  documentDate?: number | null;
  eventDates?: readonly number[];
}

export type Revised =
  | { outcome: 'revised'; memory: MemoryRecord }
  /** Another version took its place. */
  | { outcome: 'superseded' }
  /** Forgotten; or its time is over, and the revision gives it no new one. */
  | { outcome: 'forgotten' }
  | { outcome: 'missing' };

export type Reviewed =
  | { outcome: 'reviewed'; memory: MemoryRecord }
  /** No guess that waits to be judged, or no judgement to take back. */
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

/** What a request may ask. */
export interface MemoryStore {
  find(scope: Scope, target: MemoryTarget): Promise<MemoryFound>;
  /** Those of these ids that are live under any of the tags, in the order of the ids. */
  among(scope: Scope, request: { tags: readonly string[]; ids: readonly string[] }): Promise<MemoryRecord[]>;
  list(scope: Scope, query: MemoryList): Promise<{ memories: MemoryDetail[]; total: number }>;
  /** Live guesses that nobody has judged, those made from most memories first, then the newest. */
  inferred(scope: Scope, limit: number): Promise<{ memories: InferredMemory[]; total: number }>;
  /** Latest, neither forgotten nor expired, newest first. */
  live(scope: Scope, query: { filter?: Filter; limit: number }): Promise<MemoryRecord[]>;
  /** By number, as far as the scope and the restriction allow. */
  memories(scope: Scope, restriction: Restriction, ns: readonly number[]): Promise<MemoryDetail[]>;
  /** Forgotten and expired ones only when asked for. */
  relatives(scope: Scope, ns: readonly number[], forgotten?: boolean): Promise<Map<number, Relatives>>;
  /** Of these documents, by document number. */
  ofDocuments(scope: Scope, documents: readonly number[]): Promise<Map<number, MemoryDetail[]>>;
  /**
   * Makes a light document as their source; all or nothing. What says the same as a live memory becomes a source of
   * that one, which then lasts as long as either wanted and has the metadata of both. What changes one becomes a
   * version of it: its latest, or an earlier one where it was said earlier.
   */
  create(
    scope: Scope,
    request: { tags: readonly string[]; documentId: string; memories: readonly PreparedMemory[] },
    spaces: readonly FillSpace[],
  ): Promise<{ documentId: string; memories: MemoryRecord[] }>;
  /** A new version of the memory, which a light document of its own supports. */
  revise(scope: Scope, id: string, revision: Revision, spaces: readonly FillSpace[]): Promise<Revised>;
  /** Soft; the ids that were forgotten now. Those that were so before, or are not there, are left out. */
  forget(
    scope: Scope,
    ids: readonly string[],
    request: { reason: string | null; batch: string | null },
  ): Promise<string[]>;
  review(scope: Scope, id: string, action: 'approve' | 'decline' | 'undo'): Promise<Reviewed>;
}

// --- the remember step -------------------------------------------------------------------------------

export interface UnreadChunk {
  n: number;
  id: string;
  position: number;
  part: number;
  flags: number;
  text: string;
  speaker: string | null;
  role: string | null;
  date: number | null;
}

/** A document whose new chunks have not been read for memories. */
export interface MemoryJob {
  document: number;
  documentId: string;
  container: number;
  tagNumbers: number[];
  tags: string[];
  title: string | null;
  metadata: Metadata | null;
  documentDate: number | null;
  /** When what is new in it was received. */
  heardAt: number;
  /** Memories that the document states behind the first of `fresh` and that were drawn before, each with its last position. */
  below: { memory: number; position: number }[];
  lease: string;
  attempts: number;
  fresh: UnreadChunk[];
  /** The nearest that were read before. */
  around: UnreadChunk[];
  entityContext: string[];
  /** Which memories may serve as context; null: all. */
  contextFilter: ContextFilter | null;
  /** The key by which its content came. */
  sentBy: string | null;
}

export interface StoredMemory extends Said {
  id: string;
  n: number;
  memory: string;
  isStatic: boolean;
  slot: string | null;
  about: string | null;
  updatedAt: number;
}

/** What one document yielded; `relate` is asked inside the transaction, with the memories as they are then. */
export interface MemoryHarvest {
  job: MemoryJob;
  prepared: readonly PreparedMemory[];
  /** For each prepared memory, the ids of the chunks that state it. */
  chunks: readonly (readonly string[])[];
  relationsOf(known: readonly StoredMemory[]): readonly (readonly PreparedRelation[])[];
  /** Slots, abouts and ids of memories that `relationsOf` has to see. */
  wanted: { slots: readonly string[]; abouts: readonly string[]; ids: readonly string[] };
}

export interface PreparedRelation {
  /** `updatedBy`: the other one was said later and stands in its place. */
  kind: MemoryRelation | 'updatedBy';
  to: { known: string } | { drawn: number };
}

/** A statement, as far as its relations to others depend on it. */
export type RelatedStatement = Said & Pick<PreparedMemory, 'memory' | 'isStatic' | 'slot' | 'about'>;

/** Tells how statements stand to known ones. Pure: it is asked inside transactions, with what is there by then. */
export interface Relating {
  /** Slots and abouts of memories that they may repeat, change or add to. */
  wanted(statements: readonly RelatedStatement[]): { slots: readonly string[]; abouts: readonly string[] };
  relate(
    statements: readonly RelatedStatement[],
    known: readonly StoredMemory[],
  ): readonly (readonly PreparedRelation[])[];
}

export interface MemoryIngestStore {
  /** Those that wait longest for their turn; `dreaming`: only what was sent so. */
  claimToRemember(limit: number, dreaming?: 'instant' | 'dynamic'): Promise<MemoryJob[]>;
  /**
   * Latest and live memories of the job's container, by slot, by what they are about, and the nearest to the vectors,
   * as far as they may serve as its context.
   */
  known(
    job: Pick<MemoryJob, 'container' | 'contextFilter'>,
    wanted: { slots: readonly string[]; abouts: readonly string[] },
    nearest: { space: number; vectors: readonly Float32Array[]; limit: number } | null,
  ): Promise<StoredMemory[]>;
  remember(harvest: MemoryHarvest, spaces: readonly FillSpace[]): Promise<void>;
  memoryFailed(job: MemoryJob, failure: { code: string; message: string; retryable: boolean }): Promise<void>;
  memoryLater(job: MemoryJob, dueAt: number): Promise<void>;
  /** What a language model took for it: also when nothing came of that. */
  spent(job: MemoryJob, tokens: TokenCount): Promise<void>;
}
