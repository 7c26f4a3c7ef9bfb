// Repeats a write until the disk has room for it: a full disk is no fault of what is written.
import { storageFault } from '../faults/storage-fault.ts';
import { pause } from './wait.ts';

const LOOK_MS = 10_000;

/** Rejects with any other error, and with that of the full disk once the signal is aborted. */
export const whenRoom = async <T>(
  write: () => Promise<T>,
  signal: AbortSignal,
  lookMs = LOOK_MS,
): Promise<T> => {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (storageFault(error) !== 'full') throw error;
      await pause(lookMs, signal);
      if (signal.aborted) throw error;
    }
  }
};
