// Merges tags in the background, in batches; after a restart it continues where it stopped.
import type { MergeIngestStore } from '../../adapters/store/ports/tags.ts';
import { failedRound } from '../../core/job-failure.ts';
import type { Logger } from '../../core/log.ts';
import { DUTIES } from '../../core/processes/duties.ts';
import { type Duties, onDuty } from '../../lib/async/background/duties.ts';
import { type AfterRound, type BackgroundWorker, createWorker } from '../../lib/async/background/worker.ts';
import { nextTurn } from '../../lib/async/wait.ts';

/** Documents per transaction, few enough that other writes do not wait long. */
const BATCH = 50;
const IDLE_MS = 60_000;
const WAITS = { firstWaitMs: 5000, longestWaitMs: 5000 };

export interface MergerDeps {
  store: MergeIngestStore;
  duties: Duties;
  /** Called after documents were moved: they must be indexed again. */
  moved: () => void;
  log: Pick<Logger, 'error'>;
}

const mergeRound = async ({ store, moved }: MergerDeps, signal: AbortSignal): Promise<AfterRound> => {
  while (!signal.aborted && (await store.mergeSlice(BATCH))) {
    moved();
    await nextTurn();
  }
  return { sleepMs: IDLE_MS };
};

export const createMerger = (deps: MergerDeps): BackgroundWorker =>
  createWorker({
    round: onDuty(deps.duties, DUTIES.merging, (signal) => mergeRound(deps, signal)),
    failed: failedRound(deps.log, 'Merging container tags'),
    waits: WAITS,
  });
