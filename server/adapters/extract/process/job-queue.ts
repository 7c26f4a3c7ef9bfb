// The queue of jobs for the child processes: first come, first served.
import { stoppedFailure } from './run-job.ts';
import type { Slot } from './slot.ts';

export interface JobQueue {
  take(signal?: AbortSignal): Promise<Slot>;
  giveBack(slot: Slot): void;
  close(): void;
}

interface WaitingJob {
  readonly begin: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

export const createJobQueue = (slots: readonly Slot[]): JobQueue => {
  const free = [...slots];
  const waiting = new Set<WaitingJob>();
  let closed = false;

  return {
    take(signal) {
      if (closed) return Promise.reject(closedFailure());
      if (signal?.aborted) return Promise.reject(stoppedFailure(signal.reason));
      const slot = free.pop();
      return slot === undefined ? waitForSlot(waiting, signal) : Promise.resolve(slot);
    },

    giveBack(slot) {
      const [next] = waiting;
      if (next === undefined) free.push(slot);
      else next.begin(slot);
    },

    close() {
      closed = true;
      for (const job of waiting) job.refuse(closedFailure());
    },
  };
};

const closedFailure = () => stoppedFailure(new Error('The extractor is closed.'));

const waitForSlot = (waiting: Set<WaitingJob>, signal: AbortSignal | undefined): Promise<Slot> =>
  new Promise((resolve, reject) => {
    const abort = () => job.refuse(stoppedFailure(signal?.reason));
    const leave = () => {
      waiting.delete(job);
      signal?.removeEventListener('abort', abort);
    };
    const job: WaitingJob = {
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
