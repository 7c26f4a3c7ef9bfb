// What the ingest thread asks of the store: work to claim, results to commit, the outbox, erasing.
// It sees every tag and so is never handed to a caller.
import type { Failure, Metadata, SpaceRecord, Step } from './port.ts';

export interface PendingSubmission {
  n: number;
  mode: 'merge' | 'replace';
  content: string;
}

/** A chunk that is already indexed. */
export interface IndexedChunk {
  n: number;
  id: string;
  position: number;
  part: number;
  flags: number;
  inputHash: string;
  bodyTokens: number;
  messageTokens: number;
  /** Its metadata, as JSON. */
  place: string | null;
}

/** A part of a content that is not all of one kind; between two parts is a blank line. */
export interface PartSize {
  /** `read`: what a file or an address was found to say. */
  kind: 'html' | 'text' | 'read';
  length: number;
  /** Of what was read alone. */
  reading?: Reading;
}

/** What a file or an address was found to be, beside its text: it need not be read again to be cut again. */
export interface Reading {
  from: 'file' | 'web';
  /** Of a document that is made from it. */
  type: string;
  /** What its bytes are, in the words of whoever read it. */
  kind: string;
  form: 'prose' | 'markdown' | 'lines';
  mimeType?: string;
  title?: string;
  /** What it is called where it comes from; where it has no title. */
  name?: string;
  /** When it was published, in milliseconds. */
  date?: number;
  /** What was left out, for its owner. */
  note?: string;
  /** Noted in the metadata of the document. */
  facts: Metadata;
  passages: readonly PassageSize[];
}

/** A passage with a place of its own. */
export interface PassageSize {
  length: number;
  /** Nothing stands between it and the one before. */
  continues?: true;
  /** Page, slide, sheet and row, times. */
  place?: Metadata;
  /** Outermost first. */
  heading?: string;
  speaker?: string;
}

/** The original that a document was made from. */
export interface ClaimedFile {
  key: string;
  name: string;
  mimeType: string | null;
  fileType: string | null;
}

/** A document in this worker's hands; every write about it names lease and revision. */
export interface Claim {
  n: number;
  id: string;
  container: number;
  tagNumbers: number[];
  type: string;
  /** Only the caller's own: one that was taken from the content is taken anew. */
  title: string | null;
  content: string;
  /** Null: the content is one part. */
  layout: readonly PartSize[] | null;
  url: string | null;
  filepath: string | null;
  metadata: Metadata | null;
  /** What of it the service noted itself. */
  facts: Metadata;
  revision: number;
  lease: string;
  attempts: number;
  /** How long the passages are that it was cut into; null: as long as they are by default. */
  chunkSize: number | null;
  createdAt: number;
  submissions: PendingSubmission[];
  chunks: IndexedChunk[];
  /** Null: it was not uploaded. */
  file: ClaimedFile | null;
}

/** How far a document is. */
export interface StepNews {
  claim: Claim;
  step: Step;
  /** Counted in chunks unless another unit is named. */
  progress?: { done: number; total: number; unit?: string };
}

/** By what a chunk is found beside its vector, and how it is headed. */
export interface ChunkWords {
  title: string | null;
  date: number | null;
  terms: Uint8Array;
  /** The analysed words for the keyword index, joined by spaces. */
  body: string;
  extra: string;
}

export interface NewChunk extends ChunkWords {
  id: string;
  position: number;
  part: number;
  flags: number;
  speaker: string | null;
  role: string | null;
  text: string;
  metadata: Metadata | null;
  bodyTokens: number;
  messageTokens: number;
  inputHash: string;
  /** One vector for each space that is filled, by space id. */
  vectors: ReadonlyMap<number, Float32Array>;
}

export interface KeptChunk {
  /** As it was indexed before. */
  former: IndexedChunk;
  metadata?: Metadata | null;
  position: number;
  part: number;
  flags: number;
  inputHash: string;
  messageTokens: number;
  /** Null: what stands around the text did not change, and so neither words nor vectors. */
  words: ChunkWords | null;
  /** Together with `words`. */
  vectors: ReadonlyMap<number, Float32Array>;
}

/** What the service itself notes in a document's metadata; what a sender wrote there always stays. */
export interface Facts {
  /** Noted the last time: gone again where nobody changed it. */
  former: Metadata;
  now: Metadata;
}

export interface CommitSlice {
  /** More of it is committed afterwards, and only then is it done. */
  last: boolean;
  /** Every chunk that is new to it, in all slices. */
  added: ReadonlySet<string>;
}

