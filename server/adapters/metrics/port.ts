// Figures about the running server, for a program that collects them.
import type { Called } from '../../core/events.ts';
import type { PartHealth } from '../../core/health.ts';
import type { StepSample, WorkWatch } from '../../lib/async/work-watch.ts';

/** Read when the figures are asked for. */
export interface MetricsSnapshot {
  /** Stored documents by status. */
  readonly documents: Readonly<Record<'queued' | 'failed' | 'done', number>>;
  /** The age of the document that has waited longest; 0: none waits. */
  readonly queueOldestSeconds: number;
  /** Vectors that the index has not taken yet. */
  readonly vectorOutbox: number;
  readonly parts: Readonly<Record<string, PartHealth>>;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Mails that this process ended, by how; empty without mail. */
  readonly mails: Readonly<Partial<Record<string, number>>>;
  /** Extraction processes that were started in the place of one that failed. */
  readonly childRestarts: number;
  /** The size of the database in bytes. */
  readonly databaseBytes: number;
  /** The resident memory of the own Chroma; null: it runs elsewhere, or the system does not tell. */
  readonly chromaBytes: number | null;
}

export interface Metrics {
  /** Neither throws nor waits. */
  observe(call: Called): void;
  observeSteps(samples: readonly StepSample[]): void;
  /** Measures writes to the store. */
  readonly watch: WorkWatch;
  render(now: MetricsSnapshot): Promise<{ contentType: string; text: string }>;
}
