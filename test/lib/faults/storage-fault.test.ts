// Tests of recognising faults of the disk and of the database, from real errors.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { storageFault } from '../../../server/lib/faults/storage-fault.ts';
import { callsOver, serveCalls } from '../../../server/lib/threads/rpc.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-fault-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

const fullDatabase = (): unknown => {
  const db = new DatabaseSync(':memory:');
  db.exec('create table a (x text); pragma max_page_count = 4');
  return thrownBy(() => db.prepare('insert into a values (?)').run('x'.repeat(100_000)));
};

const noDatabase = (): unknown => {
  const file = join(folder, 'none.db');
  writeFileSync(file, 'This is no database.'.repeat(100));
  return thrownBy(() => new DatabaseSync(file).exec('select * from sqlite_schema'));
};

test.each([
  ['a full database', fullDatabase(), 'full'],
  ['a full disk', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'full'],
  ['a reached quota', Object.assign(new Error('write'), { code: 'EDQUOT' }), 'full'],
  [
    'a write that SQLite could not make',
    Object.assign(new Error('disk I/O error'), { errcode: 778 }),
    'full',
  ],
  ['a file that is no database', noDatabase(), 'damaged'],
  ['the reason of another error', new Error('It failed.', { cause: fullDatabase() }), 'full'],
  ['a folder of somebody else', Object.assign(new Error('open'), { code: 'EACCES' }), 'refused'],
  ['any other error', new Error('Something else.'), null],
  ['no error', 'text', null],
])('is recognised of %s', (_name, error, fault) => expect(storageFault(error)).toBe(fault));

test('/dev/full fails as a full disk does', { skip: process.platform !== 'linux' }, () => {
  expect(storageFault(thrownBy(() => writeFileSync('/dev/full', 'x')))).toBe('full');
});

test('is recognised of an error that crossed threads', async () => {
  const { port1, port2 } = new MessageChannel();
  const commands = {
    fail: async (code: string): Promise<void> => {
      throw Object.assign(new Error('write'), code === 'sqlite' ? { errcode: 13 } : { code });
    },
  };
  serveCalls(port1, commands);
  const { call } = callsOver<typeof commands>(port2);
  for (const code of ['sqlite', 'EDQUOT'])
    expect(storageFault(await call('fail', code).catch((error: unknown) => error))).toBe('full');
  port1.close();
});
