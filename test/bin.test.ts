// The launcher, on Nodes that are old: they are only said to be, by a preloaded module.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NEEDED_NODE } from '../server/cli/doctor/checks.ts';
import { verifies } from './spec/verifies.ts';

const root = join(import.meta.dirname, '..');
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
};

const NEEDED = `${engines.node.replace('>=', '')}.0`;
const OLD = '18.20.4';
/** In the launcher alone: whoever it starts is told apart by the variable. */
const preload = `if (!process.env.MEMOIR_LAUNCHED)
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${OLD}' } });`;
const OLD_NODE = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'memoir-bin-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** As npm lays it out, with a program that tells who runs it in place of the real one. */
function install({ node }: { node: string | null }): string {
  const memoir = join(place, 'node_modules', 'memoir');
  mkdirSync(join(memoir, 'dist', 'server'), { recursive: true });
  cpSync(join(root, 'bin'), join(memoir, 'bin'), { recursive: true });
  cpSync(join(root, 'package.json'), join(memoir, 'package.json'));
  writeFileSync(
    join(memoir, 'dist', 'server', 'main.js'),
    `process.stdout.write([process.env.MEMOIR_LAUNCHED ?? 'directly', ...process.argv.slice(2)].join());
     if (process.argv[2] === 'wait') setInterval(() => {}, 1000); else process.exitCode = 7;`,
  );
  if (node !== null) {
    const other = join(place, 'node_modules', 'node');
    mkdirSync(join(other, 'bin'), { recursive: true });
    writeFileSync(join(other, 'package.json'), JSON.stringify({ name: 'node', version: node }));
    symlinkSync(process.execPath, join(other, 'bin', 'node'));
  }
  return join(memoir, 'bin', 'memoir.js');
}

const start = (file: string, args: string[], env: Record<string, string>) =>
  spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function launch(file: string, args: string[], env: Record<string, string> = {}) {
  const child = start(file, args, env);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number];
  return { code, stdout, stderr };
}

test('the checkout tells its version', async () => {
  expect(await launch(join(root, 'bin', 'memoir.js'), ['--version'])).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  });
});

describe('a checkout', () => {
  /** A source, and a build that was made from it; each says what it is. */
  const checkout = () => {
    const source = join(place, 'server', 'main.ts');
    cpSync(join(root, 'bin'), join(place, 'bin'), { recursive: true });
    cpSync(join(root, 'package.json'), join(place, 'package.json'));
    mkdirSync(join(place, 'server'));
    mkdirSync(join(place, 'dist', 'server'), { recursive: true });
    writeFileSync(source, "process.stdout.write('source');");
    writeFileSync(join(place, 'dist', 'server', 'main.js'), "process.stdout.write('build');");
    const { size, mtimeMs } = statSync(source);
    const sources = join(place, 'dist', 'sources.json');
    writeFileSync(sources, JSON.stringify([['server/main.ts', size, mtimeMs]]));
    return { source, sources, run: () => launch(join(place, 'bin', 'memoir.js'), []) };
  };

  test('runs its build while the source is the same', async () => {
    expect(await checkout().run()).toMatchObject({ code: 0, stdout: 'build' });
  });

  test('runs its source after a change, be it of the same size', async () => {
    const { source, run } = checkout();
    writeFileSync(source, "process.stdout.write('soURce');");
    expect(await run()).toMatchObject({ code: 0, stdout: 'soURce' });
  });

  test('runs its source where a file of the build is gone or the build was not finished', async () => {
    const { sources, run } = checkout();
    writeFileSync(sources, '[["server/main.ts",39,0],["server/gone.ts",1,0]]');
    expect(await run()).toMatchObject({ stdout: 'source' });
    rmSync(sources);
    expect(await run()).toMatchObject({ stdout: 'source' });
  });
});

test('a Node that is new enough runs the build in its own process', async () => {
  expect(await launch(install({ node: null }), ['a', 'b c'])).toEqual({
    code: 7,
    stdout: 'directly,a,b c',
    stderr: '',
  });
});

describe('an old Node', () => {
  test('hands over to the npm package "node", with arguments and exit code', async () => {
    expect(await launch(install({ node: NEEDED }), ['a', 'b c'], OLD_NODE)).toEqual({
      code: 7,
      stdout: '1,a,b c',
      stderr: '',
    });
  });

  test.each([null, '20.1.0'])('says what to do when that package is %s', async (node) => {
    const { code, stdout, stderr } = await launch(install({ node }), ['a'], OLD_NODE);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const needed = engines.node.replace('>=', '');
    expect(stderr).toContain(`Memoir needs Node ${needed} or newer, and this is Node ${OLD}.`);
    expect(stderr).toContain('npm install node@24');
  });

  test('passes signals on and ends as the other process does', async () => {
    const child = start(install({ node: NEEDED }), ['wait'], OLD_NODE);
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await exited).toEqual([null, 'SIGTERM']);
  });
});

test('an installation without its build says so', async () => {
  const file = install({ node: null });
  rmSync(join(place, 'node_modules', 'memoir', 'dist'), { recursive: true });
  const { code, stderr } = await launch(file, []);
  expect(code).toBe(1);
  expect(stderr).toContain('holds no dist/server/main.js. Install it again.');
});

test('doctor asks for the same Node as the launcher', () => {
  expect(`>=${NEEDED_NODE}`).toBe(engines.node);
});

describe('compiled modules', () => {
  /** As outside of these tests, whose own cache is named by the variable. */
  const launchWithCache = (caches: string) =>
    launch(install({ node: null }), ['a'], { NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: caches });
  const compiledIn = (caches: string) =>
    readdirSync(join(caches, 'memoir', 'compiled'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );

  verifies(
    'start:compiled:private',
    'are kept for the next start in the cache folder of the user, closed to others',
    async () => {
      const caches = join(place, 'caches');
      expect((await launchWithCache(caches)).code).toBe(7);
      expect(compiledIn(caches).length).toBeGreaterThan(0);
      expect(statSync(join(caches, 'memoir', 'compiled')).mode & 0o077).toBe(0);
    },
  );

  verifies('start:compiled:private', 'are neither read nor kept where others may write', async () => {
    const folder = join(place, 'memoir', 'compiled');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    expect((await launchWithCache(place)).code).toBe(7);
    expect(compiledIn(place)).toEqual([]);
  });

  test('are not needed: it starts where none can be kept', async () => {
    writeFileSync(join(place, 'file'), '');
    expect(await launchWithCache(join(place, 'file'))).toMatchObject({ code: 7, stderr: '' });
  });
});
