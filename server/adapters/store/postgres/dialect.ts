// Kysely over a connection or a pool. Kysely's transactions are not used: every write goes through `writer.ts`.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { SharedCompiler } from '../engine/dialect.ts';
import { provideEngine } from '../engine/engine.ts';
import type { Db } from '../tables/tables.ts';
import { execute } from './connection.ts';
import { POSTGRES } from './engine.ts';

const refuse = async (): Promise<never> => {
  throw new Error('Write through store.write(async tx => …): it repeats what a conflict undid.');
};

const kyselyConnection = (on: Pool | PoolClient): DatabaseConnection => ({
  executeQuery: async <Row>({ sql, parameters }: CompiledQuery) =>
    execute(on, sql, parameters) as Promise<QueryResult<Row>>,
  async *streamQuery() {
    yield* [];
    throw new Error('Streaming is not used: read in pages.');
  },
});

const driver = (on: Pool | PoolClient): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => kyselyConnection(on),
  releaseConnection: async () => undefined,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  destroy: async () => undefined,
});

const dialect = (on: Pool | PoolClient): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(on),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new SharedCompiler(),
});

/** Statements run on any connection of a pool, each for itself, or all on the one connection. */
export const kyselyOnPostgres = (on: Pool | PoolClient): Db => {
  const db: Db = new Kysely({ dialect: dialect(on) });
  provideEngine(db, {
    engine: POSTGRES,
    run: (text, parameters) => execute(on, text, parameters),
  });
  return db;
};
