// The remember step: draws memories from documents whose chunks are searchable, independently of ingestion.
import type { MemoryJob } from '../../adapters/store/ports/remembering.ts';
import { askedWait, failedRound, jobFailure } from '../../core/job-failure.ts';
import type { Logger } from '../../core/log.ts';
import { type RetryPlan, waitBeforeJob } from '../../lib/async/retry.ts';
import { type AfterRound, type BackgroundWorker, createWorker } from '../../lib/async/worker.ts';
import { type HarvestDeps, harvestMemories } from './harvest.ts';

export interface RememberDeps extends HarvestDeps {
  /** A reading ended the worker: documents are claimed one by one, so that a crash counts for the one that caused it. */
  alone?: boolean;
  now: () => number;
  random: () => number;
  committed: () => void;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** A document with a waiting caller has a lane of its own, so that it never queues behind less urgent ones. */
const LANES = ['instant', 'dynamic'] as const;
type Lane = (typeof LANES)[number];

const JOBS_AT_ONCE = 16;
const RETRIES: RetryPlan = { attempts: 5, firstWaitMs: 1000, longestWaitMs: 10 * 60_000 };
const IDLE_MS = 5000;
const ROUND_WAITS = { firstWaitMs: 1000, longestWaitMs: 1000 };

const retryOrFail = async (deps: RememberDeps, job: MemoryJob, error: unknown): Promise<void> => {
  const { store, log, now, random } = deps;
  const failure = jobFailure(error);
  if (failure.code === 'internal_error')
    log.error({ document: job.documentId, err: error }, 'A bug made the drawing of memories fail.');
  const waitMs = failure.retryable
    ? waitBeforeJob(RETRIES, job.attempts + 1, askedWait(error), random)
    : null;
  if (waitMs === null) await store.memoryFailed(job, failure);
  else await store.memoryLater(job, now() + waitMs);
};

const remember = async (deps: RememberDeps, job: MemoryJob, signal: AbortSignal): Promise<void> => {
  try {
    await deps.store.remember(await harvestMemories(deps, job, signal), deps.spaces());
    deps.committed();
  } catch (error) {
    if (!signal.aborted) await retryOrFail(deps, job, error);
  }
};

const rememberRound = async (deps: RememberDeps, lane: Lane, signal: AbortSignal): Promise<AfterRound> => {
  const jobs = await deps.store.claimToRemember(deps.alone ? 1 : JOBS_AT_ONCE, lane);
  for (const job of jobs) if (!signal.aborted) await remember(deps, job, signal);
  return jobs.length === 0 ? { sleepMs: IDLE_MS } : 'again';
};

export const createRememberer = (deps: RememberDeps): BackgroundWorker => {
  const lanes = LANES.map((lane) =>
    createWorker({
      round: (signal) => rememberRound(deps, lane, signal),
      failed: failedRound(deps.log, 'A round of remembering'),
      waits: ROUND_WAITS,
      retriesOnWake: true,
    }),
  );
  return {
    start() {
      for (const lane of lanes) lane.start();
    },
    wake() {
      for (const lane of lanes) lane.wake();
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
};
