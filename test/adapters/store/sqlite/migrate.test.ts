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

test('an empty folder gets every table, and opening it again changes nothing', () => {
  migrate(connection);
  const made = tables();
  expect(made).toEqual(
    expect.arrayContaining(['documents', 'chunks', 'chunk_words', 'vector_blocks', 'keys', 'memories']),
  );
  expect(version()).toBe(12);
  migrate(connection);
  expect(tables()).toEqual(made);
});

test('an older database is brought to the current version from its own', () => {
  migrate(connection, [first]);
  migrate(connection, [first, second]);
  expect(tables()).toEqual(['a', 'b', 'c']);
  expect(version()).toBe(2);
});

test('a newer database is refused with an instruction', () => {
  migrate(connection, [first, second]);
  expect(() => migrate(connection, [first])).toThrow(
    'This data folder was written by a newer Memoir (schema 2, this one knows 1). Start the newer version',
  );
  expect(tables()).toEqual(['a', 'b', 'c']);
});

test('a migration that fails changes nothing, and the error names it', () => {
  migrate(connection, [first]);
  const broken = 'create table c (x integer); insert into c values (1); insert into nowhere values (1);';
  const failing = () => migrate(connection, [first, broken]);
  expect(failing).toThrow('Migration 2 of the data folder failed; nothing was changed.');
  expect(failing).toThrow(
    expect.objectContaining({
      cause: expect.objectContaining({ message: expect.stringContaining('nowhere') }),
    }),
  );
  expect(tables()).toEqual(['a', 'b']);
  expect(version()).toBe(1);
  migrate(connection, [first, second]);
  expect(version()).toBe(2);
});

test('earlier migrations stay when a later one fails', () => {
  expect(() => migrate(connection, [first, 'nonsense'])).toThrow('Migration 2');
  expect(tables()).toEqual(['a', 'b']);
  expect(version()).toBe(1);
});

test('a migration that ends the transaction itself fails with its own cause', () => {
  const selfish =
    'create table a (x integer primary key); insert into a values (1); insert or rollback into a values (1);';
  expect(() => migrate(connection, [selfish])).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('Migration 1'),
      cause: expect.objectContaining({ message: expect.stringContaining('UNIQUE') }),
    }),
  );
  expect(tables()).toEqual([]);
});
