// A document that could not be read for memories: it waits and is tried again, or is given up.
import type { MemoryIngestStore, MemoryJob } from '../../adapters/store/ports/memories/remembering.ts';
import { askedWait, jobFailure, providerFault } from '../../core/job-failure.ts';
import type { Logger } from '../../core/log.ts';
import {
  growingWait,
  type RetryPlan,
  respectedWait,
  waitBeforeJob,
  withRetries,
} from '../../lib/async/retry.ts';

export interface ReadingFailureDeps {
  store: Pick<MemoryIngestStore, 'memoryFailed' | 'memoryLater'>;
  now: () => number;
  random: () => number;
  log: Pick<Logger, 'warn' | 'error'>;
}

const RETRIES: RetryPlan = { attempts: 5, firstWaitMs: 1000, longestWaitMs: 10 * 60_000 };
/** A store that takes no word is asked again until it does: without the word the document would stay claimed. */
const RECORDING: RetryPlan = {
  attempts: Number.POSITIVE_INFINITY,
  firstWaitMs: 1000,
  longestWaitMs: 30_000,
};

/** A provider at fault is waited for, however long; null: the text is given up. */
const waitBeforeRetry = ({ random }: ReadingFailureDeps, job: MemoryJob, error: unknown): number | null => {
  const failures = job.attempts + 1;
  if (providerFault(error) !== null)
    return respectedWait(RETRIES, askedWait(error), growingWait(RETRIES, failures));
  return jobFailure(error).retryable ? waitBeforeJob(RETRIES, failures, askedWait(error), random) : null;
};

const retryOrFail = async (deps: ReadingFailureDeps, job: MemoryJob, error: unknown): Promise<void> => {
  const { store, log, now } = deps;
  const failure = jobFailure(error);
  if (failure.code === 'internal_error')
    log.error({ document: job.documentId, err: error }, 'A bug made the drawing of memories fail.');
  const waitMs = waitBeforeRetry(deps, job, error);
  if (waitMs === null) await store.memoryFailed(job, failure);
  else await store.memoryLater(job, now() + waitMs);
};

export const recordReadingFailure = async (
  deps: ReadingFailureDeps,
  job: MemoryJob,
  error: unknown,
  signal: AbortSignal,
): Promise<void> => {
  const unrecorded = (cause: unknown) => {
    deps.log.error(
      { document: job.documentId, err: cause },
      'The store could not record that the drawing of memories failed. It is tried again.',
    );
    return {};
  };
  try {
    await withRetries(() => retryOrFail(deps, job, error), RECORDING, unrecorded, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
};
