// Signals between the processes that share a database. One may be lost, so whoever hears them also looks by itself.

/**
 * `work`: something was stored that a worker may wait for; `retried`: a caller wants a document now that waited.
 * `key`, `grant`, `member`, `session`: it changed or ended, and what is remembered of it is void; the detail is its id. `spaces`: the embedding
 * spaces changed. `models`: somebody chose another model. `compact`: somebody asked for a compaction.
 */
export type Signal =
  | 'work'
  | 'retried'
  | 'key'
  | 'grant'
  | 'member'
  | 'session'
  | 'spaces'
  | 'models'
  | 'compact';

export interface Signals {
  /** Tells all other processes. Neither waits nor throws. */
  tell(signal: Signal, detail?: string): void;
  on(signal: Signal, listener: (detail: string) => void): void;
}

/** The signals of a process that is alone. */
export const noSignals: Signals = { tell: () => undefined, on: () => undefined };
