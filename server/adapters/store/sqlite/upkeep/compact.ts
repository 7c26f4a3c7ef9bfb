// Compacting rewrites the whole database. Only this also clears the unused parts of pages: SQLite overwrites what is
// deleted from a page, and not the copies that stay behind when rows move from a full page to others.
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { entry } from '../../../../lib/threads/entry.ts';
import type { CompactionStep } from '../../ports/ingestion/erasing.ts';

export interface Compacting {
  file: string;
  /** The bytes that the copy will have, about. */
  total: number;
  report(step: CompactionStep): void;
  signal: AbortSignal | undefined;
}

const LOOK_MS = 200;

const copyOf = (file: string): string => `${file}.compact`;

/** Removes what a compaction left behind that was interrupted. */
export const removeCopy = (file: string): void => {
  const copy = copyOf(file);
  for (const each of [copy, `${copy}-journal`]) rmSync(each, { force: true });
};

const notCompacted = () => new Error('Compacting was ended early, and nothing was changed.');

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** No other connection may write meanwhile; reading goes on. Until the last moment an abort changes nothing. */
export const compactFile = async ({ file, total, report, signal }: Compacting): Promise<void> => {
  if (signal?.aborted) throw notCompacted();
  removeCopy(file);
  const copy = copyOf(file);
  const worker = new Worker(entry('./compact-thread', import.meta.url), { workerData: { file, copy } });
  let copying = true;
  const look = setInterval(() => {
    if (copying) report({ step: 'copying', done: Math.min(sizeOf(copy), total), total });
  }, LOOK_MS);
  const end = () => {
    if (copying) void worker.terminate();
  };
  signal?.addEventListener('abort', end);
  worker.on('message', (step: CompactionStep) => {
    copying = false;
    report(step);
  });
  try {
    const [code] = await once(worker, 'exit');
    if (code !== 0) throw notCompacted();
  } finally {
    clearInterval(look);
    signal?.removeEventListener('abort', end);
    removeCopy(file);
  }
};
