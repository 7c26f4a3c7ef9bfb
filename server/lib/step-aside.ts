// The thread that calls this lets others go first where there is not time enough for all.
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Others get three times as much time as this thread as long as they need it. */
const ASIDE = 5;
const LOWEST_PRIORITY = 19;

/** On Linux, where each thread has a priority of its own; elsewhere nothing changes. `trouble`: the system refused. */
export const stepAside = (trouble: (error: unknown) => void): void => {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(LOWEST_PRIORITY, getPriority(thread) + ASIDE));
  } catch (error) {
    trouble(error);
  }
};
