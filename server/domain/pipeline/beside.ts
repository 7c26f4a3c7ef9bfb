// Vectors for a space that is only being filled: nobody waits for them, and what is missed is filled in later.
import type { IngestStore } from '../../adapters/store/ingest-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { vectorsFor } from './embedding.ts';
import type { FilledSpace, Plan, Vectors } from './reconcile.ts';

export interface Beside {
  /** Whatever can be had; none while its embedder is at fault. */
  vectorsFor(space: FilledSpace, plans: readonly Plan[]): Promise<Vectors>;
}

/** Every attempt is a wait for the documents that are being read. */
const REST_MS = 60_000;

export const createBeside = (
  deps: { store: IngestStore; now: () => number; log: Pick<Logger, 'warn'> },
  signal: AbortSignal,
): Beside => {
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
          'The embedder of the space that is being filled does not answer; new content is filled in later.',
        );
        return new Map();
      }
    },
  };
};
