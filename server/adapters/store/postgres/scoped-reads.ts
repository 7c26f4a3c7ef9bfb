// Reads of requests: each statement runs in a transaction as the role that sees one scope alone, and ends at its time limit.
// The transaction is sent at once, so that it costs one round trip. Everything that is set ends with it, so that it works
// through a pooler.

import type { QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg, { type Pool, type PoolClient } from 'pg';
import { DatabaseAwayError } from '../../../core/errors.ts';
import type { Reach } from '../../../core/scope.ts';
import { deadlineReached } from '../engine/query-deadline.ts';
import type { Db } from '../tables/tables.ts';
import { execute, inOnePacket } from './connection.ts';
import { kyselyOnPostgres } from './dialect.ts';
import { databaseCode, isDatabaseAway } from './faults.ts';
import { READS_SETTING, REQUEST_ROLE, REQUEST_SCHEMA } from './migrations/003-requests.ts';

/** One message, of commands that need no plan: it comes before every read. */
const beginningOfRead = (
  reads: string,
  deadlineMs: number,
): string => `begin read only; set local role ${REQUEST_ROLE};
  set local search_path = ${REQUEST_SCHEMA}, public; set local ${READS_SETTING} = ${pg.escapeLiteral(reads)};
  set local statement_timeout = ${deadlineMs}`;

/** PostgreSQL ended the statement at its time limit. */
const QUERY_CANCELED = '57014';

interface ScopedRun {
  readonly client: PoolClient;
  readonly begin: string;
  readonly deadlineMs: number;
}

const runWithin = async (
  { client, begin, deadlineMs }: ScopedRun,
  statement: string,
  parameters: readonly unknown[],
): Promise<QueryResult<unknown>> => {
  inOnePacket(client);
  const [begun, read] = await Promise.allSettled([
    client.query(begin),
    execute(client, statement, parameters),
    client.query('commit'),
  ]);
  if (begun.status === 'rejected') throw begun.reason;
  if (read.status === 'fulfilled') return read.value;
  throw databaseCode(read.reason) === QUERY_CANCELED ? deadlineReached(deadlineMs) : read.reason;
};

const SCOPES_KEPT = 500;

export interface ScopedReads {
  /** Sees what the reach sees; what looks beyond it says so (`everywhere`). */
  of(reach: Pick<Reach, 'reads'>): Db;
}

/** `pool`: its connections send what waits without the answers before. */
export const createScopedReads = (pool: Pool, deadlineMs: number): ScopedReads => {
  const known = new LRUCache<string, Db>({ max: SCOPES_KEPT });
  const within = async (
    begin: string,
    statement: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<unknown>> => {
    try {
      const client = await pool.connect();
      try {
        return await runWithin({ client, begin, deadlineMs }, statement, parameters);
      } finally {
        client.release();
      }
    } catch (error) {
      throw isDatabaseAway(error) ? new DatabaseAwayError(error) : error;
    }
  };
  const open = (reads: string, everywhere: Db | null): Db => {
    const begin = beginningOfRead(reads, deadlineMs);
    return kyselyOnPostgres((statement, parameters) => within(begin, statement, parameters), everywhere);
  };
  const everywhere = open('null', null);
  return {
    of({ reads }) {
      if (reads === null) return everywhere;
      const name = JSON.stringify(reads);
      const db = known.get(name) ?? open(name, everywhere);
      known.set(name, db);
      return db;
    },
  };
};
