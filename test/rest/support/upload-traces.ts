// What uploads leave in the data folder and in the list of documents.
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
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

  /** What is left of something that was refused is cleared away in a moment, and must not be there after it. */
  const leavesNothing = async <T>(work: () => Promise<T>): Promise<T> => {
    const [files, documents] = [kept(), await count()];
    const result = await work();
    for (let left = 40; left > 0 && kept().length !== files.length; left--) await sleep(25);
    expect([kept().sort(), await count()]).toEqual([files.sort(), documents]);
    return result;
  };

  return { leavesNothing };
};
