// Kysely over one node:sqlite connection. Transactions are not Kysely's: every write goes through `writer.ts`.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from '../tables.ts';
import type { Connection } from './connection.ts';

const kyselyConnection = (connection: Connection): DatabaseConnection => ({
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = connection.prepare(query.sql);
    if (statement.reads) return { rows: statement.all(query.parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  },
  async *streamQuery() {
    yield* [];
    throw new Error('Streaming is not used: read in pages.');
  },
});

/**
 * SQLite prepares a statement again, at each run, where its plan may hang on the value of a parameter: that of a limit,
 * or one that a partial index is compared with. Such a value is told apart from the plan here, or written into the
 * statement (`sql.lit`); on the way of a search preparing costs more than running.
 */
class SteadyCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append('limit 0 + ');
    this.visitNode(node.limit);
  }
}

const refuse = async (): Promise<never> => {
  throw new Error('Write through store.write(async tx => …): it groups commits and keeps one writer.');
};

const driver = (connection: Connection): Driver => {
  const only = kyselyConnection(connection);
  return {
    init: async () => undefined,
    acquireConnection: async () => only,
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => connection.close(),
  };
};

const dialect = (connection: Connection): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver(connection),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SteadyCompiler(),
});

export const kyselyOver = (connection: Connection): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: dialect(connection) });
