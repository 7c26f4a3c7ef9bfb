// The one place where tests wait: for a condition, for the clock, or for time that has to pass, with the reason.
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

const POLL_MS = 15;

/** The clock as it was at the start: a test that replaces `performance.now` does not shorten the wait. */
const now = performance.now.bind(performance);

/** Resolves with the milliseconds that it took until the condition held; fails when it never does, with what was `seen` last. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
  seen?: () => string,
): Promise<number> => {
  const began = now();
  while (!(await holds())) {
    if (now() - began > withinMs)
      throw new Error(`Waited ${withinMs} ms in vain for ${what}.${seen ? ` Seen last: ${seen()}` : ''}`);
    await sleep(POLL_MS);
  }
  return now() - began;
};

/** Resolves with what the look finds, once it finds something. */
export const found = async <T>(
  what: string,
  look: () => T | null | Promise<T | null>,
  withinMs = 60_000,
): Promise<T> => {
  let result: T | null = null;
  const holds = async () => {
    result = await look();
    return result !== null;
  };
  await until(what, holds, withinMs);
  return result as T;
};

/** Resolves when the clock of this machine has passed this time: what ends at a moment has ended by then. */
export const untilPast = async (time: number): Promise<void> => {
  await until(`the clock to pass ${new Date(time).toISOString()}`, () => Date.now() > time);
};

/** Resolves after so many turns of the event loop, which keep their order however busy the machine is. */
export const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await turn();
};

/** True: the promise is fulfilled after everything that waits had its turn. */
export const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await turn();
  return done;
};

/** For what time alone shows, or a service that is slow: the reason stands at the call. */
export const timePasses = (ms: number, _why: string): Promise<void> => sleep(ms);

/** Never resolves, and fails when the signal is aborted. */
export const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
