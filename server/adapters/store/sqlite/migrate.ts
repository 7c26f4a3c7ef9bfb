// Named forward migrations. A database is refused if it is newer than this program, or if its migrations are others.
import { messageOf } from '../../../lib/failures.ts';
import { openSqliteConnection, rollbackQuietly, type SqliteConnection } from './connection.ts';
import { init } from './migrations/001-init.ts';
import { memories } from './migrations/002-memories.ts';
import { changes } from './migrations/003-changes.ts';
import { layout } from './migrations/004-layout.ts';
import { tagRecords } from './migrations/005-tag-records.ts';
import { processing } from './migrations/006-processing.ts';
import { versions } from './migrations/007-versions.ts';
import { files } from './migrations/008-files.ts';
import { threads } from './migrations/009-threads.ts';
import { facts } from './migrations/010-facts.ts';
import { namelessThreads } from './migrations/011-nameless-threads.ts';
import { grants } from './migrations/012-grants.ts';
import { decidedSubmissions } from './migrations/013-decided-submissions.ts';
import { unread } from './migrations/014-unread.ts';
import { keyMakers } from './migrations/015-key-makers.ts';
import { documentFailures } from './migrations/016-document-failures.ts';
import { turnsOfKeys } from './migrations/017-turns-of-keys.ts';
import { submittedFacts } from './migrations/018-submitted-facts.ts';
import { redraw } from './migrations/019-redraw.ts';
import { outlines } from './migrations/020-outlines.ts';
import { connections } from './migrations/021-connections.ts';
import { audit } from './migrations/022-audit.ts';
import { connectionDocuments } from './migrations/023-connection-documents.ts';
import { team } from './migrations/024-team.ts';
import { usage } from './migrations/025-usage.ts';
import { quotas } from './migrations/026-quotas.ts';
import { hooks } from './migrations/027-hooks.ts';
import { requestLog } from './migrations/028-request-log.ts';
import { hiddenDocuments } from './migrations/029-hidden-documents.ts';
import { keptReads } from './migrations/030-kept-reads.ts';
import { indexedContainers } from './migrations/031-indexed-containers.ts';

/** Statements by the name that is stored when they were applied, in order. */
type Migrations = Readonly<Record<string, string>>;

const all: Migrations = {
  init,
  memories,
  changes,
  layout,
  tagRecords,
  processing,
  versions,
  files,
  threads,
  facts,
  namelessThreads,
  grants,
  decidedSubmissions,
  unread,
  keyMakers,
  documentFailures,
  turnsOfKeys,
  submittedFacts,
  redraw,
  outlines,
  connections,
  audit,
  connectionDocuments,
  team,
  usage,
  quotas,
  hooks,
  requestLog,
  hiddenDocuments,
  keptReads,
  indexedContainers,
};

const REMEDY = 'Start the version that wrote the folder, or give a backup of the folder in MEMOIR_DATA_DIR.';

const schemaVersion = (connection: SqliteConnection): number =>
  Number(connection.prepare('pragma user_version').all([])[0]?.user_version ?? 0);

const storedNames = (connection: SqliteConnection): string[] => {
  const table = "select name from sqlite_schema where type = 'table' and name = 'migrations'";
  if (connection.prepare(table).all([]).length === 0) return [];
  const rows = connection.prepare('select name from migrations order by n').all([]);
  return rows.map(({ name }) => String(name));
};

/** Every table with each of its columns. */
const columnsOf = (connection: SqliteConnection): Set<string> => {
  const columns = `select tables.name || '.' || columns.name as place
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns where tables.type = 'table'`;
  return new Set(
    connection
      .prepare(columns)
      .all([])
      .map(({ place }) => String(place)),
  );
};

/** The columns that these migrations make. */
const columnsAfter = (statements: readonly string[]): Set<string> => {
  const empty = openSqliteConnection(':memory:');
  try {
    for (const statement of statements) empty.exec(statement);
    return columnsOf(empty);
  } finally {
    empty.close();
  }
};

/** Folders older than the stored names have only a number; their columns show which migrations it counts. */
const requireColumns = (connection: SqliteConnection, version: number, migrations: Migrations): void => {
  const held = columnsOf(connection);
  const missing = [...columnsAfter(Object.values(migrations).slice(0, version))].filter(
    (column) => !held.has(column),
  );
  if (missing.length > 0)
    throw new Error(
      `This data folder was written by a development version of Memoir with other migrations: it has schema ${version} without ${missing.slice(0, 3).join(', ')}. Nothing was changed. ${REMEDY}`,
    );
};

const requireSameNames = (applied: readonly string[], known: readonly string[]): void => {
  const at = applied.findIndex((name, index) => index < known.length && name !== known[index]);
  if (at >= 0)
    throw new Error(
      `This data folder was written by a version of Memoir with other migrations: migration ${at + 1} of the folder is "${applied[at]}", and this version has "${known[at]}" there. Nothing was changed. ${REMEDY}`,
    );
};

const noteMigration = (connection: SqliteConnection, position: number, name: string): void =>
  connection.exec(`
    create table if not exists migrations (n integer primary key, name text not null unique) strict;
    insert into migrations (n, name) values (${position}, '${name}');
    pragma user_version = ${position};`);

interface PendingMigration {
  readonly position: number;
  readonly name: string;
  readonly statements: string;
}

const applyMigration = (
  connection: SqliteConnection,
  { position, name, statements }: PendingMigration,
): void => {
  try {
    if (statements !== '') connection.exec(statements);
    noteMigration(connection, position, name);
  } catch (cause) {
    throw new Error(
      `Migration ${position} of the data folder ("${name}") failed and changed nothing: ${messageOf(cause)}. ${REMEDY}`,
      { cause },
    );
  }
};

/** In one transaction: the statements of each, and the note that they were applied. */
const applyTogether = (connection: SqliteConnection, pending: readonly PendingMigration[]): void => {
  connection.exec('begin exclusive');
  try {
    for (const migration of pending) applyMigration(connection, migration);
    connection.exec('commit');
  } catch (error) {
    rollbackQuietly(connection);
    throw error;
  }
};

export const migrate = (connection: SqliteConnection, migrations: Migrations = all): void => {
  const version = schemaVersion(connection);
  const entries = Object.entries(migrations);
  if (version > entries.length)
    throw new Error(
      `This data folder was written by a newer Memoir (schema ${version}, this one knows ${entries.length}). ` +
        'Start the newer version, or give an older backup of the folder in MEMOIR_DATA_DIR.',
    );
  const named = storedNames(connection);
  requireSameNames(named, Object.keys(migrations));
  if (named.length < version) requireColumns(connection, version, migrations);
  const pending = entries
    .map(([name, statements], index) => ({
      position: index + 1,
      name,
      statements: index < version ? '' : statements,
    }))
    .slice(named.length);
  // A new folder waits for the disk once. An old one may be large: each of its migrations stays when a later one fails.
  const groups = version === 0 ? [pending] : pending.map((migration) => [migration]);
  for (const group of groups) applyTogether(connection, group);
};

/** For a database that another process serves. */
export const requireMigrated = (connection: SqliteConnection): void => {
  const known = Object.keys(all);
  const applied = storedNames(connection);
  if (applied.length !== known.length || applied.some((name, at) => name !== known[at]))
    throw new Error(
      'The server that works on the data folder is another version of Memoir than this command. Nothing was changed. Stop that server, or use its version for this command.',
    );
};
