// Writes to PostgreSQL: each in a transaction of its own, which is repeated if a conflict or a lost connection undid it, and is
// stored once even where the answer to its commit was lost.
import type { Pool, PoolClient, QueryResult } from 'pg';
import { pause } from '../../../lib/async/wait.ts';
import type { Priority, Writer, WriteWork } from '../engine/writer.ts';
import type { Db } from '../tables/tables.ts';
import { execute, inOnePacket } from './connection.ts';
import { beginCounting, countStatements } from './counting.ts';
import { kyselyOnConnection } from './dialect.ts';
import { databaseCode, explainedFault, isDatabaseAway } from './faults.ts';
import { forgetTaken } from './numbers.ts';
import { createReceipts, isReceiptTaken, type Receipt } from './receipts.ts';

/**
 * All writes share this lock, and a write that decides by more than it locks itself takes it alone. It belongs to the
 * transaction, so that it works through a pooler.
 */
const WRITE_LOCK = 7_203_419;
/** Keys and grants have tables of their own: a key that is revoked must not wait for what others write. */
const ACCESS_LOCK = 7_203_420;

/**
 * The longest time between two statements of a write: the locks of a process that the network cut off end with it, though nobody
 * tells PostgreSQL that it is gone. A request that waits for them still has its answer in time.
 */
const IDLE_REQUEST = '4s';
/** Work in the background computes between its statements, and lets others go first on a busy machine. */
const IDLE_BACKGROUND = '10s';

/** Whatever the server is set to: a statement sees what was stored before it, not before the lock. */
const beginningOfWrite = (idle: string, lock: string): string =>
  `begin isolation level read committed; set local idle_in_transaction_session_timeout = '${idle}'; select ${lock}`;

/**
 * A write that waits to be alone makes all later writes wait. It gives way after this time and tries again, so a process that
 * the network cut off waits no longer than that either.
 */
const GIVE_WAY = '4s';
const ALONE = `set_config('lock_timeout', '${GIVE_WAY}', true), pg_advisory_xact_lock(${WRITE_LOCK}), set_config('lock_timeout', '0', true)`;
const TOGETHER = `pg_advisory_xact_lock_shared(${WRITE_LOCK})`;
/** A commit that does not wait for the disk: after a power cut its work is done again. */
const UNSYNCED = 'set local synchronous_commit = off';

interface Beginnings {
  readonly alone: string;
  readonly together: string;
}

const beginnings = (idle: string, more = ''): Beginnings => ({
  alone: beginningOfWrite(idle, ALONE) + more,
  together: beginningOfWrite(idle, TOGETHER) + more,
});

const BEGINNINGS: Readonly<Record<Exclude<Priority, 'access'>, Beginnings>> = {
  request: beginnings(IDLE_REQUEST),
  ingest: beginnings(IDLE_BACKGROUND),
  repeatable: beginnings(IDLE_BACKGROUND, `; ${UNSYNCED}`),
};
const ACCESS = beginningOfWrite(IDLE_REQUEST, `pg_advisory_xact_lock(${ACCESS_LOCK})`);

/** Serialization failure, deadlock, no lock in time, the server stops or restarts, and every fault of the connection itself. */
const REPEATED = /^(?:40001|40P01|55P03|57P0[123]|25P03|08...)$/;
const MOST_TRIES = 5;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 200;
/** A write that may be stored is asked for as long while the database is away, from its beginning on: no call waits longer for it. */
const ASKED_FOR_MS = 3_000;

const CROWD = 4;
const MOMENT_MS = 50;

