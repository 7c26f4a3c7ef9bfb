// V8 lets garbage lie as long as there is room for more of it: after an import hundreds of megabytes. A thread that rests
// collects them, and the system has its memory back.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** Busy for less than this share of the time: nobody waits while it collects. */
const AT_REST = 0.02;
/** Collecting takes a few hundredths of a second: not for less than this. */
const WORTH_BYTES = 16 * 2 ** 20;

type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void;

/** Without this flavour the emptied pages would be kept for later. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  return () => collect({ type: 'major', flavor: 'last-resort' });
};

const heldBytes = (): number => {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
};

/** From now on, of the thread that calls this. */
export const giveBackAtRest = (collect = collector(), lookMs = LOOK_MS): NodeJS.Timeout => {
  let before = performance.eventLoopUtilization();
  let held = 0;
  return setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > AT_REST || heldBytes() - held < WORTH_BYTES) return;
    collect();
    held = heldBytes();
  }, lookMs).unref();
};
