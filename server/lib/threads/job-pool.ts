// Worker threads whose jobs can be ended: callers take turns, every call has a budget of processor time, and a job that works
// longer than it may is told to stop. A thread that does not hear it is terminated and replaced, which costs as much processor time
// as many jobs. A thread with a long job lets the others of the process go first.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { createTurns, type Turns } from '../async/turns.ts';
import { letStepAside } from './lower-priority.ts';
import { type Calls, type CommandHandlers, callsOver } from './rpc.ts';

/** The call that wants a job done. All jobs of one call share its budget. */
export interface JobCall {
  /** Calls of one principal share a turn. */
  readonly principal: string;
  /** Aborted: nobody waits for the answer. */
  readonly signal: AbortSignal;
}

export interface JobPoolOptions {
  /** The most threads. A principal never takes the last free one while it has another. */
  readonly size: number;
  /** The processor time that the jobs of one call may take. They end as well when `PATIENCE` times as much has passed. */
  readonly budgetMs: number;
  /**
   * Starts a thread; its first message says that it is ready: its number for the system, or null. It ends its job with an
   * error while `stop` is not zero.
   */
  readonly start: (stop: Int32Array) => Worker;
  /** The error of a call that used up its budget, or that got too little processor time until `limitMs` had passed. */
  readonly late: (used: 'budget' | 'patience', limitMs: number) => Error;
  /** A thread without a job for so long ends, unless it is the only one. Default: ten seconds. */
  readonly spareForMs?: number;
  /** A clock in milliseconds. Default: that of the process. */
  readonly now?: () => number;
  /** The processor time of a thread so far, in milliseconds; null: not known, and the clock counts. Default: of the system. */
  readonly workTime?: (thread: number | null) => number | null;
}

export interface JobPool<Commands extends CommandHandlers> {
  run<K extends keyof Commands & string>(
    call: JobCall,
    command: K,
    ...args: Parameters<Commands[K]>
  ): Promise<Awaited<ReturnType<Commands[K]>>>;
  /** True: the jobs of one principal find threads that have started; false: those that are missing are being started. */
  warm(): boolean;
  close(): Promise<void>;
}

/** A busy machine gives a thread little processor time, and a small job would be ended for what others do. */
const PATIENCE = 4;
/** A job is looked at again after this time at the earliest. */
const LOOK_AGAIN_MS = 10;

/** A job that ends within this time after it was told to stop is not worth a new thread. */
const GRACE_MS = 100;

/** A thread without a job for so long ends, unless it is the only one: each holds tens of megabytes. */
const SPARE_FOR_MS = 10_000;

/** A job that runs longer is somebody's large query; short ones of others are served before it. */
const ASIDE_AFTER_MS = 100;
/** For this long after a long job, the jobs of its principal let others go first from their beginning. */
const SLOW_FOR_MS = 10_000;
/** The most principals of which that is known. */
const MOST_SLOW = 1_000;

interface Slot<Commands extends CommandHandlers> {
  readonly worker: Worker;
  readonly calls: Calls<Commands>;
  readonly ready: Promise<unknown>;
  readonly exited: Promise<unknown>;
  readonly stop: Int32Array;
  isReady: boolean;
  /** Known when it is ready; null: it has no priority of its own. */
  thread: number | null;
  /** Null: free. A thread that is being ended stays taken until it is gone. */
  principal: string | null;
  /** Ends it while it is free. */
  spare: NodeJS.Timeout | undefined;
  ended: boolean;
}

interface Job<Commands extends CommandHandlers> {
  readonly call: JobCall;
  /** Runs on this thread and settles the caller's promise. */
  readonly runOn: (slot: Slot<Commands>) => Promise<void>;
  readonly refuse: (reason: unknown) => void;
}

/** In milliseconds: processor time, and the time that passed. */
interface Spent {
  readonly work: number;
  readonly passed: number;
}

interface Pool<Commands extends CommandHandlers> {
  readonly options: JobPoolOptions;
  readonly slots: Set<Slot<Commands>>;
  readonly turns: Turns<Job<Commands>>;
  /** The time that the jobs of a call have used so far. */
  readonly spent: WeakMap<JobCall, Spent>;
  /** Principals that had a long job lately, and until when they count as slow. */
  readonly slow: LRUCache<string, number>;
  /** The system lets the priority of a thread rise again; null: not tried yet. */
  rises: boolean | null;
  closed: boolean;
}

