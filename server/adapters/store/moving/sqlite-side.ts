// The embedded database as one side of a move.
import { run } from '../engine/run.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import { migrate, requireMigrated } from '../sqlite/migrate.ts';
import { createWriter } from '../sqlite/writer.ts';
import type { Db } from '../tables/tables.ts';
import type { MovedRow } from './moved-tables.ts';
import type { MovingSide } from './moving-side.ts';
import { sqliteVectorRows } from './sqlite-vector-rows.ts';

const namesIn = async (db: Db, statement: string, parameters: readonly unknown[] = []): Promise<string[]> => {
  const { rows } = await run<{ name: string }>(db, statement, parameters);
  return rows.map(({ name }) => name);
};

/** `table_xinfo` marks generated columns by 2 and 3. */
const STORED = 'select name from pragma_table_xinfo($1) where hidden = 0 order by name';

const insertInto = async (
  tx: Db,
  table: string,
  columns: readonly string[],
  rows: readonly MovedRow[],
): Promise<void> => {
  const places = columns.map((_, at) => `$${at + 1}`);
  const statement = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`;
  for (const row of rows)
    await run(
      tx,
      statement,
      columns.map((column) => row[column]),
    );
};

/** `SQLITE_CONSTRAINT_UNIQUE` and `SQLITE_CONSTRAINT_PRIMARYKEY`. */
const UNIQUE_ERRORS: ReadonlySet<number> = new Set([2067, 1555]);

/** `shared`: another process serves the folder, so that it is only read. */
export const openSqliteSide = (file: string, { shared }: { shared: boolean }): MovingSide => {
  const connection = openSqliteConnection(file, { readOnly: shared });
  if (shared) requireMigrated(connection);
  else migrate(connection);
  const db = kyselyOver(connection);
  const writer = createWriter(connection, db);
  return {
    place: `the database ${file}`,
    db,
    vectors: sqliteVectorRows(db),
    tables: () =>
      namesIn(
        db,
        `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite%'`,
      ),
    columns: (table) => namesIn(db, STORED, [table]),
    write: (work) => writer.write(work),
    insert: insertInto,
    settleNumbers: async () => undefined,
    // SQLite continues behind the highest number by itself.
    continueNumbers: async () => undefined,
    users: async () => [],
    isNameTaken: (error) => UNIQUE_ERRORS.has(Number((error as { errcode?: unknown }).errcode)),
    async close() {
      await writer.idle();
      connection.close();
    },
  };
};
