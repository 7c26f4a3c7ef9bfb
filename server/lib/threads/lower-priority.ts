// Lowers the priority of the calling thread, so that others run first when the processor is busy.
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Under load, other threads get three times as much processor time as this one. */
const ASIDE = 5;
const LOWEST_PRIORITY = 19;

/** Works on Linux, where each thread has its own priority; has no effect elsewhere. `trouble`: the system refused. */
export const stepAside = (trouble: (error: unknown) => void): void => {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(LOWEST_PRIORITY, getPriority(thread) + ASIDE));
  } catch (error) {
    trouble(error);
  }
};
