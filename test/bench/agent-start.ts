// (l) The processor time of `memoir mcp` from the start of the process to its answer to `initialize`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { newFolder, removeFolder } from './support/memoir.ts';
import { median, whole } from './support/numbers.ts';
import { processorMs } from './support/process.ts';

const MOST_MS = 900;

const main = join(import.meta.dirname, '../../bin/memoir.js');

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
};

/** Starts the tools over an empty folder and returns the milliseconds. Compiled modules are in the folder `compiled`. */
const startOnce = async (compiled: string): Promise<number> => {
  const dir = newFolder();
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const child = spawn(process.execPath, [main, 'mcp', '--data-dir', dir], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  try {
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const [answer] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
    if (child.pid === undefined || !Buffer.isBuffer(answer)) throw new Error('memoir mcp ended too early.');
    return processorMs(child.pid);
  } finally {
    child.stdin.end();
    await ended;
    removeFolder(dir);
  }
};

/** A first start has an empty folder of its own for compiled modules. */
const firstStart = async (): Promise<number> => {
  const compiled = newFolder();
  try {
    return await startOnce(compiled);
  } finally {
    removeFolder(compiled);
  }
};

const row = (what: string, measured: readonly number[]): Row => {
  const middle = median(measured);
  const figure = `${whole(middle)} ms (${whole(Math.min(...measured))}–${whole(Math.max(...measured))})`;
  return { what, figure, target: `at most ${MOST_MS} ms`, met: middle <= MOST_MS };
};

export const agentStart = async ({ agentStarts }: Sizes): Promise<Section> => {
  const [first, again]: [number[], number[]] = [[], []];
  const compiled = newFolder();
  try {
    await startOnce(compiled);
    for (let round = 0; round < agentStarts; round += 1) {
      first.push(await firstStart());
      again.push(await startOnce(compiled));
    }
  } finally {
    removeFolder(compiled);
  }
  return {
    letter: 'l',
    title: 'Processor time of memoir mcp until it answers initialize',
    rows: [row('a first start, nothing compiled, median', first), row('a later start, median', again)],
    notes: [`${agentStarts} starts of each kind, in turns.`],
  };
};
