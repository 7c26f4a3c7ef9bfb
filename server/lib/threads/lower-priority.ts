// Lowers the priority of a thread or of a process, so that others run first when the processor is busy. Of a thread on Linux
// alone, where each has its own.
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Under load, other threads get three times as much processor time as this one. */
const ASIDE = 5;
const LOWEST_PRIORITY = 19;

/** The number of the calling thread for the system; null: it has no priority of its own. */
export const threadNumber = (): number | null =>
  process.platform === 'linux' ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : null;

const lowerPriority = (thread: number): void =>
  setPriority(thread, Math.min(LOWEST_PRIORITY, getPriority(thread) + ASIDE));

/** For a process that was started just now, and for all threads that it starts. It runs as before where the system refuses. */
export const letProcessStepAside = ({ pid }: { readonly pid?: number | undefined }): void => {
  if (pid === undefined) return;
  try {
    lowerPriority(pid);
  } catch {
    // The process may have ended by now; whoever started it learns that from the process.
  }
};

/** For the calling thread, for good. `trouble`: the system refused. */
export const stepAside = (trouble: (error: unknown) => void): void => {
  try {
    const thread = threadNumber();
    if (thread !== null) lowerPriority(thread);
  } catch (error) {
    trouble(error);
  }
};

/**
 * For another thread, until the result is called; that answers false if the system does not let the priority rise again.
 * Null: nothing was changed.
 */
export const letStepAside = (thread: number | null): (() => boolean) | null => {
  if (thread === null) return null;
  try {
    const before = getPriority(thread);
    lowerPriority(thread);
    return () => {
      try {
        setPriority(thread, before);
        return true;
      } catch {
        return false;
      }
    };
  } catch {
    return null;
  }
};
