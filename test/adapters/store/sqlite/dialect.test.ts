// Tests of Kysely over one connection: rows and counts are returned, and transactions stay with the writer.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '#kysely';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import type { Db } from '../../../../server/adapters/store/tables/tables.ts';

let db: Db;
let connection: SqliteConnection;
beforeEach(async () => {
  connection = openSqliteConnection(':memory:');
  connection.exec('create table meta (key text primary key, value text not null) strict; begin');
  db = kyselyOver(connection);
});
afterEach(() => db.destroy());

const put = (key: string) => db.insertInto('meta').values({ key, value: key });

test('a statement that returns rows gives rows, whatever its first word is', async () => {
  expect(await put('a').returning('key').execute()).toEqual([{ key: 'a' }]);
  expect(await db.selectFrom('meta').selectAll().execute()).toEqual([{ key: 'a', value: 'a' }]);
  const { rows } = await sql<{ key: string }>`delete from meta returning key`.execute(db);
  expect(rows).toEqual([{ key: 'a' }]);
});

test('a statement without rows returns the number of changes', async () => {
  await put('a').execute();
  await put('b').execute();
  const { numUpdatedRows } = await db.updateTable('meta').set({ value: 'x' }).executeTakeFirst();
  expect(numUpdatedRows).toBe(2n);
  const { numDeletedRows } = await db.deleteFrom('meta').where('key', '=', 'a').executeTakeFirst();
  expect(numDeletedRows).toBe(1n);
});

test('a write outside of a transaction is refused, because it would stay when the transaction is rolled back', async () => {
  connection.exec('commit');
  for (const write of [put('a'), put('a').returning('key'), db.updateTable('meta').set({ value: 'x' })])
    await expect(write.execute()).rejects.toThrow('an await is missing');
  expect(await db.selectFrom('meta').selectAll().execute()).toEqual([]);
});

test("Kysely's own transactions are refused, because they would not be grouped", async () => {
  await expect(db.transaction().execute(async () => undefined)).rejects.toThrow('store.write');
});

test('streaming is refused with a sentence', async () => {
  const read = async () => {
    for await (const _row of db.selectFrom('meta').selectAll().stream())
      throw new Error('no row was expected');
  };
  await expect(read()).rejects.toThrow('read in pages');
});

test('an invalid statement rejects and leaves the connection usable', async () => {
  await expect(sql`select nonsense from nowhere`.execute(db)).rejects.toThrow('nowhere');
  expect(await db.selectFrom('meta').selectAll().execute()).toEqual([]);
});
