// Work that nobody waits for yet, and that would keep whoever waits for the thread: it begins when the thread rests.
import { performance } from 'node:perf_hooks';

export interface LookOptions {
  /** The length of a look at the thread. */
  readonly lookMs?: number;
  /** After so many looks the work begins whether the thread rests or not. */
  readonly mostLooks?: number;
}

/** The largest share of busy time of a thread that rests. */
const AT_REST = 0.05;

/** Begins once the calling thread has rested for a second, or after ten. The result ends the wait. */
export const whenAtRest = (
  work: () => void,
  { lookMs = 1000, mostLooks = 10 }: LookOptions = {},
): (() => void) => {
  let before = performance.eventLoopUtilization();
  let looks = 0;
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    looks += 1;
    if (utilization > AT_REST && looks < mostLooks) return;
    clearInterval(looking);
    work();
  }, lookMs).unref();
  return () => clearInterval(looking);
};
