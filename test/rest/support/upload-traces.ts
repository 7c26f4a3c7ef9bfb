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

  const until = async (isSo: () => boolean): Promise<void> => {
    for (let left = 40; left > 0 && !isSo(); left--) await sleep(25);
  };

  /** What is left of something that was refused is cleared away in a moment, and must not be there after it. */
  const leavesNothing = async <T>(work: () => Promise<T>): Promise<T> => {
    await until(() => !kept().some((name) => name.startsWith('incoming')));
    const [files, documents] = [kept(), await count()];
    const result = await work();
    await until(() => kept().length === files.length);
    expect([kept().sort(), await count()]).toEqual([files.sort(), documents]);
    return result;
  };

  return { leavesNothing };
};
