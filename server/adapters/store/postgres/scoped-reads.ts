// Reads of requests: each statement runs in a transaction as the role that sees one scope alone, and ends at its time limit.
// The transaction is sent at once, so that it costs one round trip. Everything that is set ends with it, so that it works
// through a pooler.

import { LRUCache } from 'lru-cache';
import pg, { type Pool, type PoolClient } from 'pg';
import type { QueryResult } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import type { TextRunner } from '../engine/engine.ts';
import { deadlineReached } from '../engine/query-deadline.ts';
import type { Db } from '../tables/tables.ts';
import { execute, inOnePacket } from './connection.ts';
import { kyselyOnPostgres } from './dialect.ts';
import { databaseCode, explainedFault } from './faults.ts';
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

/**
 * The scope and the role are settings of the transaction: what runs in it is one statement, and none that could set them. A name
 * in escapes could be any name.
 */
const READ = /^[\s(]*(?:select|with|values)\b/i;
const NO_READ = /;|set_config|\bu&/i;

const requireRead = (statement: string): void => {
  if (READ.test(statement) && !NO_READ.test(statement)) return;
  throw new Error(
    `The statement is not a read of a request, which begins with select, with or values, is one statement, and changes no setting: ${statement}`,
  );
};

interface Asked {
  /** The begin of a transaction that sees the scope of the statement. */
  readonly begin: string;
  readonly statement: string;
  readonly parameters: readonly unknown[];
  readonly resolve: (result: QueryResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Tells one caller its outcome. */
type Settle = () => void;

/** The statements of one scope, in a transaction. */
const runWithin = async (
  client: PoolClient,
  begin: string,
  asked: readonly Asked[],
  explained: (error: unknown) => unknown,
): Promise<Settle[]> => {
  const [begun, ...read] = await Promise.allSettled([
    client.query(begin),
    ...asked.map(({ statement, parameters }) => execute(client, statement, parameters)),
    client.query('commit'),
  ]);
  return asked.map(({ resolve, reject }, at) => {
    const outcome = begun.status === 'rejected' ? begun : read[at];
    if (outcome?.status === 'fulfilled') return () => resolve(outcome.value as QueryResult<unknown>);
    return () => reject(explained(outcome?.reason));
  });
};

const SCOPES_KEPT = 500;

export interface ScopedReads {
  /** Sees what the reach sees; what looks beyond it says so (`everywhere`). */
  of(reach: Pick<Reach, 'reads'>): Db;
}

/** `pool`: its connections send what waits without the answers before. */
export const createScopedReads = (pool: Pool, deadlineMs: number): ScopedReads => {
  const known = new LRUCache<string, Db>({ max: SCOPES_KEPT });
  const explained = (error: unknown): unknown => {
    if (databaseCode(error) === QUERY_CANCELED) return deadlineReached(deadlineMs);
    return explainedFault(error);
  };
  const runOn = async (client: PoolClient, asked: readonly Asked[]): Promise<Settle[]> => {
    inOnePacket(client);
    const ofScopes = [...Map.groupBy(asked, ({ begin }) => begin)];
    return (
      await Promise.all(ofScopes.map(([begin, those]) => runWithin(client, begin, those, explained)))
    ).flat();
  };
  const send = async (asked: readonly Asked[]): Promise<void> => {
    try {
      const client = await pool.connect();
      // The connection is free before anybody goes on, who then takes the same one again.
      const settled = await runOn(client, asked).finally(() => client.release());
      for (const settle of settled) settle();
    } catch (error) {
      for (const { reject } of asked) reject(explained(error));
    }
  };
  /** The statements that leave together; null: each leaves by itself. */
  let trip: Asked[] | null = null;
  const inOneTrip = <T>(ask: () => T): T => {
    if (trip !== null) return ask();
    const together: Asked[] = [];
    trip = together;
    try {
      return ask();
    } finally {
      trip = null;
      if (together.length > 0) void send(together);
    }
  };
  const open = (reads: string, everywhere?: Db): Db => {
    const begin = beginningOfRead(reads, deadlineMs);
    const run: TextRunner = (statement, parameters) =>
      new Promise((resolve, reject) => {
        requireRead(statement);
        const asked = { begin, statement, parameters, resolve, reject };
        if (trip === null) void send([asked]);
        else trip.push(asked);
      });
    return kyselyOnPostgres(run, { everywhere, inOneTrip });
  };
  const everywhere = open('null');
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
