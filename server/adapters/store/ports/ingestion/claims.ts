// Claims of documents under a lease, reports of progress, and the release of documents.
import type { DocumentStep, StoredFailure } from '../documents.ts';
import type { Metadata } from '../metadata.ts';
import type { PartSize } from './layout.ts';

export interface PendingSubmission {
  n: number;
  mode: 'merge' | 'replace';
  content: string;
}

/** A chunk of the document that is stored already. */
export interface StoredChunk {
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

/** The original that a document was made from. */
export interface ClaimedFile {
  key: string;
  name: string;
  mimeType: string | null;
  fileType: string | null;
}

/** A claimed document; every write about it names lease and revision. */
export interface Claim {
  n: number;
  id: string;
  container: number;
  tagNumbers: number[];
  type: string;
  /** Only a title that the caller gave; a title from the content is determined again. */
  title: string | null;
  content: string;
  /** Null: the content is one part. */
  layout: readonly PartSize[] | null;
  url: string | null;
  filepath: string | null;
  metadata: Metadata | null;
  /** The part of the metadata that the service noted itself. */
  notedMetadata: Metadata;
  revision: number;
  lease: string;
  attempts: number;
  /** The size of the passages that it was cut into; null: the default size. */
  chunkSize: number | null;
  createdAt: number;
  /** The id of the key that sent its latest content; null: none. */
  sentBy: string | null;
  submissions: PendingSubmission[];
  /** The submission whose facts are the memories of what the claim adds; null: it is read for memories. */
  given: number | null;
  /** Further submissions wait for the next claim. */
  more: boolean;
  chunks: StoredChunk[];
  /** Null: it was not uploaded. */
  file: ClaimedFile | null;
}

/** The part of a claim that names it in a write. */
export type HeldClaim = Pick<Claim, 'n' | 'lease'>;

/** The progress of a document. */
export interface StepNews {
  claim: Claim;
  step: DocumentStep;
  /** Counted in chunks unless another unit is named. */
  progress?: { done: number; total: number; unit?: string };
}

/** The most documents that are claimed at once, and the most containers that they come from. */
export interface ClaimShare {
  documents: number;
  containers: number;
  /** The most heavy documents among them; missing: no limit. */
  heavy?: number;
  /** The number of further heavy documents that each of these containers may have; missing: all others. */
  heavyLeft?: ReadonlyMap<number, number>;
  /** The most heavy documents of any other container; missing: no limit. */
  heavyEach?: number;
  /** The number of further heavy documents that each of these keys may have; null: no key sent them. */
  heavyLeftOfKey?: ReadonlyMap<string | null, number>;
  /** The most heavy documents of any other key; missing: no limit. */
  heavyEachKey?: number;
}

/** Containers and keys that may have no further heavy documents. */
export interface FullShares {
  containers: readonly number[];
  keys: readonly (string | null)[];
}

export interface VoidedLeases {
  /** Documents that are read again. */
  resumed: number;
  /** Runs of connections that go on. */
  runs: number;
}

/** Never handed to a caller: it sees every tag. */
export interface ClaimStore {
  /**
   * Voids the leases of earlier boots, also those of runs of connections; each counts as a crash of the document that held it. `crashed`: the worker of the
   * same process ended by itself, so the reading for memories under way counts as a crash too. What waits is tried at once.
   */
  takeOver(boot: string, crashed?: boolean): Promise<VoidedLeases>;
  /** Voids the leases of boots that have ended; after a crash of the database also those of this one, which may have lost ends of work. */
  voidFormerLeases(boot: string): Promise<VoidedLeases>;
  claim(boot: string, share: ClaimShare): Promise<Claim[]>;
  /** Several callers wait for their writes at once: smaller shares let them through sooner. */
  crowded(): boolean;
  /** The time at which the next waiting document comes due; null: none waits. `heavy` false leaves out heavy documents, `full` those of full shares. */
  nextDue(heavy?: boolean, full?: FullShares): Promise<number | null>;
  /**
   * After the clock was set back: what never failed is due at once, and what failed after this time at most. Documents
   * that wait to be read for memories as well. The number of documents that were brought forward.
   */
  bringForward(longestMs: number): Promise<number>;
  /** Only for those with a valid lease. */
  report(news: readonly StepNews[]): Promise<void>;
  fail(claim: Claim, failure: StoredFailure): Promise<void>;
  retryLater(claim: Claim, failure: StoredFailure, dueAt: number): Promise<void>;
  /** Holds claims back while the embedder is at fault; their attempts are not counted. */
  hold(claims: readonly Claim[], failure: StoredFailure, dueAt: number): Promise<void>;
  /** The same for documents that would be claimed next; returns their number. */
  holdWaiting(share: ClaimShare, failure: StoredFailure, dueAt: number): Promise<number>;
  /** Runs up to `limit` documents again that wait or failed by the fault of the embedder; returns their number. */
  releaseHeld(limit: number): Promise<number>;
  /** The same for all of them, and for texts that the former embedder refused. */
  releaseRefused(): Promise<void>;
  /** At shutdown: releases claims unchanged. */
  release(claims: readonly Claim[]): Promise<void>;
}
