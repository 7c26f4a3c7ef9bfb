// Builds the library that slows fsync down; where there is no C compiler, says so.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const source = join(import.meta.dirname, 'slow-fsync.c');

/** The environment of a process whose every fsync takes so much longer; null where it cannot be had. */
export const slowFsyncEnv = (folder: string, milliseconds: number): Record<string, string> | null => {
  const library = join(folder, 'slow-fsync.so');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'pipe' });
  } catch {
    return null;
  }
  return { LD_PRELOAD: library, FSYNC_MICROSECONDS: String(milliseconds * 1000) };
};