const startSlot = <Commands extends CommandHandlers>(pool: Pool<Commands>): Slot<Commands> => {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = pool.options.start(stop);
  worker.unref();
  const calls = callsOver<Commands>(worker);
  const exited = once(worker, 'exit');
  // An error before the first message fails the jobs through `calls`.
  const ready = Promise.race([once(worker, 'message'), exited]).catch(() => undefined);
  const slot: Slot<Commands> = {
    worker,
    calls,
    ready,
    exited,
    stop,
    isReady: false,
    thread: null,
    principal: null,
    spare: undefined,
    ended: false,
  };
  worker.once('message', (thread: number | null) => {
    slot.isReady = true;
    slot.thread = thread;
  });
  worker.on('error', (error) => {
    slot.ended = true;
    calls.fail(error);
  });
  worker.on('exit', () => {
    slot.ended = true;
    calls.fail(new Error('A query worker stopped; the next query starts it again.'));
    pool.slots.delete(slot);
    dispatchJobs(pool);
  });
  exited.catch(() => undefined);
  pool.slots.add(slot);
  return slot;
};

/** The waiting call fails with the reason at once; the thread may still need a moment. */
const endSlot = <Commands extends CommandHandlers>(slot: Slot<Commands>, reason: Error): void => {
  slot.ended = true;
  slot.calls.fail(reason);
  void slot.worker.terminate();
};

/** Ends it when nothing wants it for a while. */
const endWhenSpare = <Commands extends CommandHandlers>(pool: Pool<Commands>, slot: Slot<Commands>): void => {
  const end = () => {
    const isOnly = [...pool.slots].every((other) => other === slot || other.ended);
    if (!isOnly && !slot.ended) endSlot(slot, new Error('The thread is not needed'));
  };
  slot.spare = setTimeout(end, pool.options.spareForMs ?? SPARE_FOR_MS).unref();
};

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const clockOf = ({ now = () => performance.now() }: JobPoolOptions): (() => number) => now;

/** Linux alone tells the processor time of a single thread. */
const workTimeOf = (thread: number | null): number | null => {
  if (thread === null) return null;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    // A kernel without these figures, or a thread that has ended: the clock counts.
    return null;
  }
};

/** Answers what the job on this thread has used since this call. */
const spending = <Commands extends CommandHandlers>(
  options: JobPoolOptions,
  { thread }: Slot<Commands>,
): (() => Spent) => {
  const now = clockOf(options);
  const { workTime = workTimeOf } = options;
  const started = now();
  const workBefore = workTime(thread);
  return () => {
    const passed = now() - started;
    const work = workBefore === null ? null : workTime(thread);
    return { passed, work: work === null || workBefore === null ? passed : work - workBefore };
  };
};

/** Ends the job when the budget is used up, and when the caller has left; the result ends this watch. */
const watchJob = <Commands extends CommandHandlers>(
  { options, spent }: Pool<Commands>,
  { call, refuse }: Job<Commands>,
  slot: Slot<Commands>,
  used: () => Spent,
): (() => void) => {
  const { budgetMs, late } = options;
  const before = spent.get(call) ?? { work: 0, passed: 0 };
  const total = (): Spent => {
    const { work, passed } = used();
    return { work: before.work + work, passed: before.passed + passed };
  };
  let grace: NodeJS.Timeout | undefined;
  const end = (reason: Error) => {
    refuse(reason);
    Atomics.store(slot.stop, 0, 1);
    grace ??= setTimeout(() => endSlot(slot, reason), GRACE_MS);
  };
  const look = () => {
    const { work, passed } = total();
    const patienceMs = budgetMs * PATIENCE;
    if (work >= budgetMs) return end(late('budget', budgetMs));
    if (passed >= patienceMs) return end(late('patience', patienceMs));
    timer = setTimeout(look, Math.max(LOOK_AGAIN_MS, Math.min(budgetMs - work, patienceMs - passed)));
  };
  let timer = setTimeout(look, Math.max(0, budgetMs - before.work));
  const leave = () => end(asError(call.signal.reason));
  call.signal.addEventListener('abort', leave, { once: true });
  return () => {
    clearTimeout(timer);
    clearTimeout(grace);
    Atomics.store(slot.stop, 0, 0);
    call.signal.removeEventListener('abort', leave);
    spent.set(call, total());
  };
};

/** Also finds out, once, if the priority can rise again. */
const lowerFor = <Commands extends CommandHandlers>(
  pool: Pool<Commands>,
  { thread }: Slot<Commands>,
): (() => boolean) | null => {
  const restore = letStepAside(thread);
  if (pool.rises !== null || restore === null) return restore;
  pool.rises = restore();
  return pool.rises ? letStepAside(thread) : restore;
};

