// Bodies that wait for memory. A refusal costs the thread that answers everybody as much as a short call, and a client that
// is refused at once comes back at once: so a body waits for room first, and the refusals of one key keep a distance.
import { LRUCache } from 'lru-cache';
import { pause } from '../../lib/async/wait.ts';

/** As long as a refusal would tell the client to wait. */
const WAIT_MS = 1_000;
/** Between two refusals of one key. */
const DISTANCE_MS = 20;
/** Shorter than the time that a body may take to send anything. */
const LONGEST_WAIT_MS = 5_000;
/** The most keys whose last refusal is known. */
const MOST_KEYS = 1_000;

/** Waits, and ends early when the signal is aborted. */
export type Pause = typeof pause;

export interface WaitingRoom {
  /** Resolves with true as soon as `enter` does; with false when the wait is over, or the client has left. */
  wait(keyId: string, enter: () => boolean, client: AbortSignal): Promise<boolean>;
  /** Lets in whoever can enter now, the first that came first. */
  letIn(): void;
}

const createPace = (now: () => number): ((keyId: string) => number) => {
  const ends = new LRUCache<string, number>({ max: MOST_KEYS });
  return (keyId) => {
    const came = now();
    const distant = Math.max(came + WAIT_MS, (ends.get(keyId) ?? 0) + DISTANCE_MS);
    const end = Math.min(distant, came + LONGEST_WAIT_MS);
    ends.set(keyId, end);
    return end - came;
  };
};

export const createWaitingRoom = (wait: Pause = pause, now = () => performance.now()): WaitingRoom => {
  const paceOf = createPace(now);
  const waiting = new Set<() => void>();
  return {
    async wait(keyId, enter, client) {
      const ended = new AbortController();
      const end = () => ended.abort();
      let isIn = false;
      const tryToEnter = () => {
        if (isIn || !enter()) return;
        isIn = true;
        end();
      };
      waiting.add(tryToEnter);
      client.addEventListener('abort', end, { once: true });
      await wait(paceOf(keyId), ended.signal);
      client.removeEventListener('abort', end);
      waiting.delete(tryToEnter);
      return isIn;
    },
    letIn() {
      for (const tryToEnter of waiting) tryToEnter();
    },
  };
};