const rollback = async (client: PoolClient): Promise<Error | undefined> => {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    // The connection is of no use any more: the pool ends it.
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** The driver gives an error without a code once the connection is gone, whatever ended it. */
const lostConnection = (cause: unknown): Error =>
  Object.assign(new Error('The connection to PostgreSQL was lost in the middle of a write.', { cause }), {
    code: '08006',
  });

const kyselys = new WeakMap<PoolClient, Db>();

const kyselyOf = (client: PoolClient): Db => {
  const known = kyselys.get(client) ?? kyselyOnConnection(client);
  kyselys.set(client, known);
  return known;
};

interface Transaction<T> {
  readonly begin: string;
  readonly work: WriteWork<T>;
  readonly receipt: Receipt;
  /** The answers of attempts whose commit may be stored, though its own answer was lost. */
  readonly unanswered: Map<number, T>;
}

const inTransaction = async <T>(
  client: PoolClient,
  db: Db,
  { begin, work, receipt, unanswered }: Transaction<T>,
  attempt: number,
): Promise<T> => {
  beginCounting(db);
  forgetTaken(db);
  const repeats = unanswered.size > 0;
  // The first statement does not wait for the answer to the beginning: where that fails, nothing after it is done either.
  inOnePacket(client);
  const beginning = repeats ? `${begin}; ${receipt.claim(attempt)}` : begin;
  const [begun, worked] = await Promise.allSettled([client.query(beginning), work(db)]);
  if (begun.status === 'rejected') throw begun.reason;
  if (worked.status === 'rejected') throw worked.reason;
  const { value } = worked;
  unanswered.set(attempt, value);
  // If the receipt cannot be stored, PostgreSQL answers the commit with the end of a transaction that is undone.
  inOnePacket(client);
  const [counted, , committed] = await Promise.allSettled([
    Promise.all(countStatements(db).map((call) => execute(client, ...call))),
    repeats ? undefined : execute(client, ...receipt.leave(attempt)),
    client.query([...receipt.erase(), 'commit'].join(';')),
  ]);
  if (counted.status === 'rejected') throw counted.reason;
  if (committed.status === 'rejected') throw committed.reason;
  const results: QueryResult | QueryResult[] = committed.value;
  if ([results].flat().at(-1)?.command !== 'COMMIT')
    throw new Error('PostgreSQL undid the transaction, because a statement in it failed.');
  return value;
};

const storedAnswer = async <T>(client: PoolClient, { receipt, unanswered }: Transaction<T>): Promise<T> => {
  const { rows } = await client.query<{ attempt: number }>(receipt.question);
  return unanswered.get(rows[0]?.attempt ?? 0) as T;
};

const attemptOn = async <T>(
  client: PoolClient,
  transaction: Transaction<T>,
  attempt: number,
): Promise<{ value: T } | { error: unknown; broken?: Error }> => {
  let broken: Error | undefined;
  try {
    return { value: await inTransaction(client, kyselyOf(client), transaction, attempt) };
  } catch (error) {
    broken = await rollback(client);
    if (broken !== undefined) return { error: lostConnection(error), broken };
    if (!isDatabaseAway(error)) transaction.unanswered.delete(attempt);
    if (!isReceiptTaken(error)) return { error };
  }
  return storedAnswer(client, transaction).then(
    (value) => ({ value }),
    (error: Error) => ({ error: lostConnection(error), broken: error }),
  );
};

const attemptIn = async <T>(pool: Pool, transaction: Transaction<T>, attempt: number): Promise<T> => {
  const client = await pool.connect();
  const outcome = await attemptOn(client, transaction, attempt);
  if ('value' in outcome) {
    client.release();
    return outcome.value;
  }
  client.release(outcome.broken);
  throw outcome.error;
};

/** Notices when several callers wait at once. */
const createCrowdWatch = (now: () => number) => {
  let waiting = 0;
  let seen = Number.NEGATIVE_INFINITY;
  return {
    enter(callers: number, priority: Priority): void {
      waiting += callers;
      if (priority === 'request' && waiting >= CROWD) seen = now();
    },
    leave(callers: number): void {
      waiting -= callers;
    },
    wasSeen: (): boolean => now() - seen < MOMENT_MS,
  };
};

export const createPostgresWriter = (
  pool: Pool,
  options: { now?: () => number; wrote?: (error: unknown) => void } = {},
): Writer => {
  const { now = () => performance.now(), wrote = () => undefined } = options;
  const receipts = createReceipts();
  const crowd = createCrowdWatch(now);

  const repeated = async <T>(transaction: Transaction<T>): Promise<T> => {
    const began = now();
    const isRepeated = (error: unknown, tries: number): boolean =>
      (tries < MOST_TRIES && REPEATED.test(databaseCode(error))) ||
      (transaction.unanswered.size > 0 && isDatabaseAway(error) && now() - began < ASKED_FOR_MS);
    for (let tries = 1; ; tries++) {
      try {
        const value = await attemptIn(pool, transaction, tries);
        wrote(null);
        return value;
      } catch (error) {
        if (!isRepeated(error, tries)) {
          wrote(error);
          throw explainedFault(error);
        }
        await pause(Math.min(FIRST_WAIT_MS * tries, LONGEST_WAIT_MS) * (1 + Math.random()));
      }
    }
  };

  const counted = async <T>(
    priority: Priority,
    begin: string,
    work: WriteWork<T>,
    callers = 1,
  ): Promise<T> => {
    crowd.enter(callers, priority);
    const receipt = receipts.next();
    try {
      return await repeated({ begin, work, receipt, unanswered: new Map() });
    } finally {
      receipt.close();
      crowd.leave(callers);
    }
  };

  return {
    write: (work, priority = 'request') =>
      counted(priority, priority === 'access' ? ACCESS : BEGINNINGS[priority].alone, work),
    together: (work, priority = 'request', callers = 1) =>
      counted(priority, BEGINNINGS[priority].together, work, callers),
    crowded: crowd.wasSeen,
  };
};
