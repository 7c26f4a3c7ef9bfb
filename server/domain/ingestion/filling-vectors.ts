// Vectors for a space that is being filled. Documents do not wait for them; missing ones are filled in later.
import type { IngestStore } from '../../adapters/store/ports/ingestion/ingest.ts';
import type { Logger } from '../../core/log.ts';
import type { FilledSpace, Plan, Vectors } from './reconcile.ts';
import { vectorsFor } from './supply-vectors.ts';

export interface FillingVectors {
  /** The vectors that the embedder returns; none while it does not answer. */
  vectorsFor(space: FilledSpace, plans: readonly Plan[]): Promise<Vectors>;
}

/** Documents that are being ingested wait for every attempt. */
const REST_MS = 60_000;

export const createFillingVectors = (
  deps: { store: IngestStore; now: () => number; log: Pick<Logger, 'warn'> },
  signal: AbortSignal,
): FillingVectors => {
  const restsUntil = new Map<number, number>();
  return {
    async vectorsFor(space, plans) {
      if (deps.now() < (restsUntil.get(space.id) ?? 0)) return new Map();
      try {
        return await vectorsFor(deps.store, space, plans, signal);
      } catch (error) {
        signal.throwIfAborted();
        restsUntil.set(space.id, deps.now() + REST_MS);
        deps.log.warn(
          { err: error, space: space.id },
          'The embedder of the new space does not answer; new content is filled in later.',
        );
        return new Map();
      }
    },
  };
};