/**
 * Lowers the priority of a thread while its job is long, and from the beginning if its principal had a long one just before:
 * the next is likely long too. The result ends this.
 */
const yieldWhenLong = <Commands extends CommandHandlers>(
  pool: Pool<Commands>,
  slot: Slot<Commands>,
  { principal }: JobCall,
  used: () => Spent,
): (() => void) => {
  const now = clockOf(pool.options);
  const isSlow = pool.rises === true && (pool.slow.get(principal) ?? 0) > now();
  let restore = isSlow ? lowerFor(pool, slot) : null;
  const look = () => {
    const leftMs = ASIDE_AFTER_MS - used().work;
    if (leftMs > 0) {
      timer = setTimeout(look, Math.max(LOOK_AGAIN_MS, leftMs));
      return;
    }
    pool.slow.set(principal, now() + SLOW_FOR_MS);
    restore ??= lowerFor(pool, slot);
  };
  let timer = setTimeout(look, ASIDE_AFTER_MS);
  return () => {
    clearTimeout(timer);
    // Another thread takes the next job where the system does not let the priority rise again.
    if (restore?.() === false) endSlot(slot, new Error('The thread is replaced after a long job'));
  };
};

const workOn = async <Commands extends CommandHandlers>(
  pool: Pool<Commands>,
  slot: Slot<Commands>,
  job: Job<Commands>,
): Promise<void> => {
  await slot.ready;
  if (!job.call.signal.aborted) {
    const used = spending(pool.options, slot);
    const unwatch = watchJob(pool, job, slot, used);
    const endYielding = yieldWhenLong(pool, slot, job.call, used);
    await job.runOn(slot);
    endYielding();
    unwatch();
  }
  if (slot.ended) await slot.exited.catch(() => undefined);
  slot.principal = null;
  endWhenSpare(pool, slot);
  dispatchJobs(pool);
};

/** A principal without a running job comes first; one that has some takes no slot that is the last. */
const dispatchJobs = <Commands extends CommandHandlers>(pool: Pool<Commands>): void => {
  if (pool.closed) return;
  const { slots, turns, options } = pool;
  for (;;) {
    const taken = [...slots].filter(({ principal }) => principal !== null);
    const free = options.size - taken.length;
    const isAtWork = new Set(taken.map(({ principal }) => principal));
    const next =
      (free > 0 ? turns.take((principal) => !isAtWork.has(principal)) : null) ??
      (free > 1 ? turns.take(() => true) : null);
    if (next === null) return;
    const idle = [...slots].find(({ principal, ended }) => principal === null && !ended);
    const slot = idle ?? startSlot(pool);
    clearTimeout(slot.spare);
    slot.principal = next.owner;
    void workOn(pool, slot, next.item);
  }
};

const enqueueJob = <Commands extends CommandHandlers, Answer>(
  pool: Pool<Commands>,
  call: JobCall,
  run: (calls: Calls<Commands>) => Promise<Answer>,
): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const runOn = (slot: Slot<Commands>) => run(slot.calls).then(resolve, reject);
  const leaveQueue = pool.turns.add(call.principal, { call, runOn, refuse: reject });
  const leave = () => {
    leaveQueue();
    reject(call.signal.reason);
  };
  call.signal.addEventListener('abort', leave, { once: true });
  dispatchJobs(pool);
  return promise.finally(() => call.signal.removeEventListener('abort', leave));
};

/** A principal never takes the last free thread while it has another. */
const warmUp = <Commands extends CommandHandlers>(pool: Pool<Commands>): boolean => {
  const { slots, options, closed } = pool;
  while (!closed && slots.size < Math.max(1, options.size - 1)) endWhenSpare(pool, startSlot(pool));
  return [...slots].every(({ isReady, ended }) => isReady && !ended);
};

export const createJobPool = <Commands extends CommandHandlers>(
  options: JobPoolOptions,
): JobPool<Commands> => {
  const pool: Pool<Commands> = {
    options,
    slots: new Set(),
    turns: createTurns(),
    spent: new WeakMap(),
    slow: new LRUCache({ max: MOST_SLOW }),
    rises: null,
    closed: false,
  };
  return {
    run: (call, command, ...args) =>
      call.signal.aborted
        ? Promise.reject(call.signal.reason)
        : enqueueJob(pool, call, (calls) => calls.call(command, ...args)),
    warm: () => warmUp(pool),
    async close() {
      pool.closed = true;
      const stopping = new Error('The server is stopping');
      for (const { refuse } of pool.turns.clear()) refuse(stopping);
      await Promise.all([...pool.slots].map(({ worker }) => worker.terminate()));
    },
  };
};
