// The queue of jobs for the child processes: tags take turns, and a key that used much reading time waits for others.
import type { ReadOwner } from '../port.ts';
import type { ReaderTime } from './reader-time.ts';
import { stoppedFailure } from './run-job.ts';
import type { Slot } from './slot.ts';

export interface JobQueue {
  take(owner: ReadOwner, signal?: AbortSignal): Promise<Slot>;
  giveBack(slot: Slot): void;
  close(): void;
}

interface WaitingJob {
  readonly owner: ReadOwner;
  readonly begin: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

interface RunningJob {
  readonly owner: ReadOwner;
  /** Ends its count of reading time. */
  readonly end: () => void;
}

interface Queue {
  readonly free: Slot[];
  /** In the order of arrival. */
  readonly waiting: Set<WaitingJob>;
  readonly running: Map<Slot, RunningJob>;
  /** The number of the last turn of each tag that waits or runs. */
  readonly turns: Map<string, number>;
  readonly time: ReaderTime;
  turn: number;
  /** The number of jobs in a row that went before one of a slowed key. */
  overtaken: number;
}

/** A slowed key has its turn after this many jobs of others, so that it always goes on. */
const MOST_OVERTAKEN = 4;

export const createJobQueue = (slots: readonly Slot[], time: ReaderTime): JobQueue => {
  const queue: Queue = {
    ...{ free: [...slots], waiting: new Set(), running: new Map(), turns: new Map() },
    ...{ time, turn: 0, overtaken: 0 },
  };
  let closed = false;
  return {
    take(owner, signal) {
      if (closed) return Promise.reject(closedFailure());
      if (signal?.aborted) return Promise.reject(stoppedFailure(signal.reason));
      const slot = waitForSlot(queue.waiting, owner, signal);
      beginJobs(queue);
      return slot;
    },

    giveBack(slot) {
      const ended = queue.running.get(slot);
      ended?.end();
      queue.running.delete(slot);
      queue.free.push(slot);
      if (!closed) beginJobs(queue);
      if (ended !== undefined) forgetTurn(queue, ended.owner.tag);
    },

    close() {
      closed = true;
      for (const job of queue.waiting) job.refuse(closedFailure());
    },
  };
};

const closedFailure = () => stoppedFailure(new Error('The extractor is closed.'));

const beginJobs = (queue: Queue): void => {
  for (let job = nextJob(queue); job !== null; job = nextJob(queue)) {
    const slot = queue.free.pop();
    if (slot === undefined) return;
    const { owner } = job;
    queue.turns.set(owner.tag, ++queue.turn);
    queue.running.set(slot, { owner, end: queue.time.begin(owner.key) });
    job.begin(slot);
  }
};

/** Null: none waits, or the last slot is kept for somebody who is not being served. */
const nextJob = (queue: Queue): WaitingJob | null => {
  const { free, waiting, time } = queue;
  if (free.length === 0 || waiting.size === 0) return null;
  const served = free.length === 1 ? [...queue.running.values()].map(({ owner }) => owner) : [];
  const allowed = [...waiting].filter(({ owner }) => !served.some((other) => isSameOwner(owner, other)));
  if (allowed.length === 0) return null;
  const slowed = allowed.filter(({ owner }) => time.isSlowed(owner.key));
  const others = allowed.filter((job) => !slowed.includes(job));
  const slowedTurn = others.length === 0 || (slowed.length > 0 && queue.overtaken >= MOST_OVERTAKEN);
  queue.overtaken = slowedTurn || slowed.length === 0 ? 0 : queue.overtaken + 1;
  return earliestTurn(queue, slowedTurn ? slowed : others);
};

const isSameOwner = (one: ReadOwner, other: ReadOwner): boolean =>
  one.tag === other.tag || (one.key !== null && one.key === other.key);

/** The tag that has waited longest for a turn; in it, the job that came first. */
const earliestTurn = ({ turns }: Queue, jobs: readonly WaitingJob[]): WaitingJob | null => {
  const turnOf = ({ owner }: WaitingJob): number => turns.get(owner.tag) ?? 0;
  return jobs.reduce<WaitingJob | null>(
    (first, job) => (first === null || turnOf(job) < turnOf(first) ? job : first),
    null,
  );
};

const forgetTurn = ({ waiting, running, turns }: Queue, tag: string): void => {
  const owners = [...waiting, ...running.values()].map(({ owner }) => owner);
  if (!owners.some((owner) => owner.tag === tag)) turns.delete(tag);
};

const waitForSlot = (
  waiting: Set<WaitingJob>,
  owner: ReadOwner,
  signal: AbortSignal | undefined,
): Promise<Slot> =>
  new Promise((resolve, reject) => {
    const abort = () => job.refuse(stoppedFailure(signal?.reason));
    const leave = () => {
      waiting.delete(job);
      signal?.removeEventListener('abort', abort);
    };
    const job: WaitingJob = {
      owner,
      begin(slot) {
        leave();
        resolve(slot);
      },
      refuse(reason) {
        leave();
        reject(reason);
      },
    };
    waiting.add(job);
    signal?.addEventListener('abort', abort, { once: true });
  });
