// The shared context of the steps of ingestion: their dependencies and the active claims.
import type { Claim } from '../../adapters/store/ports/ingestion/claims.ts';
import type { IngestStore } from '../../adapters/store/ports/ingestion/ingest.ts';
import type { Logger } from '../../core/log.ts';
import type { WorkWatch } from '../../lib/async/work-watch.ts';
import type { Bursts } from './bursts.ts';
import type { Readers } from './content/part-reader.ts';
import type { FillingVectors } from './filling-vectors.ts';
import type { FilledSpace } from './reconcile.ts';
import type { Reports } from './reports.ts';
import type { SearchesFirst } from './searches-first.ts';
import type { Outage } from './trouble/outage.ts';

export interface PipelineDeps {
  store: IngestStore;
  /** For files, pages and addresses. */
  readers: Readers;
  /** The spaces that new content is embedded into; they may change during a reindex. */
  spaces: () => readonly FilledSpace[];
  /** The length of passages of new content, in characters; null or missing: the default. */
  chunkSize?: () => Promise<number | null>;
  boot: string;
  now: () => number;
  random: () => number;
  log: Pick<Logger, 'warn' | 'error'>;
  watch: WorkWatch;
  searchesFirst: SearchesFirst;
  /** The outage of the embedder whose space serves searches. */
  outage: Outage;
  /** Documents were committed: the outbox has work. */
  committed: () => void;
  /** Originals or texts were replaced: their former bytes are to be erased from the files. */
  replaced?: () => void;
}

export interface IngestContext {
  readonly deps: PipelineDeps;
  readonly signal: AbortSignal;
  /** The claims that are not settled yet; a stop releases them. */
  readonly inHand: Set<Claim>;
  /** The next share, which the writer leases while this one is read; null: none is asked for. */
  ahead: Promise<readonly Claim[]> | null;
  /** Abandoned claims that the store could not release yet; the release is retried. */
  readonly stranded: Set<Claim>;
  /** Files, pages and addresses that are being read in the background. */
  readonly extracting: Map<Promise<void>, Claim>;
  /** Shares of documents that are embedded and committed in the background. */
  readonly embedding: Set<Promise<void>>;
  readonly reports: Reports;
  readonly bursts: Bursts;
  readonly fillingVectors: FillingVectors;
  /** The next round begins at once. */
  wake(): void;
}
