// Builds the library that slows fsync down; without a C compiler, reports that.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const source = join(import.meta.dirname, 'slow-fsync.c');

/** The environment of a process in which every fsync takes this much longer; null if it is not available. */
export const slowFsyncEnv = (folder: string, milliseconds: number): Record<string, string> | null => {
  const library = join(folder, 'slow-fsync.so');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'pipe' });
  } catch {
    return null;
  }
  return { LD_PRELOAD: library, FSYNC_MICROSECONDS: String(milliseconds * 1000) };
};
