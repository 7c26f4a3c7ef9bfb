// The remember step: draws memories from documents whose chunks are searchable, independently of ingestion.
import type { MemoryJob, RedrawJob } from '../../adapters/store/ports/memories/remembering.ts';
import { failedRound } from '../../core/job-failure.ts';
import { type AfterRound, type BackgroundWorker, createWorker } from '../../lib/async/background/worker.ts';
import { whenRoom } from '../../lib/async/when-room.ts';
import type { WorkWatch } from '../../lib/async/work-watch.ts';
import { type HarvestDeps, harvestMemories } from './harvest.ts';
import { harvestFacts } from './harvest-facts.ts';
import { type ReadingFailureDeps, recordReadingFailure } from './reading-failures.ts';
import { harvestAgain } from './redraw.ts';

/** A reader that is loaded when the first document is to be read. */
export interface ReaderOnDemand {
  /** The number of containers of which a document is read at the same time: they take turns. */
  readonly containersAtOnce: number;
  load(): Promise<HarvestDeps['reader']>;
}

export interface RememberDeps extends Omit<HarvestDeps, 'reader'>, Omit<ReadingFailureDeps, 'store'> {
  /** The reader that is chosen now; a document is read by one. */
  reader: () => ReaderOnDemand;
  /** A reading ended the worker: documents are claimed one by one, so that a crash counts for the one that caused it. */
  alone?: boolean;
  committed: () => void;
  watch: WorkWatch;
  /** True: the embedder does not answer, so no text is read that could not be stored. */
  held: () => boolean;
}

/** A document with a waiting caller has a lane of its own, so that it never queues behind less urgent ones. */
const LANES = ['instant', 'dynamic'] as const;
type Lane = (typeof LANES)[number];

const JOBS_AT_ONCE = 16;
const REDRAWN_AT_ONCE = 4;
const IDLE_MS = 5000;
const ROUND_WAITS = { firstWaitMs: 1000, longestWaitMs: 1000 };
const harvesting = async (deps: RememberDeps): Promise<HarvestDeps> => ({
  ...deps,
  reader: await deps.reader().load(),
});

const remember = async (deps: RememberDeps, job: MemoryJob, signal: AbortSignal): Promise<void> => {
  const work = async (): Promise<void> => {
    const reading = await harvesting(deps);
    if (job.given !== null) {
      const facts = await harvestFacts(reading, job, job.given, signal);
      await whenRoom(() => deps.store.rememberFacts(facts, deps.spaces()), signal);
      deps.committed();
    }
    const harvest = await harvestMemories(reading, job, signal);
    await whenRoom(() => deps.store.remember(harvest, deps.spaces()), signal);
    deps.committed();
  };
  try {
    await deps.watch('remembering', work, { facts: { document: job.documentId } });
  } catch (error) {
    if (!signal.aborted) await recordReadingFailure(deps, job, error, signal);
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
  const room = (alone ? 1 : reader().containersAtOnce) - inWork.size;
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

const redraw = async (deps: RememberDeps, job: RedrawJob, signal: AbortSignal): Promise<void> => {
  try {
    const { harvest, dropped } = await harvestAgain(await harvesting(deps), job, signal);
    await whenRoom(() => deps.store.redraw(harvest, dropped, deps.spaces()), signal);
    deps.committed();
  } catch (error) {
    if (!signal.aborted) await recordReadingFailure(deps, job, error, signal);
  }
};

/** Documents are read again one after another, while no new one waits. */
const createRedrawLane = (deps: RememberDeps): BackgroundWorker =>
  createWorker({
    async round(signal) {
      if (deps.held()) return { sleepMs: IDLE_MS };
      const jobs = await deps.store.claimToRedraw(deps.alone ? 1 : REDRAWN_AT_ONCE);
      for (const job of jobs) if (!signal.aborted) await redraw(deps, job, signal);
      return jobs.length === 0 ? { sleepMs: IDLE_MS } : 'again';
    },
    failed: failedRound(deps.log, 'A round of redrawing memories'),
    waits: ROUND_WAITS,
    retriesOnWake: true,
  });

export const createRememberer = (deps: RememberDeps): BackgroundWorker => {
  const lanes = [...LANES.map((lane) => createLane(deps, lane)), createRedrawLane(deps)];
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
