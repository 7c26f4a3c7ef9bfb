// The query workers: a pool of reading threads, sized by the cores, whose queries end at a deadline.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { entry } from '../../../lib/threads/entry.ts';
import { createJobPool, type JobPool } from '../../../lib/threads/job-pool.ts';
import type { CommandHandlers } from '../../../lib/threads/rpc.ts';
import { deadlineReached, waitedTooLong } from '../engine/query-deadline.ts';
import type { ReadCommands } from './reads.ts';

/** `More`: the commands of their threads beside the reads. */
export type QueryWorkers<More extends CommandHandlers = ReadCommands> = JobPool<ReadCommands & More>;

export interface QueryWorkersOptions {
  readonly file: string;
  /** The processor time that the queries of one call may take. */
  readonly deadlineMs: number;
  /** Default: one for each core, up to four, and one more that a busy key never takes. */
  readonly workers?: number;
  /** The file of a thread that has more commands. Default: one that reads alone. */
  readonly thread?: URL;
}

const MOST_BUSY = 4;

/** Without this limit V8 would let the heap grow to 134 MB, although the thread keeps little. */
const YOUNG_MB = 48;

export const createQueryWorkers = <More extends CommandHandlers = ReadCommands>({
  file,
  deadlineMs,
  workers,
  thread = entry('./query-worker', import.meta.url),
}: QueryWorkersOptions): QueryWorkers<More> =>
  createJobPool<ReadCommands & More>({
    size: workers ?? Math.min(availableParallelism(), MOST_BUSY) + 1,
    budgetMs: deadlineMs,
    start: (stop) =>
      new Worker(thread, {
        workerData: { file, stop },
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      }),
    late: (used, limitMs) => (used === 'budget' ? deadlineReached(limitMs) : waitedTooLong(limitMs)),
  });
