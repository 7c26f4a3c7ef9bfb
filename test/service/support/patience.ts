// Waiting for what has to come about, and doing something over and over until it is told to end.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** How many milliseconds it took until it held. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<number> => {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > withinMs) throw new Error(`Waited ${withinMs} ms in vain for ${what}.`);
    await sleep(POLL_MS);
  }
  return performance.now() - began;
};

export interface Repeated<T> {
  /** What came of each time so far. */
  readonly results: readonly T[];
  /** Ends it after the time that is under way; throws what any of them threw. */
  end(): Promise<readonly T[]>;
}

/** So many at once, each again as soon as it is over. */
export const repeat = <T>(work: (turn: number) => Promise<T>, atOnce = 1, pauseMs = 0): Repeated<T> => {
  const results: T[] = [];
  let turn = 0;
  let ending = false;
  const one = async (): Promise<void> => {
    while (!ending) {
      results.push(await work(turn++));
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, one));
  // Thrown where it is waited for, and no unhandled rejection before.
  all.catch(() => undefined);
  return {
    results,
    async end() {
      ending = true;
      await all;
      return results;
    },
  };
};
