// A server whose disk is full, as the limit of the size of files makes it for any user; and a folder that is damaged.
import { execFileSync, spawnSync } from 'node:child_process';
import { openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { newPlace, type Place, run, type Server, serve } from '../cli/memoir-process.ts';
import { verifies } from '../spec/verifies.ts';
import { PROGRAM } from '../support/program.ts';

/** Part of every Linux; elsewhere these tests have nothing to limit with. */
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

let place: Place;
let server: Server;
let key = '';
let dir = '';

const askAt = async (url: string, token: string, method: string, path: string, body?: object | FormData) => {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: text === '' ? {} : JSON.parse(text),
  };
};

const ask = (method: string, path: string, body?: object | FormData) =>
  askAt(server.url, key, method, path, body);

const form = () => {
  const upload = new FormData();
  upload.append('file', new Blob(['The heron waits. '.repeat(200_000)]), 'heron.txt');
  return upload;
};

const limitFiles = (bytes: number | 'unlimited'): void => {
  execFileSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:unlimited`]);
};

const SMALL = 1_000;

describe.runIf(canLimit)('a full disk', () => {
  beforeAll(async () => {
    place = newPlace();
    dir = join(place.cwd, '.memoir');
    server = await serve(place);
    key = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')).token;
  }, 90_000);
  afterAll(async () => {
    await server.stop();
    place.remove();
  });

  verifies(
    'storage:full:told',
    'a full disk is told to every caller who writes, and by the health until a write is stored again',
    async () => {
      const added = await ask('POST', '/v3/documents', {
        content: 'The heron waits.',
        containerTag: 'birds',
      });
      expect((await ask('GET', '/health')).status).toBe(200);
      limitFiles(SMALL);
      const writes: [string, string, (object | FormData)?][] = [
        ['POST', '/v3/documents', { content: 'The egret flies.' }],
        ['POST', '/v3/documents/batch', { documents: ['The egret flies.'] }],
        ['POST', '/v3/documents/file', form()],
        ['PATCH', `/v3/documents/${added.body.id}`, { content: 'The egret flies.' }],
        ['DELETE', `/v3/documents/${added.body.id}`],
        ['POST', '/v4/memories', { containerTag: 'birds', memories: [{ content: 'Ada likes herons.' }] }],
        ['POST', '/v3/auth/agent-key', { name: 'key', permission: 'read' }],
      ];
      for (const [method, path, body] of writes) {
        const answer = await ask(method, path, body);
        expect([path, answer.status, answer.body.error, answer.retryAfter]).toEqual([
          path,
          507,
          expect.stringMatching(/disk of the server is full.*Free some disk space/),
          '30',
        ]);
      }
      const ill = await ask('GET', '/health');
      expect(ill).toMatchObject({ status: 503, body: { status: 'unavailable', ready: true } });
      expect(ill.body.parts.store).toEqual({
        status: 'down',
        detail: expect.stringMatching(/disk is full.*memoir\.db.*free some space/),
      });
      expect((await ask('GET', `/v3/documents/${added.body.id}`)).status).toBe(200);

      limitFiles('unlimited');
      expect((await ask('POST', '/v3/documents', { content: 'The egret flies.' })).status).toBe(200);
      expect((await ask('POST', '/v3/documents/file', form())).status).toBe(200);
      const well = await ask('GET', '/health');
      expect([well.status, well.body.parts.store.status]).toEqual([200, 'ok']);
    },
    { timeoutMs: 60_000 },
  );
});

verifies(
  'storage:moved:told',
  'a data folder that is moved while its server runs takes no writes, and takes them again when it is back',
  async () => {
    const other = newPlace();
    const data = join(other.cwd, '.memoir');
    const running = await serve(other);
    const { token } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8'));
    const add = async (content: string) => {
      const { status, body } = await askAt(running.url, token, 'POST', '/v3/documents', { content });
      return `${status} ${body.error ?? body.status}`;
    };
    try {
      expect(await add('The heron waits.')).toBe('200 queued');
      renameSync(data, `${data}-moved`);
      expect(await add('The egret flies.')).toMatch(/^503 .*moved, removed or replaced.*\/health/);
      const ill = await askAt(running.url, token, 'GET', '/health');
      expect([ill.status, ill.body.parts.store]).toEqual([
        503,
        { status: 'down', detail: expect.stringMatching(/memoir\.db was moved.*put the file back/) },
      ]);
      rmSync(data, { recursive: true, force: true });
      renameSync(`${data}-moved`, data);
      expect(await add('The egret flies.')).toBe('200 queued');
      expect((await askAt(running.url, token, 'GET', '/health')).status).toBe(200);
    } finally {
      await running.stop();
      other.remove();
    }
  },
  { timeoutMs: 60_000 },
);

describe('a folder that cannot be used', () => {
  verifies(
    ['storage:damaged:told', 'storage:full:told'],
    'a folder that cannot be used is refused with the path and the remedy, and is used again when it is whole',
    async () => {
      const other = newPlace();
      const data = join(other.cwd, '.memoir');
      const database = join(data, 'memoir.db');
      try {
        await run(['add', 'The heron waits.', '--wait'], other);
        const whole = readFileSync(database);
        const refused = async (): Promise<string> => {
          const { code, stderr } = await run(['serve', '--port', '0'], other);
          expect(code).toBe(1);
          return stderr;
        };
        rmSync(database);
        expect(await refused()).toMatch(/memoir\.db is missing or empty.*backup/);
        const damaged = Buffer.from(whole);
        damaged.fill(9, 0, 4096);
        writeFileSync(database, damaged);
        expect(await refused()).toMatch(/memoir\.db is damaged.*backup/);
        expect(readFileSync(database).equals(damaged)).toBe(true);
        const overwritten = Buffer.from(whole);
        overwritten.fill(9, 4096);
        writeFileSync(database, overwritten);
        expect(await refused()).toMatch(/memoir\.db is damaged.*backup/);
        expect(readFileSync(database).equals(overwritten)).toBe(true);
        writeFileSync(database, whole);
        if (canLimit) {
          const { status, stderr } = spawnSync(
            'prlimit',
            ['--fsize=10', process.execPath, PROGRAM, 'serve', '--port', '0'],
            { cwd: other.cwd, encoding: 'utf8', env: { PATH: process.env.PATH } },
          );
          expect([status, stderr]).toEqual([
            1,
            expect.stringMatching(/disk is full.*run\.json.*Free some disk space/s),
          ]);
        }
        const { stdout } = await run(['search', 'heron'], other);
        expect(stdout).toContain('The heron waits');
        expect(statSync(database).size).toBeGreaterThan(0);
      } finally {
        other.remove();
      }
    },
    { timeoutMs: 90_000 },
  );
});

describe('a database that is damaged while the server runs', () => {
  verifies(
    'storage:damaged:told',
    'a database that is damaged while the server runs is told by the health',
    async () => {
      const other = newPlace();
      await run(['add', 'The heron waits.', '--wait'], other);
      const running = await serve(other);
      try {
        const file = join(other.cwd, '.memoir', 'memoir.db');
        const { token } = JSON.parse(readFileSync(join(other.cwd, '.memoir', 'run.json'), 'utf8'));
        const { size } = statSync(file);
        const handle = openSync(file, 'r+');
        writeSync(handle, Buffer.alloc(size - 4096, 7), 0, size - 4096, 4096);
        // A thread that has nothing of the file in its cache reads for an explanation.
        const search = await fetch(`${running.url}/v4/search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ q: 'heron', include: { explainId: 'nothing' } }),
        });
        expect([search.status, await search.json()]).toEqual([
          500,
          { error: expect.stringMatching(/database of this server is damaged.*\/health/) },
        ]);
        const health = await fetch(`${running.url}/health`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const { parts } = (await health.json()) as { parts: { store: { status: string; detail: string } } };
        expect([health.status, parts.store.status]).toEqual([503, 'down']);
        expect(parts.store.detail).toMatch(/memoir\.db is damaged.*backup/);
      } finally {
        running.child.kill('SIGKILL');
        await running.ended;
        other.remove();
      }
    },
    { timeoutMs: 90_000 },
  );
});
