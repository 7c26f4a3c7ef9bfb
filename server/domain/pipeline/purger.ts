// Erases what deleted documents left behind, a slice at a time, and then what the files still remember.
import type { IngestStore } from '../../adapters/store/ingest-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, nextTurn, pause } from '../../lib/wake.ts';

export interface Purger {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
}

const SLICE = 500;
const FILES = 100;
const IDLE_MS = 60_000;
/** Scrubbing rewrites the keyword index, so it waits until deletions have calmed down. */
const CALM_MS = 2000;
/** Where deletions never calm down it does not wait for ever. */
const LONGEST_MS = 5 * 60_000;
const RETRY_MS = 5000;

export const createPurger = (deps: {
  store: IngestStore;
  erased: () => void;
  /** Erases an original; one that is gone already is no trouble. */
  eraseFile: (key: string) => Promise<void>;
  log: Pick<Logger, 'error'>;
}): Purger => {
  const wake = createWake();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  const purgeAll = async (): Promise<boolean> => {
    let erased = false;
    while (!stopping.signal.aborted && (await deps.store.purge(SLICE))) {
      erased = true;
      deps.erased();
      await nextTurn();
    }
    return erased;
  };

  /** The rows go last: after a crash the files are erased once more. */
  const eraseFiles = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const keys = await deps.store.filesToErase(FILES);
      for (const key of keys) await deps.eraseFile(key);
      if (keys.length === 0) return;
      await deps.store.forgetFiles(keys);
    }
  };

  const loop = async (): Promise<void> => {
    /** When something was first and last erased that still has to be scrubbed. */
    let first = (await deps.store.needsScrub()) ? performance.now() : null;
    let last = first ?? 0;
    while (!stopping.signal.aborted) {
      if (await purgeAll()) {
        last = performance.now();
        first ??= last;
      }
      await eraseFiles();
      const due = first === null ? null : Math.min(last + CALM_MS, first + LONGEST_MS);
      const waitMs = due === null ? IDLE_MS : due - performance.now();
      if (waitMs > 0) {
        await wake.sleep(waitMs);
      } else {
        await deps.store.scrub(stopping.signal);
        first = null;
      }
    }
  };

  /** After a failure it begins anew: what is left to do stands in the store. */
  const keepGoing = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await loop();
      } catch (error) {
        deps.log.error({ err: error }, 'Erasing deleted documents failed; it is tried again.');
        await pause(RETRY_MS, stopping.signal);
      }
    }
  };

  return {
    start() {
      running ??= keepGoing();
    },
    wake: wake.call,
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      wake.call();
      await running;
    },
  };
};
