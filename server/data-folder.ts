// The data folder: one process at a time holds it, and tells the others through run.json where it answers.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { conflict, unavailable } from './errors.ts';
import { VERSION } from './version.ts';

const runInfo = z.object({
  /** Null: whoever holds the folder does not listen (yet). */
  url: z.string().nullable(),
  pid: z.int(),
  /** Opens everything, until the process ends. */
  token: z.string(),
  startedAt: z.string(),
  version: z.string(),
});

export type RunInfo = z.output<typeof runInfo>;

export interface DataFolder {
  /** Absolute. */
  readonly dir: string;
  /** The key of this boot for commands on the same machine, by the same user. */
  readonly token: string;
  /** From now on commands find the server at `url`. */
  announce(url: string): void;
  /** Free for the next process. */
  close(): void;
}

const LOCK = 'lock.db';
const RUN = 'run.json';

/** Somebody who only looks whether the folder is free holds it for an instant; whoever opens it waits so long. */
const PATIENCE_MS = 500;

const SQLITE_BUSY = 5;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

// --- the lock --------------------------------------------------------------------------------------

/**
 * A transaction that stays open. The system ends it with the process, however that dies, so there are
 * no stale locks to clean up. Null: somebody else holds it.
 */
function tryLock(dir: string, begin: string, patienceMs: number): DatabaseSync | null {
  const db = new DatabaseSync(join(dir, LOCK), { timeout: patienceMs });
  try {
    // Nothing is ever written, so no journal needs to lie beside it.
    db.exec(`pragma journal_mode = memory; ${begin}`);
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

function isHeld(dir: string): boolean {
  if (!isDataFolder(dir)) return false;
  const look = tryLock(dir, 'begin; select count(*) from sqlite_schema', 0);
  look?.close();
  return look === null;
}

/** Whether a Memoir has ever been here. */
export const isDataFolder = (dir: string): boolean => existsSync(join(dir, LOCK));

// --- run.json --------------------------------------------------------------------------------------

function readRunFile(dir: string): RunInfo | null {
  try {
    const read = runInfo.safeParse(JSON.parse(readFileSync(join(dir, RUN), 'utf8')));
    return read.success ? read.data : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Renamed into place, so that nobody reads half of it; only the holder of the lock writes. */
function writeRunFile(dir: string, info: RunInfo): void {
  const draft = join(dir, `${RUN}.new`);
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, join(dir, RUN));
}

/** The process that holds the folder now; null: nobody does, whatever a file from an earlier boot says. */
export function readRun(dir: string): RunInfo | null {
  return isHeld(dir) ? readRunFile(dir) : null;
}

// --- the folder ------------------------------------------------------------------------------------

function holderOf(dir: string): string {
  const run = readRunFile(dir);
  if (run === null) return 'another Memoir process';
  const what = run.url === null ? 'another Memoir command' : `the Memoir server at ${run.url}`;
  return `${what} (process ${run.pid})`;
}

const inUse = (dir: string): Error =>
  conflict(
    `The data folder ${dir} is in use by ${holderOf(dir)}. Use that one, stop it, or name another folder with MEMOIR_DATA_DIR.`,
  );

const unusable = (dir: string, cause: unknown): Error => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return unavailable(
    `The data folder ${dir} cannot be used: ${why}. Give this user the right to write there, or name another folder with MEMOIR_DATA_DIR.`,
    { cause },
  );
};

function lock(dir: string): DatabaseSync {
  let held: DatabaseSync | null;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    held = tryLock(dir, 'begin exclusive', PATIENCE_MS);
  } catch (cause) {
    throw unusable(dir, cause);
  }
  if (held === null) throw inUse(dir);
  return held;
}

/** Makes the folder where it is missing and holds it; a 409 with a sentence when another process does. */
export function openDataFolder(folder: string): DataFolder {
  const dir = resolve(folder);
  const held = lock(dir);
  const boot = {
    pid: process.pid,
    token: randomBytes(32).toString('base64url'),
    startedAt: new Date().toISOString(),
    version: VERSION,
  };
  const announce = (url: string | null) => writeRunFile(dir, { url, ...boot });
  announce(null);
  return {
    dir,
    token: boot.token,
    announce,
    close() {
      if (!held.isOpen) return;
      rmSync(join(dir, RUN), { force: true });
      held.close();
    },
  };
}
