// Tests of the supervised local Chroma.
import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexAt, openChroma } from '../../../../server/adapters/vectors/chroma/open-chroma.ts';
import {
  CHROMA_TIMING,
  type ChromaServer,
  type ChromaServerOptions,
  createChromaServer,
  pauseBefore,
} from '../../../../server/adapters/vectors/chroma/server/supervisor.ts';
import {
  type ChromaIndex,
  createChromaIndex,
} from '../../../../server/adapters/vectors/chroma/vector-index.ts';
import { timePasses } from '../../../support/until.ts';
import {
  DIMENSIONS,
  eventually,
  everything,
  isAlive,
  rowsOf,
  type TestFolder,
  testFolder,
  vectorOf,
} from './fixtures/chroma.ts';

const onLinux = it.skipIf(process.platform !== 'linux');
const onUnix = it.skipIf(process.platform === 'win32');

let at: TestFolder;
let logged: string[] = [];
const servers: ChromaServer[] = [];
const parents: ChildProcess[] = [];

beforeEach(() => {
  at = testFolder();
  logged = [];
});
afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  at.remove();
});

const start = (timing: ChromaServerOptions['timing'] = {}): ChromaServer => {
  const server = createChromaServer({
    folder: at.folder,
    log: (level, text) => logged.push(`${level} ${text}`),
    timing,
  });
  servers.push(server);
  return server;
};

const started = async (timing?: ChromaServerOptions['timing']) => {
  const server = start(timing);
  await server.ready();
  return { server, index: createChromaIndex({ url: server.url, namespace: 'test' }) };
};

const pidOf = (server: ChromaServer): number => server.pid() ?? Number.NaN;

const kill = (server: ChromaServer, signal: NodeJS.Signals): void => {
  process.kill(pidOf(server), signal);
};

/** After the next start, not the present one. */
const backAgain = async (server: ChromaServer): Promise<number> => {
  const before = server.url();
  return eventually(() => server.url() !== null && server.url() !== before);
};

const nearest = (index: ChromaIndex, n: number, k = 1) =>
  index.nearest(everything, { space: 1, vector: vectorOf(n), k, containers: null });

/** Writes nonsense over a file of the only index there is; of its header only over the sizes. */
const damage = (name: string, from: number, value: number): void => {
  const [index = ''] = readdirSync(at.folder).filter((item) => /^[0-9a-f-]{36}$/.test(item));
  const file = join(at.folder, index, name);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(value, from, name === 'header.bin' ? 40 : bytes.length));
};

interface Told {
  pid?: number;
  url?: string;
  refused?: string;
}

