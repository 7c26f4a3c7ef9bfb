// (e) The time from the start of the process to the first 200 of /health.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { newFolder, removeFolder, serverEnv } from './support/memoir.ts';
import { median, whole } from './support/numbers.ts';
import type { Stores } from './support/stores.ts';

const MOST_MS = 5000;
const LIMIT_MS = 60_000;
const POLL_MS = 5;

const main = join(import.meta.dirname, '../../bin/memoir.js');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('There is no free port.'));
      });
    });
  });

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/health`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
};

/** Starts `npm start`, returns the milliseconds, and stops it. Compiled modules are in the second folder. */
const startOnce = async (dir: string, compiled: string): Promise<number> => {
  const port = await freePort();
  const env = { ...process.env, ...serverEnv(dir), PORT: String(port), NODE_COMPILE_CACHE: compiled };
  const start = performance.now();
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    while (!(await isReady(`http://127.0.0.1:${port}`))) {
      if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}.`);
      if (performance.now() - start > LIMIT_MS) throw new Error(`Not ready after ${LIMIT_MS} ms.`);
      await sleep(POLL_MS);
    }
    return performance.now() - start;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

const row = (what: string, measured: readonly number[]): Row => {
  const middle = median(measured);
  const figure = `${whole(middle)} ms (${whole(Math.min(...measured))}–${whole(Math.max(...measured))})`;
  return { what, figure, target: `under ${MOST_MS / 1000} s`, met: middle < MOST_MS };
};

const repeated = async (rounds: number, once: () => Promise<number>): Promise<number[]> => {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await once());
  return measured;
};

const onEmptyFolder = async (): Promise<number> => {
  const [dir, compiled] = [newFolder(), newFolder()];
  try {
    return await startOnce(dir, compiled);
  } finally {
    removeFolder(dir);
    removeFolder(compiled);
  }
};

/** All but the first of them find compiled modules. */
const onFullFolder = async (dir: string, rounds: number): Promise<number[]> => {
  const compiled = newFolder();
  try {
    await startOnce(dir, compiled);
    return await repeated(rounds, () => startOnce(dir, compiled));
  } finally {
    removeFolder(compiled);
  }
};

/** The server of the large store is stopped for this, and started again. */
export const start = async (sizes: Sizes, stores: Stores): Promise<Section> => {
  if (!existsSync(main)) throw new Error('There is no bin/memoir.js to start.');
  const first = await repeated(sizes.rounds, onEmptyFolder);
  const { server, chunks } = await stores.largest();
  await server.stop();
  const again = await onFullFolder(server.dir, sizes.rounds);
  await server.start();
  return {
    letter: 'e',
    title: 'Start of the process to ready',
    rows: [row('the first start, empty folder', first), row(`a later start, ${whole(chunks)} chunks`, again)],
    notes: [],
  };
};