export interface IndexedDocument {
  claim: Claim;
  /** Null: a file that could not be read. */
  content: string | null;
  contentHash: string;
  layout: readonly PartSize[] | null;
  title: string | null;
  type: string;
  url: string | null;
  chunkSize: number | null;
  /** Why what came last could not be read; null: it could, and the document is done. */
  failure: Failure | null;
  decisions: readonly { submission: number; decision: string }[];
  added: readonly NewChunk[];
  /** Of the chunks that stay, those about which something changed. */
  kept: readonly KeptChunk[];
  /** How many chunks the document has afterwards. */
  total: number;
  removed: readonly IndexedChunk[];
  /** Of a long document that is committed slice by slice. */
  slice?: CommitSlice;
  facts?: Facts;
  note?: string | null;
  /** It has to be read outside of the queue, should it be read again. */
  heavy?: boolean;
  /** Of its original, as found by its bytes. */
  mimeType?: string;
  /** The original is not what it is made of any more. */
  dropsFile?: true;
}

export interface FillSpace {
  id: number;
  dimensions: number;
  keepExact: boolean;
}

export interface OutboxRow {
  seq: number;
  n: number;
  op: 'upsert' | 'remove';
}

export interface StoredPassage {
  n: number;
  document: number;
  position: number;
  part: number;
  flags: number;
  text: string;
  title: string | null;
  speaker: string | null;
  date: number | null;
}

/** How much is claimed at once, and from how many containers at the most. */
export interface Share {
  documents: number;
  containers: number;
  /** How many of them may have to be read outside of the queue; left out: all. */
  heavy?: number;
}

export interface IngestStore {
  /** Voids the leases of earlier boots; each counts as a crash of the document that held it. */
  takeOver(boot: string): Promise<{ resumed: number }>;
  claim(boot: string, share: Share): Promise<Claim[]>;
  /** Several callers wait for their writes at once: smaller shares let them through sooner. */
  crowded(): boolean;
  /** When the next document that waits for its time comes due; null: none waits. Without the heavy ones when these cannot be taken. */
  nextDue(heavy?: boolean): Promise<number | null>;
  /** Only about those whose lease and revision still stand. */
  report(news: readonly StepNews[]): Promise<void>;
  /** Commits the documents whose lease and revision still stand; returns how many did. */
  commit(documents: readonly IndexedDocument[], spaces: readonly FillSpace[]): Promise<number>;
  fail(claim: Claim, failure: Failure): Promise<void>;
  retryLater(claim: Claim, failure: Failure, dueAt: number): Promise<void>;
  /** At shutdown: what was claimed goes back untouched. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Vectors of one document's chunks in a space, for reuse by input hash. */
  vectorsOf(space: FillSpace, ns: readonly number[]): Promise<Map<number, Float32Array>>;

  outbox(space: number, limit: number): Promise<OutboxRow[]>;
  acknowledge(space: number, seqs: readonly number[]): Promise<void>;
  /** Tells the outbox about every chunk of the space again, in slices; null when finished. */
  enqueueAll(space: number, after: number, limit: number): Promise<number | null>;
  countVectors(space: number): Promise<number>;
  /** How many words about its vectors the index has not taken yet. */
  countOutbox(space: number): Promise<number>;

  /** Of the next `limit` chunks those without a vector in this space, and the last that was looked at; null: the end. */
  missing(
    space: FillSpace,
    after: number,
    limit: number,
  ): Promise<{ ns: readonly number[]; last: number | null }>;
  /** These chunks and what stands around them, to embed them in their context. */
  storedPassages(ns: readonly number[]): Promise<StoredPassage[]>;
  /** Only for chunks that still exist and still have none: what the pipeline wrote meanwhile is newer. */
  fillVectors(space: FillSpace, vectors: readonly { n: number; vector: Float32Array }[]): Promise<void>;
  spaces(): Promise<SpaceRecord[]>;
  switchTo(space: number): Promise<{ retired: number | null }>;
  /** Erases its vectors in slices and then the space itself; one that is interrupted is there to be forgotten again. */
  forgetSpace(space: number, signal?: AbortSignal): Promise<void>;

  /** Originals that no document has any more. */
  filesToErase(limit: number): Promise<string[]>;
  /** They are erased. */
  forgetFiles(keys: readonly string[]): Promise<void>;

  /** Erases a slice of what deleted documents left; false when there was nothing. */
  purge(limit: number): Promise<boolean>;
  /** Something was erased that no scrub has followed. */
  needsScrub(): Promise<boolean>;
  /** After erasing: rewrites the keyword index and empties the write-ahead log, so that nothing deleted stays readable. */
  scrub(signal?: AbortSignal): Promise<void>;
}