const forkParent = (
  script: string | URL,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): { parent: ChildProcess; told: Promise<Told> } => {
  const parent = fork(script, args, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  parents.push(parent);
  return {
    parent,
    told: new Promise((heard) => parent.once('message', (message) => heard(message as Told))),
  };
};

const PARENT = new URL('./fixtures/chroma-parent.ts', import.meta.url);

describe('the local Chroma', () => {
  it('starts, answers, stops in order and keeps its data', async () => {
    const { server, index } = await started();
    expect(server.state()).toEqual({ status: 'ready' });
    await index.upsert(1, DIMENSIONS, rowsOf(0, 400));
    await server.stop();
    expect([server.url(), server.pid(), server.state().status]).toEqual([null, null, 'down']);
    await expect(server.ready()).rejects.toThrow('Chroma was stopped.');

    const again = await started();
    expect(await again.index.count(1)).toBe(400);
    expect(await nearest(again.index, 123)).toMatchObject([{ n: 123 }]);
  });

  it('is back after kill -9, with its data, and reports it', async () => {
    const { server, index } = await started();
    const heard: (string | null)[] = [];
    server.watch((url) => heard.push(url));
    await index.upsert(1, DIMENSIONS, rowsOf(0, 400));
    kill(server, 'SIGKILL');
    await eventually(() => server.url() === null);
    expect(server.state()).toMatchObject({ status: 'down', detail: expect.stringContaining('SIGKILL') });
    await expect(index.count(1)).rejects.toThrow('Chroma does not answer');
    await server.ready();
    expect(await index.count(1)).toBe(400);
    expect(await nearest(index, 321)).toMatchObject([{ n: 321 }]);
    expect(heard).toEqual([null, server.url()]);
    expect(logged.join('\n')).toMatch(/warn Chroma stopped \(SIGKILL\)\. Starting it again in 250 ms\./);
  });

  it('exits when the process that started it is killed with -9', async () => {
    const { parent, told } = forkParent(PARENT, [at.folder]);
    const { pid = 0 } = await told;
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => !isAlive(pid));
    await started();
  });

  it('survives the signals that a terminal or a service manager sends to every process', async () => {
    const { server, index } = await started();
    kill(server, 'SIGTERM');
    kill(server, 'SIGHUP');
    await index.upsert(1, DIMENSIONS, rowsOf(0, 3));
    expect(await index.count(1)).toBe(3);
  });

  it('refuses a folder that another server has locked, and locks it when that one exits', async () => {
    const { server } = await started();
    const second = start({ lockWaitMs: 100 });
    await expect(second.ready()).rejects.toThrow(
      /Another process already runs a Chroma on .*Stop the other server/,
    );
    expect(second.state()).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('Another process'),
    });
    await server.stop();
    await second.ready();
  });

  it('waits for a server that is just releasing the folder', async () => {
    const { parent, told } = forkParent(PARENT, [at.folder]);
    await told;
    const second = start();
    const ready = second.ready();
    await timePasses(300, 'the second server finds that the folder is in use');
    parent.kill('SIGKILL');
    await ready;
    expect(logged.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('starts empty when its folder was deleted while it was stopped', async () => {
    const { server, index } = await started();
    await index.upsert(1, DIMENSIONS, rowsOf(0, 10));
    await server.stop();
    rmSync(at.folder, { recursive: true });
    const again = await started();
    expect(await again.index.count(1)).toBeNull();
    await again.index.upsert(1, DIMENSIONS, rowsOf(0, 4));
    expect(await again.index.count(1)).toBe(4);
  });

  it('starts again, empty, when its folder is deleted while it runs', async () => {
    const { server, index } = await started({ heartbeatMs: 50, firstPauseMs: 20 });
    await index.upsert(1, DIMENSIONS, rowsOf(0, 10));
    rmSync(at.folder, { recursive: true });
    await backAgain(server);
    await server.ready();
    await index.upsert(1, DIMENSIONS, rowsOf(0, 4));
    expect(await index.count(1)).toBe(4);
  });

  it('starts again when a file of the same name stands in for the deleted one, as Chroma makes it', async () => {
    const { server, index } = await started({ heartbeatMs: 50, firstPauseMs: 20 });
    await index.upsert(1, DIMENSIONS, rowsOf(0, 10));
    rmSync(at.folder, { recursive: true });
    mkdirSync(at.folder);
    writeFileSync(join(at.folder, 'chroma.sqlite3'), '');
    await backAgain(server);
    expect(logged).toContain("warn Chroma's folder is gone: it is ended.");
  });

  onUnix('is down at the first heartbeat that it misses, and ready again when it answers', async () => {
    const { server } = await started({ heartbeatMs: 30, silenceMs: 300 });
    const { heartbeatMs, silenceMs } = CHROMA_TIMING;
    expect(heartbeatMs + silenceMs).toBeLessThan(5_000);
    const url = server.url();
    kill(server, 'SIGSTOP');
    await eventually(() => server.state().status === 'down');
    expect(server.state().detail).toBe('Chroma does not answer');
    kill(server, 'SIGCONT');
    await eventually(() => server.state().status === 'ready');
    expect(server.url()).toBe(url);
  });

  onUnix('is started again when it hangs', async () => {
    const { server } = await started({ heartbeatMs: 30, silenceMs: 100, firstPauseMs: 20 });
    const hanging = pidOf(server);
    kill(server, 'SIGSTOP');
    await backAgain(server);
    expect(isAlive(hanging)).toBe(false);
    expect(logged).toContain('warn Chroma no longer answers: it is ended.');
  });

  onUnix('empties a folder on which it crashes twice, and serves again', async () => {
    mkdirSync(at.folder);
    writeFileSync(join(at.folder, 'chroma.sqlite3'), 'this is no database'.repeat(1_000));
    const { server, index } = await started({ firstPauseMs: 20 });
    expect(server.state()).toEqual({ status: 'ready' });
    await index.upsert(1, DIMENSIONS, rowsOf(0, 4));
    expect(await index.count(1)).toBe(4);
    expect(logged.join('\n')).toMatch(
      /SIGABRT.*file is not a database[\s\S]*error Chroma crashed twice on its folder/,
    );
  });

  onUnix('empties its folder too when the crashes come with the first queries', async () => {
    const { server, index } = await started();
    // The last write is too small to be written down: it is put into the damaged index when that is loaded.
    await index.upsert(1, DIMENSIONS, rowsOf(0, 1_350));
    await nearest(index, 5);
    await server.stop();
    damage('data_level0.bin', 0, 0x7f);
    const again = await started({ firstPauseMs: 20 });
    await expect(nearest(again.index, 5)).rejects.toThrow('Chroma does not answer');
    await eventually(() => again.server.url() === null);
    await again.server.ready();
    await expect(again.index.count(1)).rejects.toThrow('Chroma does not answer');
    await eventually(() => again.server.url() === null);
    await again.server.ready();
    expect(await again.index.count(1)).toBeNull();
    expect(logged.join('\n')).toContain('error Chroma crashed twice on its folder');
  });

  it('gets a space filled again when its index is unreadable', async () => {
    const { server, index } = await started();
    await index.upsert(1, DIMENSIONS, rowsOf(0, 1_500));
    await nearest(index, 5);
    await server.stop();
    damage('header.bin', 8, 0x11);
    const again = await started();
    await expect(nearest(again.index, 5)).rejects.toThrow(/Chroma answered with an error \(500\).*hnsw/);
    expect(await again.index.count(1)).toBeNull();
    await again.index.upsert(1, DIMENSIONS, rowsOf(0, 20));
    expect(await nearest(again.index, 5)).toMatchObject([{ n: 5 }]);
  });

  it('leaves no file of a dropped space after a restart, and keeps the other spaces', async () => {
    const { server, index } = await started();
    await index.upsert(1, DIMENSIONS, rowsOf(0, 1_500));
    await index.upsert(2, DIMENSIONS, rowsOf(0, 1_500));
    await nearest(index, 5);
    const folders = () =>
      readdirSync(at.folder, { withFileTypes: true }).filter((item) => item.isDirectory()).length;
    expect(folders()).toBe(2);
    await index.drop(1);
    await server.restart();
    await server.ready();
    expect(folders()).toBe(1);
    expect(await index.count(2)).toBe(1_500);
    expect(logged).toContain('debug Removed 1 index folders of dropped collections.');
  });

  onLinux('is given none of the secrets of the server, and no telemetry', async () => {
    process.env.MEMOIR_TEST_SECRET = 'hush-hush';
    const { server } = await started();
    delete process.env.MEMOIR_TEST_SECRET;
    const env = readFileSync(`/proc/${server.pid()}/environ`, 'utf8').split('\0');
    expect(env.join('\n')).not.toContain('hush-hush');
    expect(env).toContain('ANONYMIZED_TELEMETRY=False');
  });

  onLinux('is given the place of compiled modules', async () => {
    const { server } = await started();
    const env = readFileSync(`/proc/${server.pid()}/environ`, 'utf8').split('\0');
    expect(process.env.NODE_COMPILE_CACHE).toBeTruthy();
    expect(env).toContain(`NODE_COMPILE_CACHE=${process.env.NODE_COMPILE_CACHE}`);
  });

  onLinux('lets others go first: its threads have a lower priority', async () => {
    const { server, index } = await started();
    await index.upsert(1, DIMENSIONS, rowsOf(0, 10));
    const threads = readdirSync(`/proc/${server.pid()}/task`).map((thread) => ({
      name: readFileSync(`/proc/${server.pid()}/task/${thread}/comm`, 'utf8').trim(),
      priority: getPriority(Number(thread)),
    }));
    const chromas = threads.filter(({ name }) => name.startsWith('tokio'));
    expect(chromas.length).toBeGreaterThan(0);
    for (const { priority } of chromas) expect(priority).toBe(Math.min(19, getPriority() + 5));
  });

  it('gives up with one sentence when no Chroma can be loaded or fetched', async () => {
    const app = join(at.root, 'app');
    for (const part of ['adapters/vectors', 'lib', 'core']) {
      const source = fileURLToPath(new URL(`../../../../server/${part}`, import.meta.url));
      cpSync(source, join(app, 'server', part), { recursive: true });
    }
    const script = join(app, 'test/adapters/vectors/chroma/fixtures/chroma-parent.ts');
    cpSync(fileURLToPath(PARENT), script);
    const nothing = {
      ...process.env,
      XDG_CACHE_HOME: join(at.root, 'cache'),
      npm_config_registry: 'http://127.0.0.1:9/',
    };
    const { refused } = await forkParent(script, [at.folder], nothing).told;
    expect(refused).toMatch(/No Chroma server can be started here|could not be fetched/);
    expect(refused).toMatch(/set CHROMA_URL/i);
  });

  it('explains why it cannot be started when no folder can be made', async () => {
    writeFileSync(at.folder, 'a file');
    await expect(start().ready()).rejects.toThrow(/^Chroma could not be started: .*EEXIST/);
  });

  it('pauses longer after each failure, up to 15 s', () => {
    const pauses = [1, 2, 3, 6, 7, 50].map((failures) => pauseBefore(failures, CHROMA_TIMING));
    expect(pauses).toEqual([250, 500, 1_000, 8_000, 15_000, 15_000]);
  });
});

describe('Chroma as the vector index', () => {
  it('is a local one over a folder, or another by its address', async () => {
    const none = { url: null, external: false, token: null, tenant: null, database: null, shards: 1 };
    const options = { ...none, namespace: 'test' };
    const local = openChroma({ ...options, server: start() });
    await local.ready();
    expect(local.state()).toEqual({ status: 'ready' });
    await local.index.upsert(1, DIMENSIONS, rowsOf(0, 3));
    expect(await local.index.count(1)).toBe(3);
    await local.close();
    expect(local.state()?.status).toBe('down');

    const { server } = await started();
    const remote = openChroma({ ...options, server: null, url: server.url(), external: true });
    await remote.ready();
    expect(remote.state()).toBe(null);
    expect(await remote.index.count(1)).toBe(3);
    await remote.close();
    expect(existsSync(at.folder)).toBe(true);
  });

  it('takes larger writes where it is a local one, also at a known address', () => {
    const place = { url: 'http://127.0.0.1:1', token: null, tenant: null, database: null, shards: 1 };
    const batchOf = (external: boolean) => indexAt(() => place.url, { ...place, external }, 'test').batch;
    expect([batchOf(false), batchOf(true)]).toEqual([600, 300]);
  });

  it('is reported as complete for a space only after it was confirmed', async () => {
    const none = { url: null, external: false, token: null, tenant: null, database: null, shards: 1 };
    const chroma = openChroma({ ...none, server: start(), namespace: 'test' });
    await chroma.ready();
    expect(chroma.holds(1)).toBe(false);
    chroma.heard({ url: chroma.url(), spaces: [1] });
    expect([chroma.holds(1), chroma.holds(2)]).toEqual([true, false]);
    chroma.heard({ url: 'http://127.0.0.1:1', spaces: [1] });
    expect(chroma.holds(1)).toBe(false);
    chroma.heard({ url: chroma.url(), spaces: [1] });
    await chroma.close();
    expect(chroma.holds(1)).toBe(false);
  });
});
