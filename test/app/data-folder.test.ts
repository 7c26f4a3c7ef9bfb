// Tests of opening, locking and announcing the data folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder, readRun } from '../../server/app/data-folder/data-folder.ts';
import { MemoirError } from '../../server/core/errors.ts';
import { verifies } from '../spec/verifies.ts';
import { newDataFolder } from '../support/data-folder.ts';

let dir = '';
let others: ChildProcess[] = [];

beforeEach(() => {
  dir = join(newDataFolder('folder'), 'nested', 'data');
});

afterEach(() => {
  for (const other of others) other.kill('SIGKILL');
  others = [];
  rmSync(join(dir, '..', '..'), { recursive: true, force: true });
});

const HOLDER = `
  const { openDataFolder } = await import(process.argv[1]);
  openDataFolder(process.argv[2]).announce('http://127.0.0.1:1234');
  process.stdout.write('held');
  setInterval(() => {}, 1000);
`;

/** Another process that holds the folder. */
async function holder(): Promise<ChildProcess> {
  const module = new URL('../../server/app/data-folder/data-folder.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, module, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  others.push(child);
  await once(child.stdout, 'data');
  return child;
}

const refusalOf = (open: () => unknown): MemoirError => {
  try {
    open();
  } catch (error) {
    if (error instanceof MemoirError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('a missing folder is created for its owner alone, and run.json as well', () => {
  const folder = openDataFolder(dir);
  expect(mode(dir)).toBe('700');
  expect(mode(join(dir, 'run.json'))).toBe('600');
  folder.close();
});

test('commands find the server, with the token of this start, once it is announced', () => {
  const folder = openDataFolder(dir);
  expect(readRun(dir)).toMatchObject({ url: null, pid: process.pid, token: folder.token });
  folder.announce('http://127.0.0.1:99');
  expect(readRun(dir)).toMatchObject({ url: 'http://127.0.0.1:99', token: folder.token });
  expect(readdirSync(dir).sort()).toEqual(['lock.db', 'run.json']);
  folder.close();
});

test('a clean close removes run.json and releases the folder, and a second close does nothing', () => {
  const first = openDataFolder(dir);
  first.close();
  first.close();
  expect(existsSync(join(dir, 'run.json'))).toBe(false);
  expect(readRun(dir)).toBe(null);
  const second = openDataFolder(dir);
  expect(second.token).not.toBe(first.token);
  second.close();
});

test('a folder that another process holds is refused, naming its address and process', async () => {
  const other = await holder();
  const refusal = refusalOf(() => openDataFolder(dir));
  expect(refusal.status).toBe(409);
  expect(refusal.message).toContain(`http://127.0.0.1:1234 (process ${other.pid})`);
  expect(readRun(dir)).toMatchObject({ url: 'http://127.0.0.1:1234', pid: other.pid });
});

test('after kill -9 the folder is free at once, and the remaining run.json is ignored', async () => {
  const other = await holder();
  const gone = once(other, 'exit');
  other.kill('SIGKILL');
  await gone;
  expect(JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')).pid).toBe(other.pid);
  expect(readRun(dir)).toBe(null);
  const folder = openDataFolder(dir);
  expect(readRun(dir)).toMatchObject({ url: null, pid: process.pid });
  folder.close();
});

test('a check whether the folder is free never takes it from a process that opens it', () => {
  for (let round = 0; round < 50; round++) {
    expect(readRun(dir)).toBe(null);
    const folder = openDataFolder(dir);
    expect(readRun(dir)?.pid).toBe(process.pid);
    folder.close();
  }
});

test('an impossible place for a folder is refused with a sentence', () => {
  const file = join(dir, '..', '..', 'file');
  writeFileSync(file, '');
  expect(refusalOf(() => openDataFolder(join(file, 'data'))).message).toMatch(
    /cannot be used: .*MEMOIR_DATA_DIR/,
  );
});

verifies(
  'folder:files:private',
  'what an earlier release left open in a folder that existed is closed, and nothing else is touched',
  async () => {
    mkdirSync(join(dir, 'chroma'), { recursive: true });
    const open = ['memoir.db', 'memoir.db-wal', 'memoir.db-shm', 'lock.db', join('chroma', 'x.bin')];
    for (const name of [...open, 'notes.txt']) writeFileSync(join(dir, name), '');
    for (const name of [...open, 'notes.txt']) chmodSync(join(dir, name), 0o644);
    for (const name of ['', 'chroma']) chmodSync(join(dir, name), 0o755);
    const folder = openDataFolder(dir);
    const modes = [...open.slice(0, 4), 'chroma', 'notes.txt'].map((name) => mode(join(dir, name)));
    expect(modes).toEqual(['600', '600', '600', '600', '700', '644']);
    expect(folder.warnings).toEqual([
      expect.stringMatching(/is open to other users of this machine \(mode 755\)\..*: chmod 700 \//),
    ]);
    folder.close();
    chmodSync(dir, 0o700);
    const closed = openDataFolder(dir);
    expect(closed.warnings).toEqual([]);
    closed.close();
  },
);

verifies(
  'folder:files:private',
  'what is created in a folder that existed is for its owner alone, whatever the mask of the process was',
  async () => {
    mkdirSync(dir, { recursive: true, mode: 0o755 });
    const before = process.umask(0o022);
    try {
      const folder = openDataFolder(dir);
      const db = new DatabaseSync(join(dir, 'memoir.db'));
      db.exec('pragma journal_mode = wal; create table t (x)');
      for (const name of ['memoir.db', 'memoir.db-wal', 'memoir.db-shm', 'lock.db', 'run.json'])
        expect([name, mode(join(dir, name))]).toEqual([name, '600']);
      db.close();
      folder.close();
    } finally {
      process.umask(before);
    }
  },
);
