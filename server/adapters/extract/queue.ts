// Who is next for one of the child processes: first come, first served.
import { stopped } from './ask.ts';
import type { Slot } from './slot.ts';

export interface Queue {
  take(signal?: AbortSignal): Promise<Slot>;
  giveBack(slot: Slot): void;
  close(): void;
}

interface Waiting {
  readonly go: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

export function createQueue(slots: readonly Slot[]): Queue {
  const free = [...slots];
  const waiting = new Set<Waiting>();
  let closed = false;
  const closing = () => stopped(new Error('The extractor is closed.'));

  return {
    take(signal) {
      if (closed) return Promise.reject(closing());
      if (signal?.aborted) return Promise.reject(stopped(signal.reason));
      const slot = free.pop();
      if (slot !== undefined) return Promise.resolve(slot);
      return new Promise((resolve, reject) => {
        const abort = () => one.refuse(stopped(signal?.reason));
        const leave = () => {
          waiting.delete(one);
          signal?.removeEventListener('abort', abort);
        };
        const one: Waiting = {
          go(given) {
            leave();
            resolve(given);
          },
          refuse(reason) {
            leave();
            reject(reason);
          },
        };
        waiting.add(one);
        signal?.addEventListener('abort', abort, { once: true });
      });
    },

    giveBack(slot) {
      const [next] = waiting;
      if (next === undefined) free.push(slot);
      else next.go(slot);
    },

    close() {
      closed = true;
      for (const one of waiting) one.refuse(closing());
    },
  };
}
