// Commits of ingestion: the chunks of documents with their words and vectors.
import type { Outline } from '../../../../lib/text/outline/draw-outline.ts';
import type { StoredFailure } from '../documents.ts';
import type { Metadata } from '../metadata.ts';
import type { FillSpace } from '../spaces.ts';
import type { Claim, HeldClaim, PendingSubmission, StoredChunk } from './claims.ts';
import type { PartSize } from './layout.ts';

/** The words and headings of a chunk for the keyword index. */
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
  /** The chunk as it is stored before this commit. */
  former: StoredChunk;
  metadata?: Metadata | null;
  position: number;
  part: number;
  flags: number;
  inputHash: string;
  messageTokens: number;
  /** Null: the context is unchanged, and so are words and vectors. */
  words: ChunkWords | null;
  /** Together with `words`. */
  vectors: ReadonlyMap<number, Float32Array>;
}

/** Metadata that the service adds to a document; the sender's own metadata is always kept. */
export interface NotedMetadata {
  /** Metadata that the service added before; removed unless a caller changed it. */
  former: Metadata;
  now: Metadata;
}

export interface CommitSlice {
  /** Further slices follow; the document is done after the last. */
  last: boolean;
  /** Every chunk that is new to it, in all slices. */
  added: ReadonlySet<string>;
}

/** A document after reading and embedding: the changes of its row and its chunks that one commit stores. */
export interface DocumentToCommit {
  claim: Claim;
  /** Null: a file that could not be read. */
  content: string | null;
  contentHash: string;
  layout: readonly PartSize[] | null;
  title: string | null;
  /** The title and the summary that it is shown with. */
  outline: Outline;
  type: string;
  url: string | null;
  chunkSize: number | null;
  /** The reason why the last submission could not be read; null: the document is done. */
  failure: StoredFailure | null;
  /** `leftOut`: the sentence about a part that could not be read. */
  decisions: readonly { submission: number; decision: string; leftOut?: string }[];
  added: readonly NewChunk[];
  /** The kept chunks that changed in some way. */
  kept: readonly KeptChunk[];
  /** The number of chunks that the document has afterwards. */
  total: number;
  removed: readonly StoredChunk[];
  /** For a long document that is committed in slices. */
  slice?: CommitSlice;
  notedMetadata?: NotedMetadata;
  note?: string | null;
  /** True if a further reading must be outside of the queue. */
  heavy?: boolean;
  /** The kind of the original, recognised from its bytes. */
  mimeType?: string;
  /** True if the document no longer needs its original. */
  dropsFile?: true;
}

/** The part of a claim that a commit needs. The content of a document stays with the worker that read it. */
export type CommittedClaim = HeldClaim &
  Pick<Claim, 'container' | 'tagNumbers' | 'chunkSize' | 'revision' | 'given' | 'more'> & {
    submissions: readonly Pick<PendingSubmission, 'n' | 'mode'>[];
  };

/** The same as the writer receives it. */
export type CommittedDocument = Omit<DocumentToCommit, 'claim'> & { claim: CommittedClaim };

/** Never handed to a caller: it sees every tag. */
export interface CommitStore {
  /** Commits the documents with a valid lease and revision; returns their number. */
  commit(documents: readonly DocumentToCommit[], spaces: readonly FillSpace[]): Promise<number>;
  /** Vectors of one document's chunks in a space, for reuse by input hash. */
  vectorsOf(space: FillSpace, ns: readonly number[]): Promise<Map<number, Float32Array>>;
}
