// The one writer: callers queue up, and one transaction at a time serves those that wait.
import { statSync } from 'node:fs';
import { nextTurn } from '../../../lib/async/wait.ts';
import type { Priority, Writer } from '../engine/writer.ts';
import type { Db } from '../tables/tables.ts';
import type { SqliteConnection } from './connection.ts';
import { commitJobs, commitUnsynced, createWriteJob, type WriteJob } from './group-commit.ts';

export interface SqliteWriter extends Writer {
  /** Resolves when nothing is queued. */
  idle(): Promise<void>;
  /** Runs this between two commits; later writes wait until it has ended. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

const REQUESTS_PER_COMMIT = 256;
/** The work of one transaction: whatever comes meanwhile waits for its end. */
const COMMIT_MS = 10;
const CROWD = 4;
const MOMENT_MS = 50;
const UNSYNCED_MS = 100;

interface WriteQueue {
  readonly connection: SqliteConnection;
  readonly db: Db;
  readonly grouped: boolean;
  readonly now: () => number;
  /** Changes of keys and grants. */
  readonly access: WriteJob[];
  /** Told the outcome of every commit; null: it was stored. */
  readonly wrote: (error: unknown) => void;
  readonly requests: WriteJob[];
  readonly ingests: WriteJob[];
  readonly pauses: (() => Promise<void>)[];
  /** Throws where nothing may be stored any more. */
  readonly checkPlace: () => void;
  running: Promise<void> | null;
  crowdSeen: number;
  /** The changes of the connection when the last commit failed; null: it was stored. */
  changesAtFailure: number | null;
  /** The last time at which a commit waited for the disk. */
  synced: number;
}

const takeRequests = (queue: WriteQueue): WriteJob[] => {
  const waiting = queue.requests.splice(0, queue.grouped ? REQUESTS_PER_COMMIT : 1);
  if (waiting.length >= CROWD) queue.crowdSeen = queue.now();
  return waiting;
};

const totalChanges = (connection: SqliteConnection): number =>
  Number(connection.prepare('select total_changes() as total').all([])[0]?.total);

/** After a failure, a commit that changed nothing does not say that the disk takes data again. */
const reportOutcome = (queue: WriteQueue, error: unknown): void => {
  const changes = error === null && queue.changesAtFailure === null ? null : totalChanges(queue.connection);
  if (error === null && changes !== null && changes === queue.changesAtFailure) return;
  queue.changesAtFailure = error === null ? null : changes;
  queue.wrote(error);
};

/** True: the file is not where it was opened, and the jobs were told so. */
const refusedAtPlace = (queue: WriteQueue, jobs: readonly WriteJob[]): boolean => {
  try {
    queue.checkPlace();
    return false;
  } catch (error) {
    for (const job of jobs) job.settle(error);
    queue.wrote(error);
    return true;
  }
};

/** Returns the jobs that had no time. */
const commitSynced = async (queue: WriteQueue, jobs: readonly WriteJob[]): Promise<readonly WriteJob[]> => {
  const begun = queue.now();
  queue.synced = begun;
  if (refusedAtPlace(queue, jobs)) return [];
  const isTimeUp = () => queue.now() - begun > COMMIT_MS;
  const { left, error } = await commitJobs(queue.connection, queue.db, jobs, isTimeUp);
  reportOutcome(queue, error);
  return left;
};

const commitRepeatable = async (queue: WriteQueue, job: WriteJob): Promise<void> => {
  if (refusedAtPlace(queue, [job])) return;
  const { error } = await commitUnsynced(queue.connection, queue.db, job);
  reportOutcome(queue, error);
};

const commitIngest = async (queue: WriteQueue, next: WriteJob): Promise<void> => {
  if (next.priority === 'repeatable' && queue.now() - queue.synced < UNSYNCED_MS)
    await commitRepeatable(queue, next);
  else await commitSynced(queue, [next]);
};

const isQueued = ({ access, requests, ingests, pauses }: WriteQueue): boolean =>
  access.length > 0 || requests.length > 0 || ingests.length > 0 || pauses.length > 0;

/** Lets messages in, and runs the changes of keys and grants among them before anything else. */
const letAccessPass = async (queue: WriteQueue): Promise<void> => {
  await nextTurn();
  if (queue.access.length > 0) {
    const waiting = queue.access.splice(0, queue.grouped ? REQUESTS_PER_COMMIT : 1);
    queue.access.unshift(...(await commitSynced(queue, waiting)));
  }
};

const drainQueue = async (queue: WriteQueue): Promise<void> => {
  while (isQueued(queue)) {
    await letAccessPass(queue);
    for (const pause of queue.pauses.splice(0)) await pause();
    const waiting = takeRequests(queue);
    if (waiting.length > 0) {
      queue.requests.unshift(...(await commitSynced(queue, waiting)));
      await letAccessPass(queue);
    }
    const next = queue.ingests.shift();
    if (next) await commitIngest(queue, next);
  }
};

const startDraining = (queue: WriteQueue): void => {
  queue.running ??= drainQueue(queue).finally(() => {
    queue.running = null;
    if (isQueued(queue)) startDraining(queue);
  });
};

const laneOf = (queue: WriteQueue, priority: Priority): WriteJob[] => {
  if (priority === 'access') return queue.access;
  return priority === 'request' ? queue.requests : queue.ingests;
};

/** Null: there is no such file. */
const fileNumber = (file: string): bigint | null =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/**
 * Throws once the path leads to another file than now, or to none. SQLite goes on writing into a file that was moved or
 * removed, so acknowledged content would be lost with the process that has it open.
 */
export const createPlaceCheck = (file: string): (() => void) => {
  const opened = fileNumber(file);
  return () => {
    if (fileNumber(file) !== opened)
      throw new Error(`The database file ${file} was moved, removed or replaced, so nothing was stored.`);
  };
};

export interface WriterOptions {
  groupCommit?: boolean;
  now?: () => number;
  wrote?: (error: unknown) => void;
  checkPlace?: () => void;
}

export const createWriter = (
  connection: SqliteConnection,
  db: Db,
  options: WriterOptions = {},
): SqliteWriter => {
  const queue: WriteQueue = {
    connection,
    db,
    grouped: options.groupCommit ?? true,
    now: options.now ?? (() => performance.now()),
    access: [],
    wrote: options.wrote ?? (() => undefined),
    requests: [],
    ingests: [],
    pauses: [],
    checkPlace: options.checkPlace ?? (() => undefined),
    running: null,
    changesAtFailure: null,
    crowdSeen: Number.NEGATIVE_INFINITY,
    synced: Number.NEGATIVE_INFINITY,
  };
  const write: Writer['write'] = (work, priority = 'request') =>
    new Promise((resolve, reject) => {
      laneOf(queue, priority).push(createWriteJob(work, priority, resolve, reject));
      startDraining(queue);
    });
  return {
    write,
    // One at a time anyway.
    together: write,
    pause: (work) =>
      new Promise((resolve, reject) => {
        queue.pauses.push(() => work().then(resolve, reject));
        startDraining(queue);
      }),
    crowded: () => queue.now() - queue.crowdSeen < MOMENT_MS,
    async idle() {
      while (queue.running) await queue.running;
    },
  };
};
