// How much memory a process really holds: on Linux also what lies outside the JavaScript heap.
import { readFileSync } from 'node:fs';

/** Megabytes; null where the system does not say, or the process is gone. */
export function residentMb(pid: number): number | null {
  const pages = pagesOf(String(pid));
  return pages === null ? null : (pages * pageBytes()) / 1_048_576;
}

function pagesOf(process: string): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${process}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) && pages > 0 ? pages : null;
  } catch {
    // Not Linux, or the process has just ended: then the other limits hold.
    return null;
  }
}

let known: number | undefined;

/** Pages have 4 KB on most machines and 16 or 64 on others: told by our own size, counted in both. */
function pageBytes(): number {
  known ??= 2 ** Math.round(Math.log2(process.memoryUsage.rss() / (pagesOf('self') ?? Number.NaN)));
  return known;
}
