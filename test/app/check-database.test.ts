// Tests of the look at the database before a start: what is missing or damaged is refused, and nothing is changed.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../server/app/data-folder/check-database.ts';
import { explainedStart } from '../../server/app/data-folder/start-failure.ts';
import { newDataFolder } from '../support/data-folder.ts';

let dir = '';
beforeEach(() => {
  dir = newDataFolder('check');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = () => join(dir, 'memoir.db');

const makeDatabase = (): void => {
  const db = new DatabaseSync(file());
  db.exec('pragma journal_mode = wal; create table a (x text)');
  for (let at = 0; at < 50; at++) db.prepare('insert into a values (?)').run('x'.repeat(4000));
  db.close();
};

const fill = (name: string): void => {
  mkdirSync(join(dir, name));
  writeFileSync(join(dir, name, 'something'), 'x');
};

const everything = (): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${readFileSync(path, 'latin1')}`);

const overwriteStart = (): void => {
  const bytes = readFileSync(file());
  bytes.fill(7, 0, 100);
  writeFileSync(file(), bytes);
};

const halve = (): void => truncateSync(file(), statSync(file()).size / 2);

test.each<[string, () => void]>([
  ['an empty folder', () => undefined],
  ['a first start that was interrupted', () => writeFileSync(file(), '')],
  ['a database', makeDatabase],
  [
    'a database with a log that holds its newest pages',
    () => {
      const db = new DatabaseSync(file());
      db.exec('pragma journal_mode = wal; create table a (x text)');
      cpSync(file(), `${file()}.copy`);
      cpSync(`${file()}-wal`, `${file()}.copy-wal`);
      db.close();
      cpSync(`${file()}.copy`, file());
      cpSync(`${file()}.copy-wal`, `${file()}-wal`);
    },
  ],
])('%s is opened', (_name, make) => {
  make();
  expect(() => checkDatabase(dir)).not.toThrow();
});

describe('is refused with path and remedy, and nothing is changed:', () => {
  test.each<[string, RegExp, () => unknown]>([
    [
      'an empty database beside the vectors',
      /holds chroma.*backup.*MEMOIR_DATA_DIR/,
      () => [fill('chroma'), writeFileSync(file(), '')],
    ],
    ['a missing database beside files', /missing or empty.*holds files/, () => fill('files')],
    ['a missing database beside its log', /holds memoir\.db-wal/, () => writeFileSync(`${file()}-wal`, 'x')],
    [
      'an overwritten header',
      /damaged: it does not begin as a database does.*backup/,
      () => [makeDatabase(), overwriteStart()],
    ],
    [
      'a database of which half is gone',
      /damaged: it has \d+ bytes, and its header counts \d+\..*backup/,
      () => [makeDatabase(), halve()],
    ],
  ])('%s', (_name, sentence, make) => {
    make();
    const before = everything();
    expect(() => checkDatabase(dir)).toThrow(sentence);
    expect(() => checkDatabase(dir)).toThrow(file());
    expect(everything()).toEqual(before);
  });
});

test('a failure of the start says which file it was, and what to do', () => {
  const said = (error: Error) => String(explainedStart(error, dir));
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    path: '/data/run.json.new',
  });
  expect(said(full)).toMatch(
    /disk is full: \/data\/run\.json\.new could not be written.*Free some disk space/,
  );
  const stuck = new Error('Migration 3 failed.', {
    cause: Object.assign(new Error('full'), { errcode: 13 }),
  });
  expect(said(stuck)).toContain(`${file()} could not be written`);
  expect(said(Object.assign(new Error('malformed'), { errcode: 11 }))).toContain(
    `${file()} is damaged: malformed.`,
  );
  expect(said(Object.assign(new Error('readonly'), { errcode: 8 }))).toMatch(
    /cannot be written.*write permission/,
  );
  const other = new Error('Something else.');
  expect(explainedStart(other, dir)).toBe(other);
});
