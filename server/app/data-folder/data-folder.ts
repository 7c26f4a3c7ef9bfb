// The data folder: one process at a time holds its lock, and run.json tells other processes its address.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { conflict, noRoom, unavailable } from '../../core/errors.ts';
import { VERSION } from '../../core/version.ts';
import { codeOf, messageOf } from '../../lib/failures.ts';
import { storageFault } from '../../lib/faults/storage-fault.ts';
import { keepPrivate } from './private-files.ts';

const runInfo = z.object({
  /** Null: the process that holds the folder does not listen, or not yet. */
  url: z.string().nullable(),
  pid: z.int(),
  /** A key with full access, valid until the process ends. */
  token: z.string(),
  startedAt: z.string(),
  version: z.string(),
});

export type RunInfo = z.output<typeof runInfo>;

export interface DataFolder {
  /** Absolute. */
  readonly dir: string;
  /** The key of this process for commands of the same user on the same machine. */
  readonly token: string;
  /** A warning for the owner about its rights. */
  readonly warnings: readonly string[];
  /** Writes the address of the server for commands. */
  announce(url: string): void;
  /** Releases the folder for the next process. */
  close(): void;
}

export const databaseFile = (dataDir: string): string => join(dataDir, 'memoir.db');

const LOCK = 'lock.db';
const RUN = 'run.json';

/** Checking whether the folder is free locks it for an instant, so an opening process waits this long. */
const LOCK_WAIT_MS = 500;

const SQLITE_BUSY = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

// --- the lock --------------------------------------------------------------------------------------

/**
 * The lock is a transaction that stays open. It ends with the process even after a crash, so there are
 * no stale locks. Null: another process holds it.
 */
const tryLock = (dir: string, begin: string, waitMs: number): DatabaseSync | null => {
  const db = new DatabaseSync(join(dir, LOCK), { timeout: waitMs });
  try {
    // Nothing is ever written, so no journal file is needed.
    db.exec(`pragma journal_mode = memory; ${begin}`);
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
};

const isHeld = (dir: string): boolean => {
  if (!isDataFolder(dir)) return false;
  const look = tryLock(dir, 'begin; select count(*) from sqlite_schema', 0);
  look?.close();
  return look === null;
};

/** True: Memoir has used this folder before. */
export const isDataFolder = (dir: string): boolean => existsSync(join(dir, LOCK));

// --- run.json --------------------------------------------------------------------------------------

const readRunFile = (dir: string): RunInfo | null => {
  try {
    const read = runInfo.safeParse(JSON.parse(readFileSync(join(dir, RUN), 'utf8')));
    return read.success ? read.data : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Renamed into place, so that no reader sees half of it. Only the holder of the lock writes. */
const writeRunFile = (dir: string, info: RunInfo): void => {
  const draft = join(dir, `${RUN}.new`);
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, join(dir, RUN));
};

/** The process that holds the folder; null: no process does, even if a run.json from an earlier boot exists. */
export const readRun = (dir: string): RunInfo | null => {
  return isHeld(dir) ? readRunFile(dir) : null;
};

// --- the folder ------------------------------------------------------------------------------------

const holderOfLock = (dir: string): string => {
  const run = readRunFile(dir);
  if (run === null) return 'another Memoir process';
  const what = run.url === null ? 'another Memoir command' : `the Memoir server at ${run.url}`;
  return `${what} (process ${run.pid})`;
};

const folderInUse = (dir: string): Error =>
  conflict(
    `The data folder ${dir} is in use by ${holderOfLock(dir)}. Use that process, stop it, or choose another folder with MEMOIR_DATA_DIR.`,
  );

const folderUnusable = (dir: string, cause: unknown): Error =>
  storageFault(cause) === 'full'
    ? noRoom(
        `The disk is full: ${join(dir, RUN)} could not be written (${messageOf(cause)}). Free some disk space, then start again.`,
        { cause },
      )
    : unavailable(
        `The data folder ${dir} cannot be used: ${messageOf(cause)}. Give this user write permission, or choose another folder with MEMOIR_DATA_DIR.`,
        { cause },
      );

const lockDataFolder = (dir: string): DatabaseSync => {
  let held: DatabaseSync | null;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    held = tryLock(dir, 'begin exclusive', LOCK_WAIT_MS);
  } catch (cause) {
    throw folderUnusable(dir, cause);
  }
  if (held === null) throw folderInUse(dir);
  return held;
};

/** Creates the folder if it is missing and locks it; throws a 409 if another process holds it. */
export const openDataFolder = (folder: string): DataFolder => {
  const dir = resolve(folder);
  const held = lockDataFolder(dir);
  const warnings = keepPrivate(dir);
  const boot = {
    pid: process.pid,
    token: randomBytes(32).toString('base64url'),
    startedAt: new Date().toISOString(),
    version: VERSION,
  };
  const announce = (url: string | null) => writeRunFile(dir, { url, ...boot });
  try {
    announce(null);
  } catch (cause) {
    held.close();
    throw folderUnusable(dir, cause);
  }
  return {
    dir,
    token: boot.token,
    warnings,
    announce,
    close() {
      if (!held.isOpen) return;
      rmSync(join(dir, RUN), { force: true });
      held.close();
    },
  };
};
