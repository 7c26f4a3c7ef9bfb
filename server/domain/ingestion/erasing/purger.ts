// Erases the rows of deleted documents in slices, and then scrubs the database files.
import type { IngestStore } from '../../../adapters/store/ports/ingestion/ingest.ts';
import { failedRound } from '../../../core/job-failure.ts';
import type { Logger } from '../../../core/log.ts';
import { nextTurn } from '../../../lib/async/wait.ts';
import { type AfterRound, type BackgroundWorker, createWorker } from '../../../lib/async/worker.ts';

const SLICE = 500;
const FILES = 100;
const IDLE_MS = 60_000;
/** Scrubbing rewrites the keyword index, so it waits for a pause in deletions. */
const CALM_MS = 2000;
/** The longest wait for such a pause. */
const LONGEST_MS = 5 * 60_000;
const WAITS = { firstWaitMs: 5000, longestWaitMs: 5000 };

export interface PurgerDeps {
  store: IngestStore;
  erased: () => void;
  /** Erases an original; a missing one is not an error. */
  eraseFile: (key: string) => Promise<void>;
  log: Pick<Logger, 'error'>;
}

/** The times of the first and last erasure that was not scrubbed yet; first null: none. */
interface Erased {
  first: number | null;
  last: number;
}

const eraseRows = async ({ store, erased }: PurgerDeps, signal: AbortSignal): Promise<boolean> => {
  let any = false;
  while (!signal.aborted && (await store.purge(SLICE))) {
    any = true;
    erased();
    await nextTurn();
  }
  return any;
};

/** Rows are deleted last, so that after a crash the files are erased again. */
const eraseFiles = async ({ store, eraseFile }: PurgerDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const keys = await store.filesToErase(FILES);
    for (const key of keys) await eraseFile(key);
    if (keys.length === 0) return;
    await store.forgetFiles(keys);
  }
};

const lastErased = async ({ store }: PurgerDeps): Promise<Erased> => {
  const first = (await store.needsScrub()) ? performance.now() : null;
  return { first, last: first ?? 0 };
};

export const createPurger = (deps: PurgerDeps): BackgroundWorker => {
  /** Null: to be read from the store, at the start and after a failure. */
  let state: Erased | null = null;

  const round = async (signal: AbortSignal): Promise<AfterRound> => {
    state ??= await lastErased(deps);
    if (await eraseRows(deps, signal)) {
      state.last = performance.now();
      state.first ??= state.last;
    }
    await eraseFiles(deps, signal);
    const due = state.first === null ? null : Math.min(state.last + CALM_MS, state.first + LONGEST_MS);
    const waitMs = due === null ? IDLE_MS : due - performance.now();
    if (waitMs > 0) return { sleepMs: waitMs };
    await deps.store.scrub(signal);
    state.first = null;
    return 'again';
  };

  const report = failedRound(deps.log, 'Erasing deleted documents');
  return createWorker({
    round,
    waits: WAITS,
    failed(error, waitMs) {
      state = null;
      report(error, waitMs);
    },
  });
};
