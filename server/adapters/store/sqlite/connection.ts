// One SQLite connection with its prepared statements. Request connections may read scoped tables
// only through the views that `scoped-views.ts` defines; a query without them fails when it is prepared.
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { releaseAtRest } from '../../../lib/threads/return-memory.ts';
import { translate } from '../engine/dialect.ts';
import { defineInterruptible } from './interruptible.ts';
import { SQLITE_WORDS } from './shared-words.ts';

const STATEMENTS_KEPT = 800;

/** Rows of these tables belong to a scope: a request sees them only through the `visible…` views. */
const SCOPED_TABLES = new Set([
  'documents',
  'chunks',
  'submissions',
  'document_meta',
  'memories',
  'files',
  'thread_places',
  // The words of all texts. The keyword index itself reads them without asking.
  'chunk_words_data',
  'memory_words_data',
]);

const WRITES = /^\s*(?:insert|update|delete|replace)\b/i;

export interface PreparedStatement {
  /** It answers with rows. */
  readonly reads: boolean;
  /** It changes rows; it may answer with them as well. */
  readonly writes: boolean;
  all(parameters: readonly unknown[]): Record<string, unknown>[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

export interface SqliteConnection {
  readonly readOnly: boolean;
  /** In the shared language of statements, or in SQLite's own. */
  prepare(sql: string): PreparedStatement;
  exec(sql: string): void;
  inTransaction(): boolean;
  close(): void;
}

export interface SqliteConnectionOptions {
  readOnly?: boolean;
  /** Deny reads of scoped tables outside the visible views. */
  scopedReads?: boolean;
  cacheMb?: number;
  /** A statement with a point at which it can be ended fails while this is not zero. Default: none does. */
  stop?: Int32Array;
}

const bindableValue = (value: unknown): null | number | bigint | string | Uint8Array => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
};

type Row = Record<string, unknown>;

/**
 * Rows as ordinary objects, because those of node:sqlite are slow to build and to read. The function is compiled for the
 * columns of one statement: V8 then knows the shape of its rows, and builds a wide row four times as fast.
 */
const rowBuilder = (columns: readonly string[]): ((values: readonly unknown[]) => Row) => {
  const fields = columns.map((column, at) => `${JSON.stringify(column)}: values[${at}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as (values: readonly unknown[]) => Row;
};

const preparedStatement = (prepared: StatementSync): PreparedStatement => {
  const columns = prepared.columns().map(({ name }) => name);
  const plainRow = rowBuilder(columns);
  prepared.setReturnArrays(true);
  return {
    reads: columns.length > 0,
    writes: WRITES.test(prepared.sourceSQL),
    all: (parameters) =>
      (prepared.all(...parameters.map(bindableValue)) as unknown as unknown[][]).map(plainRow),
    run: (parameters) => prepared.run(...parameters.map(bindableValue)),
  };
};

/** The parts of a statement that only reads. */
const READING: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

/** The keyword index asks whether its data changed, and a connection at rest gives its memory back. */
const PRAGMAS: ReadonlySet<string | null> = new Set(['data_version', 'shrink_memory']);

/** Nothing is made, attached or set: a view of a request connection's own could carry the name of a scoped view. */
const requireVisibleViews = (database: DatabaseSync): void => {
  const isAllowed = (action: number, subject: string | null, view: string | null): boolean => {
    if (action === constants.SQLITE_READ)
      return view?.startsWith('visible') === true || subject === null || !SCOPED_TABLES.has(subject);
    return READING.has(action) || (action === constants.SQLITE_PRAGMA && PRAGMAS.has(subject));
  };
  database.setAuthorizer((action, subject, ...[, , view]) =>
    isAllowed(action, subject, view) ? constants.SQLITE_OK : constants.SQLITE_DENY,
  );
};

export const openSqliteConnection = (
  file: string,
  options: SqliteConnectionOptions = {},
): SqliteConnection => {
  const { readOnly = false } = options;
  const database = new DatabaseSync(file, { readOnly, timeout: 10_000 });
  if (!readOnly)
    database.exec(`pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full;
      pragma wal_autocheckpoint = 4000;`);
  database.exec(`pragma foreign_keys = off; pragma secure_delete = on; pragma temp_store = memory;
    pragma cache_size = -${(options.cacheMb ?? 32) * 1024}; pragma mmap_size = 0;`);
  if (options.scopedReads) requireVisibleViews(database);
  if (readOnly) defineInterruptible(database, options.stop);
  const keepCache = releaseAtRest(() => database.exec('pragma shrink_memory'));
  // Only `set` counts as a use, so that the statement prepared longest ago is dropped first.
  const statements = new LRUCache<string, PreparedStatement>({ max: STATEMENTS_KEPT });
  return {
    readOnly,
    prepare(sql) {
      const known = statements.peek(sql);
      if (known) return known;
      const statement = preparedStatement(database.prepare(translate(sql, SQLITE_WORDS)));
      statements.set(sql, statement);
      return statement;
    },
    exec: (sql) => database.exec(sql),
    inTransaction: () => database.isTransaction,
    close() {
      keepCache();
      statements.clear();
      database.close();
    },
  };
};

/** Rolls back without an error if SQLite has already ended the transaction after a failure. */
export const rollbackQuietly = (connection: SqliteConnection): void => {
  try {
    connection.exec('rollback');
  } catch (error) {
    if (!String(error).includes('no transaction is active')) throw error;
  }
};
