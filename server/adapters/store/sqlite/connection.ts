// One SQLite connection with its prepared statements. Request connections may read scoped tables
// only through the views that `visible.ts` defines; a query that forgets them does not even prepare.
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';

const STATEMENTS_KEPT = 400;

/** Rows of these belong to somebody: a request sees them through `visible…` alone. */
const SCOPED_TABLES = new Set([
  'documents',
  'chunks',
  'submissions',
  'document_meta',
  'memories',
  'files',
  'thread_places',
]);

export interface Statement {
  readonly reads: boolean;
  all(parameters: readonly unknown[]): Record<string, unknown>[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export interface ConnectionOptions {
  readOnly?: boolean;
  /** Deny reads of scoped tables outside the visible views. */
  scopedReads?: boolean;
  cacheMb?: number;
}

const bindable = (value: unknown): null | number | bigint | string | Uint8Array => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
};

/** Rows as ordinary objects: those that node:sqlite makes are slow to build and slow to read from. */
const rowOf = (columns: readonly string[], values: readonly unknown[]): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
  return row;
};

const statement = (prepared: StatementSync): Statement => {
  const columns = prepared.columns().map(({ name }) => name);
  prepared.setReturnArrays(true);
  return {
    reads: columns.length > 0,
    all: (parameters) =>
      (prepared.all(...parameters.map(bindable)) as unknown as unknown[][]).map((values) =>
        rowOf(columns, values),
      ),
    run: (parameters) => prepared.run(...parameters.map(bindable)),
  };
};

const requireVisibleViews = (database: DatabaseSync): void => {
  database.setAuthorizer((action, table, _column, _schema, view) => {
    const scoped = action === constants.SQLITE_READ && table !== null && SCOPED_TABLES.has(table);
    return scoped && !view?.startsWith('visible') ? constants.SQLITE_DENY : constants.SQLITE_OK;
  });
};

export const openConnection = (file: string, options: ConnectionOptions = {}): Connection => {
  const database = new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: 10_000 });
  if (!options.readOnly)
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000;');
  database.exec(`pragma foreign_keys = off; pragma secure_delete = on; pragma temp_store = memory;
    pragma cache_size = -${(options.cacheMb ?? 32) * 1024}; pragma mmap_size = 0;`);
  if (options.scopedReads) requireVisibleViews(database);
  const kept = new Map<string, Statement>();
  return {
    prepare(sql) {
      const found = kept.get(sql);
      if (found) return found;
      const made = statement(database.prepare(sql));
      if (kept.size >= STATEMENTS_KEPT) kept.delete(kept.keys().next().value ?? '');
      kept.set(sql, made);
      return made;
    },
    exec: (sql) => database.exec(sql),
    close() {
      kept.clear();
      database.close();
    },
  };
};

/** After a failure SQLite may or may not still be inside the transaction; both are fine here. */
export const rollbackQuietly = (connection: Connection): void => {
  try {
    connection.exec('rollback');
  } catch (error) {
    if (!String(error).includes('no transaction is active')) throw error;
  }
};
