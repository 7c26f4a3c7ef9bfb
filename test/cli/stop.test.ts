// Stopping a server that npm started: the shell of npm passes no signal on.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { until } from '../support/until.ts';

// Each test starts two servers, and machines that build have other work as well.
vi.setConfig({ testTimeout: 90_000 });

const ROOT = join(import.meta.dirname, '..', '..');
const OURS = /^(MEMOIR_|CHROMA_|OPENAI_|PORT$|HOST$|NODE_OPTIONS$|npm_)/;
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

const COMMANDS = [
  ['npm', 'start'],
  ['npm', 'run', '-s', 'memoir', '--', 'serve'],
  ['npx', 'memoir', 'serve'],
] as const;

let folder: string;
let groups: number[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memoir-stop-'));
  groups = [];
});
afterEach(() => {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  npm: ChildProcess;
  url: string;
  /** The processes of its group; a terminal sends Ctrl-C to all of them. */
  group: number;
}

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name))),
  PORT: '0',
  MEMOIR_DATA_DIR: folder,
  MEMOIR_LOCAL_SERVERS: 'none',
});

/** Until it says its address. */
const start = async ([program, ...args]: readonly [string, ...string[]]): Promise<Started> => {
  const npm = spawn(program, args, { cwd: ROOT, env: environment(), detached: true, stdio: 'pipe' });
  const group = npm.pid ?? 0;
  groups.push(group);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream?.on('data', (part: Buffer) => {
      output += part.toString();
    });
  await until('the server to say its address', () => ADDRESS.test(output) || npm.exitCode !== null, 60_000);
  const url = ADDRESS.exec(output)?.[0];
  if (url === undefined) throw new Error(`The server did not start: ${output}`);
  return { npm, url, group };
};

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false,
  );

/** No process of the group is left, Chroma included. */
const isGone = (group: number): boolean => {
  try {
    process.kill(-group, 0);
    return false;
  } catch {
    return true;
  }
};

const stopped = async ({ npm, url, group }: Started): Promise<void> => {
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit');
  await until('all processes to end', () => isGone(group));
  expect(await answers(url)).toBe(false);
};

describe.skipIf(process.platform === 'win32').each(COMMANDS)('%s %s %s', (...words) => {
  const command = words.filter((word) => typeof word === 'string') as unknown as [string, ...string[]];

  verifies('serve:npm:stops', 'ends with its server when npm is told to end, and starts again', async () => {
    const first = await start(command);
    expect(await answers(first.url)).toBe(true);
    first.npm.kill('SIGTERM');
    await stopped(first);
    const second = await start(command);
    expect(await answers(second.url)).toBe(true);
    process.kill(-second.group, 'SIGINT');
    await stopped(second);
  });
});
