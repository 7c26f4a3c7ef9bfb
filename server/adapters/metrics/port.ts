// Figures about the running server, for a program that collects them.
import type { Called } from '../../core/events.ts';
import type { PartHealth } from '../../core/health.ts';

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
  /** The size of the database in bytes; null: it is on another machine. */
  readonly databaseBytes: number | null;
}

export interface Metrics {
  /** Neither throws nor waits. */
  observe(call: Called): void;
  render(): Promise<{ contentType: string; text: string }>;
}
