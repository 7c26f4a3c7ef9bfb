// The one writer: callers queue up, one transaction serves them all, each in its own savepoint,
// and everybody is answered after the one commit.
import type { Db } from '../tables.ts';
import { type Connection, rollbackQuietly } from './connection.ts';

export type Work<T> = (tx: Db) => Promise<T>;

/**
 * Requests go ahead of ingestion: somebody is waiting for them. What is `repeatable` does not wait for the disk: lost in
 * a power cut, it is done again. The next commit takes it along to the disk, and one does at least ten times a second.
 */
export type Priority = 'request' | 'ingest' | 'repeatable';

export interface Writer {
  write<T>(work: Work<T>, priority?: Priority): Promise<T>;
  /** Several requests waited at once, a moment ago: whoever can make its work smaller should. */
  crowded(): boolean;
  /** Resolves when nothing is queued. */
  idle(): Promise<void>;
}

interface Job {
  priority: Priority;
  run: (tx: Db) => Promise<void>;
  settle: (commitError?: unknown) => void;
}

const REQUESTS_PER_COMMIT = 256;
const CROWD = 4;
const MOMENT_MS = 50;
const UNSYNCED_MS = 100;

const job = <T>(
  work: Work<T>,
  priority: Priority,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Job => {
  let outcome: { ok: true; value: T } | { ok: false; error: unknown } | undefined;
  return {
    priority,
    async run(tx) {
      outcome = { ok: true, value: await work(tx) };
    },
    settle(commitError) {
      if (commitError !== undefined) reject(commitError);
      else if (outcome?.ok) resolve(outcome.value);
    },
  };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const createWriter = (
  connection: Connection,
  db: Db,
  options: { groupCommit?: boolean; now?: () => number } = {},
): Writer => {
  const requests: Job[] = [];
  const ingests: Job[] = [];
  const grouped = options.groupCommit ?? true;
  const now = options.now ?? (() => performance.now());
  let running: Promise<void> | null = null;
  let crowdSeen = Number.NEGATIVE_INFINITY;
  let synced = Number.NEGATIVE_INFINITY;

  /** A job that fails takes back its own savepoint and nobody else's; a lone job is its own transaction. */
  const runInSavepoint = async (each: Job): Promise<Job | null> => {
    connection.exec('savepoint job');
    try {
      await each.run(db);
      connection.exec('release job');
      return each;
    } catch (error) {
      each.settle(error);
      connection.exec('rollback to job');
      connection.exec('release job');
      return null;
    }
  };

  const runEach = async (jobs: readonly Job[]): Promise<Job[]> => {
    const [only, ...others] = jobs;
    if (only && others.length === 0) {
      await only.run(db);
      return [only];
    }
    const done: Job[] = [];
    for (const each of jobs) {
      const finished = await runInSavepoint(each);
      if (finished) done.push(finished);
    }
    return done;
  };

  const commit = async (jobs: readonly Job[]): Promise<void> => {
    let done: Job[];
    try {
      connection.exec('begin immediate');
      done = await runEach(jobs);
      connection.exec('commit');
    } catch (error) {
      for (const each of jobs) each.settle(error);
      rollbackQuietly(connection);
      return;
    }
    for (const each of done) each.settle();
  };

  const takeRequests = (): Job[] => {
    const waiting = requests.splice(0, REQUESTS_PER_COMMIT);
    if (waiting.length >= CROWD) crowdSeen = now();
    return waiting;
  };

  const commitSynced = (jobs: readonly Job[]): Promise<void> => {
    synced = now();
    return commit(jobs);
  };

  const commitUnsynced = async (jobs: readonly Job[]): Promise<void> => {
    connection.exec('pragma synchronous = normal');
    try {
      await commit(jobs);
    } finally {
      connection.exec('pragma synchronous = full');
    }
  };

  const commitRequests = async (waiting: readonly Job[]): Promise<void> => {
    if (grouped && waiting.length > 0) await commitSynced(waiting);
    else for (const each of waiting) await commitSynced([each]);
  };

  const commitIngest = (next: Job): Promise<void> =>
    next.priority === 'repeatable' && now() - synced < UNSYNCED_MS
      ? commitUnsynced([next])
      : commitSynced([next]);

  const drain = async (): Promise<void> => {
    while (requests.length > 0 || ingests.length > 0) {
      await commitRequests(takeRequests());
      const next = ingests.shift();
      if (next) await commitIngest(next);
      await nextTurn();
    }
  };

  const start = (): void => {
    running ??= nextTurn()
      .then(drain)
      .finally(() => {
        running = null;
        if (requests.length > 0 || ingests.length > 0) start();
      });
  };

  return {
    write: (work, priority = 'request') =>
      new Promise((resolve, reject) => {
        (priority === 'request' ? requests : ingests).push(job(work, priority, resolve, reject));
        start();
      }),
    crowded: () => now() - crowdSeen < MOMENT_MS,
    async idle() {
      while (running) await running;
    },
  };
};
