// Erases what deleted documents left behind, a slice at a time, and then what the files still remember.
import type { IngestStore } from '../../adapters/store/ingest-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, nextTurn } from '../../lib/wake.ts';

export interface Purger {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
}

const SLICE = 500;
const IDLE_MS = 60_000;
/** Scrubbing rewrites the keyword index, so it waits until deletions have calmed down. */
const CALM_MS = 2000;

export const createPurger = (deps: {
  store: IngestStore;
  erased: () => void;
  log: Pick<Logger, 'error'>;
}): Purger => {
  const wake = createWake();
  let stopped = false;
  let running: Promise<void> | null = null;

  const purgeAll = async (): Promise<boolean> => {
    let erased = false;
    while (!stopped && (await deps.store.purge(SLICE))) {
      erased = true;
      deps.erased();
      await nextTurn();
    }
    return erased;
  };

  const loop = async (): Promise<void> => {
    let dirty = false;
    while (!stopped) {
      try {
        dirty = (await purgeAll()) || dirty;
        const before = performance.now();
        await wake.sleep(dirty ? CALM_MS : IDLE_MS);
        const calm = performance.now() - before >= CALM_MS;
        if (dirty && calm && !stopped) {
          await deps.store.scrub();
          dirty = false;
        }
      } catch (error) {
        deps.log.error({ err: error }, 'Erasing deleted documents failed; it is tried again.');
        await wake.sleep(5000);
      }
    }
  };

  return {
    start() {
      running ??= loop();
    },
    wake: wake.call,
    async stop() {
      stopped = true;
      wake.call();
      await running;
    },
  };
};
