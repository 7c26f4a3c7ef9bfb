// Tests of migrations: the schema moves forward only, completely or not at all.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../../server/adapters/store/sqlite/connection.ts';
import { migrate } from '../../../../server/adapters/store/sqlite/migrate.ts';

let connection: SqliteConnection;
beforeEach(() => {
  connection = openSqliteConnection(':memory:');
});
afterEach(() => connection.close());

const version = () => connection.prepare('pragma user_version').all([])[0]?.user_version;
const tables = () =>
  connection
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all([])
    .map((row) => row.name);

const first = 'create table a (x integer); create table b (x integer);';
const second = 'create table c (x integer);';
const names = () =>
  connection
    .prepare('select name from migrations order by n')
    .all([])
    .map((row) => row.name);

test('an empty folder gets every table, and opening it again changes nothing', () => {
  migrate(connection);
  const made = tables();
  expect(made).toEqual(
    expect.arrayContaining(['documents', 'chunks', 'chunk_words', 'vector_blocks', 'keys', 'memories']),
  );
  expect(version()).toBe(names().length);
  expect(names().slice(0, 3)).toEqual(['init', 'memories', 'changes']);
  migrate(connection);
  expect(tables()).toEqual(made);
});

test('an older database is brought to the current version from its own', () => {
  migrate(connection, { first });
  migrate(connection, { first, second });
  expect(tables()).toEqual(['a', 'b', 'c', 'migrations']);
  expect(version()).toBe(2);
  expect(names()).toEqual(['first', 'second']);
});

test('a newer database is refused with an instruction', () => {
  migrate(connection, { first, second });
  expect(() => migrate(connection, { first })).toThrow(
    'This data folder was written by a newer Memoir (schema 2, this one knows 1). Start the newer version',
  );
  expect(tables()).toEqual(['a', 'b', 'c', 'migrations']);
});

test('a migration that fails changes nothing, and the error names it with its cause and a remedy', () => {
  migrate(connection, { first });
  const broken = 'create table c (x integer); insert into c values (1); insert into nowhere values (1);';
  const failing = () => migrate(connection, { first, broken });
  expect(failing).toThrow(
    'Migration 2 of the data folder ("broken") failed and changed nothing: no such table: nowhere. Start the version that wrote the folder, or give a backup of the folder in MEMOIR_DATA_DIR.',
  );
  expect(failing).toThrow(
    expect.objectContaining({
      cause: expect.objectContaining({ message: expect.stringContaining('nowhere') }),
    }),
  );
  expect(tables()).toEqual(['a', 'b', 'migrations']);
  expect(version()).toBe(1);
  migrate(connection, { first, second });
  expect(version()).toBe(2);
});

test('earlier migrations of an older folder stay when a later one fails', () => {
  migrate(connection, { first });
  expect(() => migrate(connection, { first, second, third: 'nonsense' })).toThrow('Migration 3');
  expect(tables()).toEqual(['a', 'b', 'c', 'migrations']);
  expect(version()).toBe(2);
});

test('a new folder stays empty when one of its migrations fails', () => {
  expect(() => migrate(connection, { first, second: 'nonsense' })).toThrow('Migration 2');
  expect(tables()).toEqual([]);
  expect(version()).toBe(0);
});

test('a migration that ends the transaction itself fails with its own cause', () => {
  const selfish =
    'create table a (x integer primary key); insert into a values (1); insert or rollback into a values (1);';
  expect(() => migrate(connection, { selfish })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('Migration 1'),
      cause: expect.objectContaining({ message: expect.stringContaining('UNIQUE') }),
    }),
  );
  expect(tables()).toEqual([]);
});

test('a database whose migrations stand in another order is refused, with both names', () => {
  const other = 'create table d (x integer);';
  migrate(connection, { first, other });
  const opening = () => migrate(connection, { first, second, other });
  expect(opening).toThrow(
    'This data folder was written by a version of Memoir with other migrations: migration 2 of the folder is "other", and this version has "second" there. Nothing was changed.',
  );
  expect(tables()).toEqual(['a', 'b', 'd', 'migrations']);
});

test('a database from before the names gets those that its number counts', () => {
  connection.exec(`${first} pragma user_version = 1;`);
  migrate(connection, { first, second });
  expect(names()).toEqual(['first', 'second']);
  expect(version()).toBe(2);
});

test('a database from before the names whose number counts other migrations is refused with what it lacks', () => {
  connection.exec(`${first} create table d (x integer); pragma user_version = 2;`);
  expect(() => migrate(connection, { first, second })).toThrow(
    'This data folder was written by a development version of Memoir with other migrations: it has schema 2 without c.x. Nothing was changed.',
  );
  expect(tables()).toEqual(['a', 'b', 'd']);
});
