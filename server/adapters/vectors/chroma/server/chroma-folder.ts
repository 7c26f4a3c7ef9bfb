// Allows one Chroma per folder, and removes the files of dropped collections.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause } from '../../../../lib/async/wait.ts';

export interface FolderLock {
  release(): void;
}

const POLL_MS = 25;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Next to the folder and not in it, so that deleting the folder cannot admit a second server. */
const lockFile = (folder: string): string =>
  join(dirname(resolve(folder)), `${basename(resolve(folder))}.lock.db`);

class FolderLockedError extends Error {
  constructor(folder: string, waitedMs: number, cause: unknown) {
    super(
      `Another process already runs a Chroma on ${folder} and did not leave it within ${waitedMs} ms. ` +
        'Stop the other server, or give this one a data folder of its own.',
      { cause },
    );
    this.name = 'FolderLockedError';
  }
}

const isDatabaseLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (error.errcode === 5 || error.errcode === 261);

/** A database lock and not a pid file, because the system frees it as soon as its owner ends. */
export const lockFolder = async (folder: string, waitMs: number): Promise<FolderLock> => {
  const db = new DatabaseSync(lockFile(folder), { timeout: 0 });
  const until = Date.now() + waitMs;
  for (;;) {
    try {
      db.exec('BEGIN EXCLUSIVE');
      return { release: () => db.close() };
    } catch (error) {
      if (isDatabaseLocked(error) && Date.now() < until) {
        await pause(POLL_MS);
        continue;
      }
      db.close();
      throw isDatabaseLocked(error) ? new FolderLockedError(folder, waitMs, error) : error;
    }
  }
};

/** Runs under the lock, so that a folder in use by another server is never emptied. */
export const emptyChromaFolder = async (folder: string, waitMs: number): Promise<void> => {
  const lock = await lockFolder(folder, waitMs);
  try {
    await rm(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
};

const segmentIds = (file: string): Set<string> | null => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const ids = db
      .prepare('SELECT id FROM segments')
      .all()
      .map((row) => row.id);
    const known = ids.filter((id) => typeof id === 'string').filter((id) => UUID.test(id));
    return known.length === ids.length ? new Set(known) : null;
  } finally {
    db.close();
  }
};

/**
 * Chroma forgets a dropped collection but leaves its index on the disk for ever. Only to be called under the
 * lock and before Chroma starts; unexpected files are left alone. Returns the number of removed ones.
 */
export const sweepFolder = (folder: string): number => {
  const file = join(folder, 'chroma.sqlite3');
  if (!existsSync(file)) return 0;
  const known = segmentIds(file);
  if (known === null) return 0;
  const orphans = readdirSync(folder, { withFileTypes: true }).filter(
    (item) => item.isDirectory() && UUID.test(item.name) && !known.has(item.name),
  );
  for (const orphan of orphans) rmSync(join(folder, orphan.name), { recursive: true });
  return orphans.length;
};
