// Wraps an embedder and records whether it answers queries, for the health report.
import type { Embedder } from '../../adapters/embed/port.ts';
import { createRest } from '../../lib/async/rest.ts';
import { isTimeout, messageOf } from '../../lib/failures.ts';

export interface WatchedEmbedder {
  embedder: Embedder;
  /** The reason why the last query failed; null: it succeeded, or the failure is long ago. */
  trouble(): string | null;
}

/** A failure is forgotten after this time, because without queries nothing shows that the embedder has recovered. */
const KNOWN_MS = 60_000;

/** A service that hangs delays one query by its whole timeout, and later ones by the patience at most. */
const REST = { restMs: 5_000, patienceMs: 250, trialMs: 5_000, quickMs: 250 };

export const watchEmbedder = (embedder: Embedder, now: () => number): WatchedEmbedder => {
  const rest = createRest(REST);
  let trouble: { sentence: string; until: number } | null = null;
  return {
    trouble: () => (trouble !== null && now() < trouble.until ? trouble.sentence : null),
    embedder: {
      ...embedder,
      async embedQuery(query, weigh, signal) {
        try {
          const vector = await rest.run((stop) => embedder.embedQuery(query, weigh, stop), signal);
          trouble = null;
          return vector;
        } catch (error) {
          const timedOut = isTimeout(signal?.reason);
          // The caller has left, which says nothing about the embedder.
          if (signal?.aborted && !timedOut) throw error;
          const why = timedOut ? 'it did not answer in time' : messageOf(error);
          trouble = { sentence: why, until: now() + KNOWN_MS };
          throw error;
        }
      },
    },
  };
};
