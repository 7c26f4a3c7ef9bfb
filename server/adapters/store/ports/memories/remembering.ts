// For the remembering step: documents to read for memories, known memories, and storing memories that were drawn.
import type { SpokenTime } from '../../../../core/statements/spoken-time.ts';
import type { StoredFailure, SubmittedFact } from '../documents.ts';
import type { ContextFilter, Metadata } from '../metadata.ts';
import type { FillSpace } from '../spaces.ts';
import type { TokenCount } from '../usage/usage.ts';
import type { PreparedMemory, StoredRelation } from './memories.ts';

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
  storedAt: number;
}

/** A passage of which the facts of its sender are the memories. */
export interface StatedPassage {
  n: number;
  id: string;
  position: number;
  date: number | null;
  /** The words of its text, encoded. */
  terms: Uint8Array;
}

/** Facts that came with passages which are stored by now, and that are no memories yet. */
export interface GivenFacts {
  /** The numbers of the submissions that they came with. */
  submissions: number[];
  facts: SubmittedFact[];
  /** True: they came with the whole content, and take the place of all that was remembered of these passages. */
  whole: boolean;
  passages: StatedPassage[];
}

/** A document whose new chunks have not been read for memories, or whose facts are no memories yet. */
export interface MemoryJob {
  document: number;
  documentId: string;
  container: number;
  tagNumbers: number[];
  tags: string[];
  title: string | null;
  metadata: Metadata | null;
  documentDate: number | null;
  /** The time at which its new content was received. */
  heardAt: number;
  /** False for files and pages: they may have been written long before they were received. */
  isSentText: boolean;
  /** Memories drawn earlier from passages after the first of `fresh`, each with its last position. */
  below: { memory: number; position: number }[];
  lease: string;
  /** The revision of the content whose passages it has. */
  revision: number;
  attempts: number;
  fresh: UnreadChunk[];
  given: GivenFacts | null;
  /** The nearest chunks that were read before. */
  around: UnreadChunk[];
  entityContext: string[];
  /** Selects the memories that may serve as context; null: all. */
  contextFilter: ContextFilter | null;
  /** The key by which its content came. */
  sentBy: string | null;
}

/** A memory that a passage of a document states. */
export interface PassageMemory {
  id: string;
  memory: string;
  slot: string | null;
  /** The id of the passage. */
  chunk: string;
  /** A person forgot, edited, added or judged a version of it: it stays as it is. */
  settled: boolean;
}

/** A document that is read again for memories. */
export interface RedrawJob extends MemoryJob {
  /** The memories that its passages state by now. */
  stated: PassageMemory[];
}

export interface StoredMemory extends SpokenTime {
  id: string;
  n: number;
  memory: string;
  isStatic: boolean;
  slot: string | null;
  about: string | null;
  updatedAt: number;
}

/** The part of a job that names it in a write. */
export type HeldJob = Pick<MemoryJob, 'document' | 'lease'>;

/**
 * The memories drawn from one document. `relationsOf` is called with the memories that are stored by then, and again when
 * others are stored before the harvest is.
 */
export interface MemoryHarvest {
  job: Omit<MemoryJob, 'fresh'>;
  /** The passages that can state them. */
  passages: readonly Pick<UnreadChunk, 'n' | 'id'>[];
  prepared: readonly PreparedMemory[];
  /** For each prepared memory, the ids of the chunks that state it. */
  chunks: readonly (readonly string[])[];
  relationsOf(known: readonly StoredMemory[]): Promise<readonly (readonly PreparedRelation[])[]>;
  /** Slots, abouts and ids of memories that `relationsOf` has to see. */
  wanted: { slots: readonly string[]; abouts: readonly string[]; ids: readonly string[] };
  /** The title and the summary that a model wrote; missing: it wrote none. */
  outline?: { title: string; summary: string };
}

/** The title and summary that a model wrote about the content of this revision. */
export interface JobOutline {
  title: string;
  summary: string;
  revision: number;
}

export interface PreparedRelation {
  /** `updatedBy`: the other one is later and replaces it. `replaces`: like `updates`, whatever the dates say. */
  kind: StoredRelation | 'updatedBy' | 'replaces';
  to: { known: string } | { drawn: number };
}

