// Tests of the connections: a request cannot even prepare a statement that reads scoped rows outside the visible views.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import { migrate } from '../../../../server/adapters/store/sqlite/migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-connection-'));
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

const SCOPED = ['documents', 'chunks', 'submissions', 'document_meta', 'thread_places'];

describe.each(SCOPED)('the scoped table %s', (table) => {
  const column = table === 'documents' || table === 'chunks' ? 'n' : 'doc';
  test.each([
    ['a plain select', `select * from ${table}`],
    ['one column', `select ${column} from ${table}`],
    ['a count', `select count(*) from ${table}`],
    ['an existence test', `select 1 where exists (select 1 from ${table})`],
    ['a subquery', `select n from tags where n in (select ${column} from ${table})`],
    ['a join', `select tags.n from tags inner join ${table} on ${table}.${column} = tags.n`],
    ['a left join', `select tags.n from tags left join ${table} as x on x.${column} = tags.n`],
    ['a union', `select n from tags union all select ${column} from ${table}`],
    ['a name of its own', `with mine as (select ${column} from ${table}) select * from mine`],
    ['a name inside the view', `with visible as (select n from tags) select * from visible, ${table}`],
    ['an order by', `select n from tags order by (select max(${column}) from ${table})`],
    ['another spelling', `select * from "${table.toUpperCase()}"`],
    ['the schema named', `select * from main.${table}`],
  ])('cannot be read with %s', (_name, statement) => {
    expect(() => request.prepare(statement)).toThrow(/prohibited|not authorized/);
  });

  test('can be read by the visible views', () => {
    expect(
      request.prepare(`with visible_x as (select * from ${table}) select * from visible_x`).all([]),
    ).toEqual([]);
  });
});

test('tables without an owner can be read', () => {
  for (const table of ['tags', 'containers', 'container_tags', 'spaces', 'vector_blocks', 'keys', 'meta'])
    expect(request.prepare(`select * from ${table}`).all([])).toEqual([]);
});

test('a request writes nothing', () => {
  for (const statement of [
    'update documents set deleted = 1',
    'delete from documents',
    "insert into meta (key, value) values ('a', 'b')",
    'drop table documents',
  ])
    expect(() => request.prepare(statement).run([])).toThrow();
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
