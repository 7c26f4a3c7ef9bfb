// The query workers: a pool of reading threads, sized by the cores, whose queries end at a deadline.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { entry } from '../../../lib/threads/entry.ts';
import { createJobPool, type JobPool } from '../../../lib/threads/job-pool.ts';
import { deadlineReached } from '../engine/query-deadline.ts';
import type { ReadCommands } from './reads.ts';

export type QueryWorkers = JobPool<ReadCommands>;

export interface QueryWorkersOptions {
  readonly file: string;
  /** The time that the queries of one call may run. */
  readonly deadlineMs: number;
  /** Default: one for each core, up to four, and one more that a busy key never takes. */
  readonly workers?: number;
}

const MOST_BUSY = 4;

/** Without this limit V8 would let the heap grow to 134 MB, although the thread keeps nothing. */
const YOUNG_MB = 24;

export const createQueryWorkers = ({ file, deadlineMs, workers }: QueryWorkersOptions): QueryWorkers =>
  createJobPool<ReadCommands>({
    size: workers ?? Math.min(availableParallelism(), MOST_BUSY) + 1,
    budgetMs: deadlineMs,
    start: (stop) =>
      new Worker(entry('./query-worker', import.meta.url), {
        workerData: { file, stop },
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      }),
    late: () => deadlineReached(deadlineMs),
  });
