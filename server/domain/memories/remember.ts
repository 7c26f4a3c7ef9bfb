// The remember step: draws memories from documents whose chunks are searchable, independently of ingestion.
import type { MemoryJob } from '../../adapters/store/ports/remembering.ts';
import { askedWait, failedRound, jobFailure, providerFault } from '../../core/job-failure.ts';
import type { Logger } from '../../core/log.ts';
import {
  growingWait,
  type RetryPlan,
  respectedWait,
  waitBeforeJob,
  withRetries,
} from '../../lib/async/retry.ts';
import { whenRoom } from '../../lib/async/when-room.ts';
import { type AfterRound, type BackgroundWorker, createWorker } from '../../lib/async/worker.ts';
import { type HarvestDeps, harvestMemories } from './harvest.ts';
import { harvestFacts } from './harvest-facts.ts';

export interface RememberDeps extends HarvestDeps {
  /** A reading ended the worker: documents are claimed one by one, so that a crash counts for the one that caused it. */
  alone?: boolean;
  now: () => number;
  random: () => number;
  committed: () => void;
  /** True: the embedder does not answer, so no text is read that could not be stored. */
  held: () => boolean;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** A document with a waiting caller has a lane of its own, so that it never queues behind less urgent ones. */
const LANES = ['instant', 'dynamic'] as const;
type Lane = (typeof LANES)[number];

const JOBS_AT_ONCE = 16;
const RETRIES: RetryPlan = { attempts: 5, firstWaitMs: 1000, longestWaitMs: 10 * 60_000 };
const IDLE_MS = 5000;
const ROUND_WAITS = { firstWaitMs: 1000, longestWaitMs: 1000 };
/** A store that takes no word is asked again until it does: without the word the document would stay claimed. */
const RECORDING: RetryPlan = {
  attempts: Number.POSITIVE_INFINITY,
  firstWaitMs: 1000,
  longestWaitMs: 30_000,
};

/** A provider at fault is waited for, however long; null: the text is given up. */
const waitBeforeRetry = ({ random }: RememberDeps, job: MemoryJob, error: unknown): number | null => {
  const failures = job.attempts + 1;
  if (providerFault(error) !== null)
    return respectedWait(RETRIES, askedWait(error), growingWait(RETRIES, failures));
  return jobFailure(error).retryable ? waitBeforeJob(RETRIES, failures, askedWait(error), random) : null;
};

const retryOrFail = async (deps: RememberDeps, job: MemoryJob, error: unknown): Promise<void> => {
  const { store, log, now } = deps;
  const failure = jobFailure(error);
  if (failure.code === 'internal_error')
    log.error({ document: job.documentId, err: error }, 'A bug made the drawing of memories fail.');
  const waitMs = waitBeforeRetry(deps, job, error);
  if (waitMs === null) await store.memoryFailed(job, failure);
  else await store.memoryLater(job, now() + waitMs);
};

const recordFailure = async (
  deps: RememberDeps,
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

const remember = async (deps: RememberDeps, job: MemoryJob, signal: AbortSignal): Promise<void> => {
  try {
    if (job.given !== null) {
      const facts = await harvestFacts(deps, job, job.given, signal);
      await whenRoom(() => deps.store.rememberFacts(facts, deps.spaces()), signal);
      deps.committed();
    }
    const harvest = await harvestMemories(deps, job, signal);
    await whenRoom(() => deps.store.remember(harvest, deps.spaces()), signal);
    deps.committed();
  } catch (error) {
    if (!signal.aborted) await recordFailure(deps, job, error, signal);
  }
};

/** The documents of one container, one after another. */
const rememberInOrder = async (
  deps: RememberDeps,
  jobs: readonly MemoryJob[],
  signal: AbortSignal,
): Promise<void> => {
  for (const job of jobs) if (!signal.aborted) await remember(deps, job, signal);
};

/** The containers of a lane of which documents are being read. */
type InWork = Map<number, Promise<void>>;

/** Containers take turns: a long document holds up only those under the same tags. */
const rememberRound = async (
  deps: RememberDeps,
  { lane, inWork, wake }: { lane: Lane; inWork: InWork; wake: () => void },
  signal: AbortSignal,
): Promise<AfterRound> => {
  const { alone, reader, store } = deps;
  if (deps.held()) return { sleepMs: IDLE_MS };
  const room = (alone ? 1 : reader.limits.containersAtOnce) - inWork.size;
  if (room <= 0) return { sleepMs: IDLE_MS };
  const turns = { busy: [...inWork.keys()], most: room };
  const jobs = await store.claimToRemember(alone ? 1 : JOBS_AT_ONCE, lane, turns);
  for (const [container, its] of Map.groupBy(jobs, (job) => job.container)) {
    const work = rememberInOrder(deps, its, signal).finally(() => {
      inWork.delete(container);
      wake();
    });
    inWork.set(container, work);
  }
  return jobs.length === 0 ? { sleepMs: IDLE_MS } : 'again';
};

const createLane = (deps: RememberDeps, lane: Lane): BackgroundWorker => {
  const inWork: InWork = new Map();
  const worker: BackgroundWorker = createWorker({
    round: (signal) => rememberRound(deps, { lane, inWork, wake: () => worker.wake() }, signal),
    failed: failedRound(deps.log, 'A round of remembering'),
    waits: ROUND_WAITS,
    retriesOnWake: true,
  });
  return {
    ...worker,
    async stop() {
      await worker.stop();
      await Promise.all(inWork.values());
    },
  };
};

export const createRememberer = (deps: RememberDeps): BackgroundWorker => {
  const lanes = LANES.map((lane) => createLane(deps, lane));
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
