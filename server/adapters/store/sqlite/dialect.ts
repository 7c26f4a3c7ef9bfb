// Kysely over one node:sqlite connection. Kysely's transactions are not used: every write goes through `writer.ts`.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from '#kysely';
import { SharedCompiler } from '../engine/dialect.ts';
import { provideEngine } from '../engine/engine.ts';
import type { Db } from '../tables/tables.ts';
import type { SqliteConnection } from './connection.ts';
import { SQLITE, SQLITE_READING } from './engine.ts';

/** A write that nobody awaits would run after its transaction, and stay when the transaction is rolled back. */
const requireTransaction = (connection: SqliteConnection, statement: string): void => {
  if (!connection.inTransaction())
    throw new Error(
      `A write ran outside of a transaction, so an await is missing: ${statement.slice(0, 80)}`,
    );
};

const executeOn = <Row>(
  connection: SqliteConnection,
  text: string,
  parameters: readonly unknown[],
): QueryResult<Row> => {
  const statement = connection.prepare(text);
  if (statement.writes) requireTransaction(connection, text);
  if (statement.reads) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
};

const kyselyConnection = (connection: SqliteConnection): DatabaseConnection => ({
  executeQuery: async <Row>({ sql, parameters }: CompiledQuery) =>
    executeOn<Row>(connection, sql, parameters),
  async *streamQuery() {
    yield* [];
    throw new Error('Streaming is not used: read in pages.');
  },
});

const refuseTransaction = async (): Promise<never> => {
  throw new Error('Write through store.write(async tx => …): it groups commits and keeps one writer.');
};

const sqliteDriver = (connection: SqliteConnection): Driver => {
  const only = kyselyConnection(connection);
  return {
    init: async () => undefined,
    acquireConnection: async () => only,
    releaseConnection: async () => undefined,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => connection.close(),
  };
};

const sqliteDialect = (connection: SqliteConnection): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => sqliteDriver(connection),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SharedCompiler(),
});

export const kyselyOver = (connection: SqliteConnection): Db => {
  const db: Db = new Kysely({ dialect: sqliteDialect(connection) });
  provideEngine(db, {
    engine: connection.readOnly ? SQLITE_READING : SQLITE,
    everywhere: db,
    run: (text, parameters) => executeOn(connection, text, parameters),
  });
  return db;
};
