// Tests of the connections: what a request may prepare, how values are bound and read, and what the writing one keeps.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import { migrate } from '../../../../server/adapters/store/sqlite/migrate.ts';
import { newDataFolder } from '../../../support/data-folder.ts';

const folder = newDataFolder('connection');
const file = join(folder, 'memoir.db');
let writing: SqliteConnection;
let request: SqliteConnection;

beforeAll(() => {
  writing = openSqliteConnection(file);
  migrate(writing);
  request = openSqliteConnection(file, { readOnly: true, scopedReads: true });
});

afterAll(() => {
  request.close();
  writing.close();
  rmSync(folder, { recursive: true });
});

test('a scoped table can be read by a scoped view', () => {
  const statement = 'with visible_x as (select * from documents) select * from visible_x';
  expect(request.prepare(statement).all([])).toEqual([]);
});

test('tables without an owner can be read', () => {
  for (const table of ['tags', 'containers', 'container_tags', 'spaces', 'vector_blocks', 'keys', 'meta'])
    expect(request.prepare(`select * from ${table}`).all([])).toEqual([]);
});

test('a query that forgets the views fails through the query builder too', async () => {
  const db = kyselyOver(request);
  await expect(db.selectFrom('documents').selectAll().execute()).rejects.toThrow(/prohibited|not authorized/);
});

test('the writing connection keeps every acknowledged write and overwrites deleted rows', () => {
  const setting = (name: string) => Object.values(writing.prepare(`pragma ${name}`).all([])[0] ?? {})[0];
  expect(setting('journal_mode')).toBe('wal');
  expect(setting('synchronous')).toBe(2);
  expect(setting('secure_delete')).toBe(1);
});

test('values are read as they were written', () => {
  const values = [null, undefined, true, false, 1.5, 2 ** 52, 'ä\u0000b', new Uint8Array([1, 2])];
  const row = writing.prepare(
    'select ?1 as a, ?2 as b, ?3 as c, ?4 as d, ?5 as e, ?6 as f, ?7 as g, ?8 as h',
  );
  expect(Object.values(row.all(values)[0] ?? {})).toEqual([
    null,
    null,
    1,
    0,
    1.5,
    2 ** 52,
    'ä\u0000b',
    new Uint8Array([1, 2]),
  ]);
  expect(() => row.all([{}])).toThrow('SQLite cannot store a object');
});

test('statements beyond the limit of the cache are prepared again when they are needed', () => {
  const many = Array.from({ length: 900 }, (_, at) => `select ${at} as it`);
  for (const statement of [...many, ...many.slice(0, 10)])
    expect(writing.prepare(statement).all([])).toEqual([{ it: Number(statement.split(' ')[1]) }]);
});
