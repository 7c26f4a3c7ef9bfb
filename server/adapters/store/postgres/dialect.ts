// Kysely over PostgreSQL. Kysely's transactions are not used: every write goes through `writer.ts`.

import type { Pool, PoolClient } from 'pg';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from '#kysely';
import { SharedCompiler } from '../engine/dialect.ts';
import { provideEngine, type TextRunner } from '../engine/engine.ts';
import type { Db } from '../tables/tables.ts';
import { execute } from './connection.ts';
import { POSTGRES } from './engine.ts';

const refuse = async (): Promise<never> => {
  throw new Error('Write through store.write(async tx => …): it repeats what a conflict undid.');
};

const kyselyConnection = (run: TextRunner): DatabaseConnection => ({
  executeQuery: async <Row>({ sql, parameters }: CompiledQuery) =>
    (await run(sql, parameters)) as QueryResult<Row>,
  async *streamQuery() {
    yield* [];
    throw new Error('Streaming is not used: read in pages.');
  },
});

const driver = (run: TextRunner): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => kyselyConnection(run),
  releaseConnection: async () => undefined,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  destroy: async () => undefined,
});

const dialect = (run: TextRunner): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(run),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new SharedCompiler(),
});

export interface PostgresView {
  /** The database beyond the scope of this one; missing: it has no scope. */
  readonly everywhere?: Db | undefined;
  /** Missing: statements are sent one by one. */
  readonly inOneTrip?: <T>(ask: () => T) => T;
}

export const kyselyOnPostgres = (run: TextRunner, { everywhere, ...view }: PostgresView = {}): Db => {
  const db: Db = new Kysely({ dialect: dialect(run) });
  provideEngine(db, { engine: POSTGRES, run, everywhere: everywhere ?? db, ...view });
  return db;
};

/** Statements run on any connection of a pool, each for itself, or all on the one connection. */
export const kyselyOnConnection = (on: Pool | PoolClient): Db =>
  kyselyOnPostgres((text, parameters) => execute(on, text, parameters));
