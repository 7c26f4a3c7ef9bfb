// Writes to PostgreSQL: each in a transaction of its own, which is repeated if a conflict or a lost connection undid it.
import type { Pool, PoolClient } from 'pg';
import { DatabaseAwayError } from '../../../core/errors.ts';
import { pause } from '../../../lib/async/wait.ts';
import type { Priority, Writer, WriteWork } from '../engine/writer.ts';
import type { Db } from '../tables/tables.ts';
import { kyselyOnConnection } from './dialect.ts';
import { databaseCode, isDatabaseAway } from './faults.ts';

/**
 * The queries read and then write what they decided from it. One lock for all writes keeps them as they are with a single
 * writer; it belongs to the transaction, so that it works through a pooler.
 */
const WRITE_LOCK = 7_203_419;
/** Keys and grants have tables of their own: a key that is revoked must not wait for what others write. */
const ACCESS_LOCK = 7_203_420;

const begin = (lock: number): string => `begin; select pg_advisory_xact_lock(${lock})`;

const BEGINNINGS: Readonly<Record<Priority, string>> = {
  access: begin(ACCESS_LOCK),
  request: begin(WRITE_LOCK),
  ingest: begin(WRITE_LOCK),
  // It does not wait for the disk: after a power cut it is done again.
  repeatable: `${begin(WRITE_LOCK)}; set local synchronous_commit = off`,
};

/** Serialization failure, deadlock, the server stops or restarts, and every fault of the connection itself. */
const REPEATED = /^(?:40001|40P01|57P0[123]|08...)$/;
const MOST_TRIES = 3;
const FIRST_WAIT_MS = 20;

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

const inTransaction = async <T>(
  client: PoolClient,
  db: Db,
  { begin, work }: { begin: string; work: WriteWork<T> },
): Promise<T> => {
  await client.query(begin);
  const value = await work(db);
  const { command } = await client.query('commit');
  if (command !== 'COMMIT')
    throw new Error('PostgreSQL undid the transaction, because a statement in it failed.');
  return value;
};

export const createPostgresWriter = (
  pool: Pool,
  options: { now?: () => number; wrote?: (error: unknown) => void } = {},
): Writer => {
  const { now = () => performance.now(), wrote = () => undefined } = options;
  const kyselys = new WeakMap<PoolClient, Db>();
  let waiting = 0;
  let crowdSeen = Number.NEGATIVE_INFINITY;

  const kyselyOf = (client: PoolClient): Db => {
    const known = kyselys.get(client) ?? kyselyOnConnection(client);
    kyselys.set(client, known);
    return known;
  };

  const attempt = async <T>(transaction: { begin: string; work: WriteWork<T> }): Promise<T> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await inTransaction(client, kyselyOf(client), transaction);
    } catch (error) {
      broken = await rollback(client);
      throw broken === undefined ? error : lostConnection(error);
    } finally {
      client.release(broken);
    }
  };

  const repeated = async <T>(transaction: { begin: string; work: WriteWork<T> }): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        const value = await attempt(transaction);
        wrote(null);
        return value;
      } catch (error) {
        if (tries === MOST_TRIES || !REPEATED.test(databaseCode(error))) {
          wrote(error);
          throw isDatabaseAway(error) ? new DatabaseAwayError(error) : error;
        }
        await pause(FIRST_WAIT_MS * tries * (1 + Math.random()));
      }
    }
  };

  return {
    async write(work, priority: Priority = 'request') {
      waiting += 1;
      if (priority === 'request' && waiting >= CROWD) crowdSeen = now();
      try {
        return await repeated({ begin: BEGINNINGS[priority], work });
      } finally {
        waiting -= 1;
      }
    },
    crowded: () => now() - crowdSeen < MOMENT_MS,
  };
};
