// The processor time that a process has used, which other work on a busy machine does not lengthen.
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the clock of the machine. */
const TICK_MS = 10;
/** Behind the name of the program, which may contain spaces. */
const USER = 11;
const SYSTEM = 12;

/** Milliseconds; null where the system does not report it, or the process has ended. */
export const processorMs = (pid: number): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER]) + Number(fields[SYSTEM]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    // Not Linux, or the process has just ended: the other limits hold.
    return null;
  }
};
