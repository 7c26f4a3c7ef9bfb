// An embedder whose answers to questions are watched: somebody has to say when it does not answer.
import type { Embedder } from '../../adapters/embed/port.ts';

export interface Watched {
  embedder: Embedder;
  /** Why the last question was not answered; null: it was, or that is long ago. */
  trouble(): string | null;
}

/** Afterwards nobody knows: without questions nothing says that it answers again. */
const KNOWN_MS = 60_000;

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

export const watch = (embedder: Embedder, now: () => number): Watched => {
  let trouble: { sentence: string; until: number } | null = null;
  return {
    trouble: () => (trouble !== null && now() < trouble.until ? trouble.sentence : null),
    embedder: {
      ...embedder,
      async embedQuery(query, weigh, signal) {
        try {
          const vector = await embedder.embedQuery(query, weigh, signal);
          trouble = null;
          return vector;
        } catch (error) {
          const timedOut = isTimeout(signal?.reason);
          // Whoever asked has gone away: that says nothing about the embedder.
          if (signal?.aborted && !timedOut) throw error;
          const why = timedOut
            ? 'it did not answer in time'
            : error instanceof Error
              ? error.message
              : String(error);
          trouble = { sentence: why, until: now() + KNOWN_MS };
          throw error;
        }
      },
    },
  };
};
