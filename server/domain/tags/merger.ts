// Carries out merges of tags in the background, a batch at a time; after a restart it goes on where it stood.
import type { MergeIngestStore } from '../../adapters/store/tag-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, nextTurn, pause } from '../../lib/wake.ts';

export interface Merger {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** Documents in one transaction: nobody waits long behind it. */
const BATCH = 50;
const IDLE_MS = 60_000;
const RETRY_MS = 5000;

export const createMerger = (deps: {
  store: MergeIngestStore;
  /** Documents were moved: they are to be indexed again. */
  moved: () => void;
  log: Pick<Logger, 'error'>;
}): Merger => {
  const wake = createWake();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  const mergeAll = async (): Promise<void> => {
    while (!stopping.signal.aborted && (await deps.store.mergeSlice(BATCH))) {
      deps.moved();
      await nextTurn();
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await mergeAll();
        if (!stopping.signal.aborted) await wake.sleep(IDLE_MS);
      } catch (error) {
        deps.log.error({ err: error }, 'Merging container tags failed; it is tried again.');
        await pause(RETRY_MS, stopping.signal);
      }
    }
  };

  return {
    start() {
      running ??= loop();
    },
    wake: wake.call,
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      wake.call();
      await running;
    },
  };
};
