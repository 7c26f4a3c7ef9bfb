// Reads of requests: each statement runs in a transaction as the role that sees one scope alone, and ends at its time limit.
// The transaction is sent at once, so that it costs one round trip. Everything that is set ends with it, so that it works
// through a pooler.

import type { QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient } from 'pg';
import { DatabaseAwayError } from '../../../core/errors.ts';
import type { Reach } from '../../../core/scope.ts';
import { deadlineReached } from '../engine/query-deadline.ts';
import type { Db } from '../tables/tables.ts';
import { execute } from './connection.ts';
import { kyselyOnPostgres } from './dialect.ts';
import { isDatabaseAway } from './faults.ts';
import { READS_SETTING, REQUEST_ROLE, REQUEST_SCHEMA } from './migrations/003-requests.ts';

const WITHIN = `select set_config('role', '${REQUEST_ROLE}', true),
  set_config('search_path', '${REQUEST_SCHEMA}, public', true),
  set_config('${READS_SETTING}', $1, true), set_config('statement_timeout', $2, true)`;

/** PostgreSQL ended the statement at its time limit. */
const QUERY_CANCELED = '57014';

interface ScopedRun {
  readonly client: PoolClient;
  readonly reads: string;
  readonly deadlineMs: number;
}

const runWithin = async (
  { client, reads, deadlineMs }: ScopedRun,
  statement: string,
  parameters: readonly unknown[],
): Promise<QueryResult<unknown>> => {
  const [, , read] = await Promise.allSettled([
    client.query('begin read only'),
    client.query(WITHIN, [reads, String(deadlineMs)]),
    execute(client, statement, parameters),
    client.query('commit'),
  ]);
  if (read.status === 'fulfilled') return read.value;
  const code = read.reason instanceof Error && 'code' in read.reason ? read.reason.code : null;
  throw code === QUERY_CANCELED ? deadlineReached(deadlineMs) : read.reason;
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
    reads: string,
    statement: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<unknown>> => {
    try {
      const client = await pool.connect();
      try {
        return await runWithin({ client, reads, deadlineMs }, statement, parameters);
      } finally {
        client.release();
      }
    } catch (error) {
      throw isDatabaseAway(error) ? new DatabaseAwayError(error) : error;
    }
  };
  const open = (reads: string, everywhere: Db | null): Db =>
    kyselyOnPostgres((statement, parameters) => within(reads, statement, parameters), everywhere);
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
