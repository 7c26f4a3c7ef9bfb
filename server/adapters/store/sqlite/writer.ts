// The one writer: callers queue up, and one transaction at a time serves those that wait.
import { nextTurn } from '../../../lib/async/wait.ts';
import type { Db } from '../tables/tables.ts';
import type { SqliteConnection } from './connection.ts';
import {
  commitJobs,
  commitUnsynced,
  createWriteJob,
  type Priority,
  type WriteJob,
  type WriteWork,
} from './group-commit.ts';

export interface Writer {
  write<T>(write: WriteWork<T>, priority?: Priority): Promise<T>;
  /** True: several requests waited at once a moment ago, so that background work should make its writes smaller. */
  crowded(): boolean;
  /** Resolves when nothing is queued. */
  idle(): Promise<void>;
  /** Runs this between two commits; later writes wait until it has ended. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

const REQUESTS_PER_COMMIT = 256;
const CROWD = 4;
const MOMENT_MS = 50;
const UNSYNCED_MS = 100;

interface WriteQueue {
  readonly connection: SqliteConnection;
  readonly db: Db;
  readonly grouped: boolean;
  readonly now: () => number;
  readonly requests: WriteJob[];
  readonly ingests: WriteJob[];
  readonly pauses: (() => Promise<void>)[];
  running: Promise<void> | null;
  crowdSeen: number;
  /** The last time at which a commit waited for the disk. */
  synced: number;
}

const takeRequests = (queue: WriteQueue): WriteJob[] => {
  const waiting = queue.requests.splice(0, REQUESTS_PER_COMMIT);
  if (waiting.length >= CROWD) queue.crowdSeen = queue.now();
  return waiting;
};

const commitSynced = (queue: WriteQueue, jobs: readonly WriteJob[]): Promise<void> => {
  queue.synced = queue.now();
  return commitJobs(queue.connection, queue.db, jobs);
};

const commitRequests = async (queue: WriteQueue, waiting: readonly WriteJob[]): Promise<void> => {
  if (queue.grouped && waiting.length > 0) await commitSynced(queue, waiting);
  else for (const each of waiting) await commitSynced(queue, [each]);
};

const commitIngest = (queue: WriteQueue, next: WriteJob): Promise<void> =>
  next.priority === 'repeatable' && queue.now() - queue.synced < UNSYNCED_MS
    ? commitUnsynced(queue.connection, queue.db, next)
    : commitSynced(queue, [next]);

const isQueued = ({ requests, ingests, pauses }: WriteQueue): boolean =>
  requests.length > 0 || ingests.length > 0 || pauses.length > 0;

const drainQueue = async (queue: WriteQueue): Promise<void> => {
  while (isQueued(queue)) {
    for (const pause of queue.pauses.splice(0)) await pause();
    await commitRequests(queue, takeRequests(queue));
    const next = queue.ingests.shift();
    if (next) await commitIngest(queue, next);
    await nextTurn();
  }
};

const startDraining = (queue: WriteQueue): void => {
  queue.running ??= nextTurn()
    .then(() => drainQueue(queue))
    .finally(() => {
      queue.running = null;
      if (isQueued(queue)) startDraining(queue);
    });
};

export const createWriter = (
  connection: SqliteConnection,
  db: Db,
  options: { groupCommit?: boolean; now?: () => number } = {},
): Writer => {
  const queue: WriteQueue = {
    connection,
    db,
    grouped: options.groupCommit ?? true,
    now: options.now ?? (() => performance.now()),
    requests: [],
    ingests: [],
    pauses: [],
    running: null,
    crowdSeen: Number.NEGATIVE_INFINITY,
    synced: Number.NEGATIVE_INFINITY,
  };
  return {
    write: (write, priority = 'request') =>
      new Promise((resolve, reject) => {
        const jobs = priority === 'request' ? queue.requests : queue.ingests;
        jobs.push(createWriteJob(write, priority, resolve, reject));
        startDraining(queue);
      }),
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
