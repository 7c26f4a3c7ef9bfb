// Traces of uploads in the data folder and in the list of documents.
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { useMemoir } from './use-memoir.ts';

export const watchUploads = (api: ReturnType<typeof useMemoir>) => {
  /** Every file that lies in the data folder for uploads. */
  const kept = (): string[] => {
    const folder = join(api.memoir.dir, 'files');
    return existsSync(folder)
      ? globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile())
      : [];
  };

  const count = async (): Promise<number> => (await api.list({ limit: 1 })).pagination.totalItems;

  /** Traces of a refused upload may still come, and are cleared away in a moment. */
  const inAMoment = (holds: () => void | Promise<void>): Promise<void> =>
    vi.waitFor(holds, { timeout: 10_000, interval: 25 });

  const leavesNothing = async <T>(work: () => Promise<T>): Promise<T> => {
    await inAMoment(() => expect(kept().filter((name) => name.startsWith('incoming'))).toEqual([]));
    const before = [kept().sort(), await count()];
    const result = await work();
    await inAMoment(async () => expect([kept().sort(), await count()]).toEqual(before));
    return result;
  };

  return { leavesNothing };
};
