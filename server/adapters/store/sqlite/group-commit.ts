// One transaction for several writes; every caller gets its answer after the common commit. A savepoint for each would cost
// as much as a short write, so they begin without; after a failure they run again, each in its own.
import type { Priority, WriteWork } from '../engine/writer.ts';
import type { Db } from '../tables/tables.ts';
import { rollbackQuietly, type SqliteConnection } from './connection.ts';

export interface WriteJob {
  priority: Priority;
  run: (tx: Db) => Promise<void>;
  settle: (commitError?: unknown) => void;
}

export const createWriteJob = <T>(
  write: WriteWork<T>,
  priority: Priority,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): WriteJob => {
  let outcome: { value: T } | undefined;
  return {
    priority,
    async run(tx) {
      outcome = { value: await write(tx) };
    },
    settle(commitError) {
      if (commitError !== undefined) reject(commitError);
      else if (outcome) resolve(outcome.value);
    },
  };
};

/** A failed job rolls back only its own savepoint; a single job has a transaction of its own. Null: it succeeded. */
const runInSavepoint = async (connection: SqliteConnection, db: Db, job: WriteJob): Promise<unknown> => {
  connection.exec('savepoint job');
  try {
    await job.run(db);
    connection.exec('release job');
    return null;
  } catch (error) {
    job.settle(error);
    undoSavepoint(connection, error);
    return error;
  }
};

/** A full disk may have ended the whole transaction: then the other jobs failed for the same reason. */
const undoSavepoint = (connection: SqliteConnection, reason: unknown): void => {
  try {
    connection.exec('rollback to job');
    connection.exec('release job');
  } catch {
    throw reason;
  }
};

/** True: the transaction has run long enough, and what has not begun goes to the next one. */
export type IsTimeUp = () => boolean;

export interface Committed {
  /** The jobs that had no time. */
  readonly left: readonly WriteJob[];
  /** The error of the commit or of the last job that failed; null: everything else is stored. */
  readonly error: unknown;
}

interface Ran extends Committed {
  readonly done: readonly WriteJob[];
}

/** At least one job runs. Throws the error of the first that fails. */
const runTogether = async (db: Db, jobs: readonly WriteJob[], isTimeUp: IsTimeUp): Promise<Ran> => {
  for (const [at, job] of jobs.entries()) {
    if (at > 0 && isTimeUp()) return { done: jobs.slice(0, at), left: jobs.slice(at), error: null };
    await job.run(db);
  }
  return { done: jobs, left: [], error: null };
};

/** At least one job runs. */
const runApart = async (
  connection: SqliteConnection,
  db: Db,
  jobs: readonly WriteJob[],
  isTimeUp: IsTimeUp,
): Promise<Ran> => {
  const done: WriteJob[] = [];
  let last: unknown = null;
  for (const [at, job] of jobs.entries()) {
    if (at > 0 && isTimeUp()) return { done, left: jobs.slice(at), error: last };
    const error = await runInSavepoint(connection, db, job);
    if (error === null) done.push(job);
    else last = error;
  }
  return { done, left: [], error: last };
};

/** Leaves the transaction open. */
const runAll = async (
  connection: SqliteConnection,
  db: Db,
  jobs: readonly WriteJob[],
  isTimeUp: IsTimeUp,
): Promise<Ran> => {
  connection.exec('begin immediate');
  try {
    return await runTogether(db, jobs, isTimeUp);
  } catch (error) {
    if (jobs.length === 1) throw error;
    rollbackQuietly(connection);
    connection.exec('begin immediate');
    return runApart(connection, db, jobs, isTimeUp);
  }
};

const NEVER: IsTimeUp = () => false;

export const commitJobs = async (
  connection: SqliteConnection,
  db: Db,
  jobs: readonly WriteJob[],
  isTimeUp = NEVER,
): Promise<Committed> => {
  let ran: Ran;
  try {
    ran = await runAll(connection, db, jobs, isTimeUp);
    connection.exec('commit');
  } catch (error) {
    for (const job of jobs) job.settle(error);
    rollbackQuietly(connection);
    return { left: [], error };
  }
  for (const job of ran.done) job.settle();
  return { left: ran.left, error: ran.error };
};

/** Without waiting for the disk: the next commit writes it there, at least ten times a second. */
export const commitUnsynced = async (
  connection: SqliteConnection,
  db: Db,
  job: WriteJob,
): Promise<Committed> => {
  connection.exec('pragma synchronous = normal');
  try {
    return await commitJobs(connection, db, [job]);
  } finally {
    connection.exec('pragma synchronous = full');
  }
};
