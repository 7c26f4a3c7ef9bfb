// Long work as a generator of short steps: run at once, or in slices between which everything else on the thread runs.
import { nextTurn } from './wait.ts';

/** Each `yield` is a place where the work may pause. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The time between two looks at other work. */
const SLICE_MS = 8;

interface PaceOptions {
  sliceMs?: number;
  /** The processor time of the whole work, in milliseconds; missing: no limit. */
  budgetMs?: number;
  /** The error of work that has used its budget. */
  exceeded?: () => Error;
  signal?: AbortSignal | undefined;
  /** The processor time of this thread in milliseconds, from any moment on. */
  processorMs?: () => number;
  now?: () => number;
}

/** The pace of one piece of work, in all of its parts. */
export interface WorkPace {
  /** True: the slice is over. */
  isDue(): boolean;
  /** Lets everything else run; rejects when the budget is used up, or with the reason of the aborted signal. */
  rest(): Promise<void>;
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export const createPace = (options: PaceOptions = {}): WorkPace => {
  const { sliceMs = SLICE_MS, budgetMs, exceeded, signal } = options;
  const { processorMs = threadMs, now = () => performance.now() } = options;
  let begun = now();
  let mark = processorMs();
  let used = 0;
  return {
    isDue: () => now() - begun >= sliceMs,
    async rest() {
      used += processorMs() - mark;
      if (budgetMs !== undefined && used > budgetMs)
        throw exceeded?.() ?? new Error(`The work took more than ${budgetMs} ms of processor time.`);
      signal?.throwIfAborted();
      await nextTurn();
      signal?.throwIfAborted();
      begun = now();
      mark = processorMs();
    },
  };
};

/** All steps at once, for bounded work. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

export const finishInSlices = async <T>(steps: Steps<T>, pace: WorkPace): Promise<T> => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (pace.isDue()) await pace.rest();
  }
};
