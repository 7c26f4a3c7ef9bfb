// The resident memory of a process, which on Linux includes memory outside the JavaScript heap.
import { readFileSync } from 'node:fs';

/** Megabytes; null where the system does not report it, or the process has ended. */
export const residentMb = (pid: number): number | null => {
  const pages = residentPages(String(pid));
  return pages === null ? null : (pages * pageBytes()) / 1_048_576;
};

const residentPages = (process: string): number | null => {
  try {
    const pages = Number(readFileSync(`/proc/${process}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) && pages > 0 ? pages : null;
  } catch {
    // Not Linux, or the process has just ended: the other limits hold.
    return null;
  }
};

let knownPageBytes: number | undefined;

/** Pages have 4 KB on most machines and 16 or 64 on others: computed from the size of this process in bytes and in pages. */
const pageBytes = (): number => {
  knownPageBytes ??=
    2 ** Math.round(Math.log2(process.memoryUsage.rss() / (residentPages('self') ?? Number.NaN)));
  return knownPageBytes;
};
