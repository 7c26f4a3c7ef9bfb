// Processes of the bench: started, awaited by their output, observed from outside, stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Listener {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

const stopChild = async (child: ChildProcess): Promise<void> => {
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  await exited(child);
  clearTimeout(force);
};

const addressFrom = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error(`No address after ${START_LIMIT_MS} ms.`)),
      START_LIMIT_MS,
    );
    child.once('exit', (code) =>
      reject(new Error(`The process ended with code ${code} before it listened.`)),
    );
    if (!child.stdout) return reject(new Error('The process has no output.'));
    createInterface(child.stdout).on('line', (line) => {
      const url = ADDRESS.exec(line)?.[0];
      if (url === undefined) return;
      clearTimeout(limit);
      resolve(url);
    });
  });

/** Runs a script with Node and waits until it prints its address. */
export const startProcess = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Listener> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return { url: await addressFrom(child), pid: child.pid ?? 0, stop: () => stopChild(child) };
  } catch (error) {
    await stopChild(child);
    throw error;
  }
};

const MB = 1024;

/** Resident memory in MB; 0 if the system does not report it. */
export const residentMb = (pid: number): number => {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kb ?? 0) / MB;
  } catch {
    return 0;
  }
};

/** Linux counts processor time in ticks of this length. */
const TICK_MS = 10;

/** Processor time of a process with all of its threads, its children apart, in milliseconds. */
export const processorMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) * TICK_MS;
};

/** The same of each thread, by its name; those of Node itself share names. */
export const threadsMs = (pid: number): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    if (!existsSync(folder)) continue;
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    const [nanoseconds = '0'] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
    sums.set(name, (sums.get(name) ?? 0) + Number(nanoseconds) / 1e6);
  }
  return sums;
};

/** The children of a process whose command line holds the word. */
export const childrenNamed = (pid: number, word: string): number[] => {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return ids
      .filter((id) => id !== '' && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(word))
      .map(Number);
  } catch {
    return [];
  }
};
