// Returns free memory to the system. V8 keeps garbage while there is room: hundreds of megabytes after an import. An idle
// thread collects it here, and a busy one lets its heap grow to twice of what lives, not to four times.
import { performance } from 'node:perf_hooks';
import { runInNewContext } from 'node:vm';
import { setHeapOptions } from './heap-options.ts';

const LOOK_MS = 5_000;
/** Up to this share of busy time no caller waits for the collection. */
const AT_REST = 0.02;
/** A collection takes a few hundredths of a second and must free at least this much. */
const WORTH_BYTES = 16 * 2 ** 20;
/** Up to this share of busy time few callers wait for a collection; it is worth that for this much. */
const A_LITTLE_BUSY = 0.1;
const WORTH_A_WAIT_BYTES = 64 * 2 ** 20;

type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void;

/** Any other flavour of collection would keep the empty pages. */
const collector = (): (() => void) => {
  setHeapOptions();
  const collect: Collect = runInNewContext('gc');
  return () => collect({ type: 'major', flavor: 'last-resort' });
};

const heldBytes = (): number => {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
};

/** Memory of the thread that V8 does not know. */
const caches = new Set<() => void>();

/** `release` is called when the thread rests after work. The result ends this. */
export const releaseAtRest = (release: () => void): (() => void) => {
  caches.add(release);
  return () => void caches.delete(release);
};

export interface ReturnOptions {
  /** The largest share of busy time of a thread that rests. Default: 2 %. */
  readonly busyAtMost?: number;
  readonly collect?: () => void;
  readonly lookMs?: number;
}

/** Starts for the calling thread. */
export const giveBackAtRest = ({
  busyAtMost = AT_REST,
  collect = collector(),
  lookMs = LOOK_MS,
}: ReturnOptions = {}): NodeJS.Timeout => {
  let before = performance.eventLoopUtilization();
  let held = 0;
  let hasWorked = true;
  return setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const rests = utilization <= busyAtMost;
    if (rests && hasWorked) for (const release of caches) release();
    hasWorked = !rests;
    const worth = rests ? WORTH_BYTES : WORTH_A_WAIT_BYTES;
    if (utilization > Math.max(busyAtMost, A_LITTLE_BUSY) || heldBytes() - held < worth) return;
    collect();
    held = heldBytes();
  }, lookMs).unref();
};