/** Some memories of a harvest, as the writer receives them. */
export interface HarvestSlice {
  job: HeldJob & Pick<MemoryJob, 'container' | 'tagNumbers' | 'contextFilter' | 'heardAt' | 'below'>;
  wanted: MemoryHarvest['wanted'];
  /** Stands for the stored memories with which the relations were found. */
  mark: string;
  /** No further memories of the harvest follow. */
  last: boolean;
  /** Statements of these passages since this time came from an earlier run of the same reading, which was cut off. */
  statedSince: number;
  /** The numbers of the chunks that state them. */
  chunks: readonly number[];
  /** The chunks that are marked as read with them; empty: later. */
  read: readonly number[];
  statements: readonly {
    prepared: PreparedMemory;
    /** Memories that were drawn before this slice are known by their ids. */
    relations: readonly PreparedRelation[];
    /** The ids of the chunks that state it. */
    stated: readonly string[];
  }[];
}

/** `lost`: the document was deleted or changed. `changed`: these memories are stored now. */
export type HarvestAnswer =
  | { outcome: 'lost' }
  | { outcome: 'changed'; known: StoredMemory[] }
  | { outcome: 'stored'; ids: (string | null)[]; mark: string };

/** The fields of a statement that decide its relations. */
export type RelatedStatement = SpokenTime & Pick<PreparedMemory, 'memory' | 'isStatic' | 'slot' | 'about'>;

/** Finds the relations of statements to known memories. Pure: it is called inside transactions, with the memories that exist by then. */
export interface Relating {
  /** Slots and abouts of memories that they may repeat, change or extend. */
  wanted(statements: readonly RelatedStatement[]): { slots: readonly string[]; abouts: readonly string[] };
  relate(
    statements: readonly RelatedStatement[],
    known: readonly StoredMemory[],
  ): readonly (readonly PreparedRelation[])[];
}

/** Relates inside transactions by what another thread has read. */
export interface WriterRelating extends Relating {
  /** `unread`: statements that the work asked for and that nobody has read; relations found without them are not complete. */
  noting<T>(work: () => Promise<T>): Promise<{ result: T; unread: readonly string[] }>;
  read(statements: readonly string[]): Promise<void>;
}

/** The owner of the turn. */
export interface MemoryTurns {
  /** Containers of which nothing is taken, because a document of each is being read. */
  busy: readonly number[];
  /** The most containers of which documents are taken. */
  most: number;
}

export interface MemoryIngestStore {
  /**
   * The documents that have waited longest, of several containers in turns; `dreaming`: only those sent with this value.
   */
  claimToRemember(
    limit: number,
    dreaming?: 'instant' | 'dynamic',
    containers?: MemoryTurns,
  ): Promise<MemoryJob[]>;
  /**
   * Latest and live memories of the job's container, by slot, by what they are about, and the nearest to the vectors,
   * as far as they may serve as its context.
   */
  known(
    job: Pick<MemoryJob, 'container' | 'contextFilter'>,
    wanted: { slots: readonly string[]; abouts: readonly string[] },
    nearest: { space: number; vectors: readonly Float32Array[]; limit: number } | null,
  ): Promise<StoredMemory[]>;
  /** Stores the memories that were read in the fresh chunks of the job. */
  remember(harvest: MemoryHarvest, spaces: readonly FillSpace[]): Promise<void>;
  /** Stores the given facts of the job, before its fresh chunks are read. */
  rememberFacts(harvest: MemoryHarvest, spaces: readonly FillSpace[]): Promise<void>;
  /** Documents that are read again, while no new document waits. */
  claimToRedraw(limit: number): Promise<RedrawJob[]>;
  /** Stores the memories that were drawn again, and erases those of these ids that nothing else supports. */
  redraw(harvest: MemoryHarvest, dropped: readonly string[], spaces: readonly FillSpace[]): Promise<void>;
  memoryFailed(job: MemoryJob, failure: StoredFailure): Promise<void>;
  memoryLater(job: MemoryJob, dueAt: number): Promise<void>;
  /** Adds the tokens that a language model used for it, also when it drew no memory. */
  spent(job: MemoryJob, tokens: TokenCount): Promise<void>;
}
