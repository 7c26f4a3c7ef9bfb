// The real server in a process group of its own, to be killed at any moment.
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM } from '../support/program.ts';

export interface Server {
  url: string;
  pid: number;
  /** The address of its Chroma; null while Chroma does not answer. */
  chroma(): string | null;
  /** Its log since it was started. */
  log(): string;
  /** Kills the whole group at once; `harsh`: its Chroma and its extraction children as well, in mid-work. */
  kill(harsh: boolean): Promise<void>;
  /** Stops the server gracefully and returns the exit code. */
  stop(): Promise<number | null>;
}

export interface Folder {
  dir: string;
  key: string;
  /** The log lines of all servers on the folder. */
  logFile: string;
  /** The folder in which its servers keep compiled modules, unless NODE_COMPILE_CACHE names a place already; missing: nowhere. */
  compiled?: string;
  /** Further settings of its servers. */
  env?: Record<string, string>;
  /** The script of the server with its arguments; missing: that of the command line. */
  entry?: readonly string[];
}

const SERVE = [PROGRAM, 'serve', '--json'];
const READY_MS = 60_000;
const GONE_MS = 10_000;
const STOP_MS = 15_000;

const environment = ({ dir, key, env, compiled }: Folder): NodeJS.ProcessEnv => ({
  ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  MEMOIR_DATA_DIR: dir,
  MEMOIR_API_KEY: key,
  // A machine that does other work is no failure.
  MEMOIR_QUERY_DEADLINE_MS: '60000',
  // Its Chroma is running, too.
  MEMOIR_LOG_LEVEL: 'debug',
  ...env,
});

// --- processes -------------------------------------------------------------------------------------

const parentOf = (pid: number): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
};

/** The process and all below it; without /proc, the process alone. */
const family = (pid: number): number[] => {
  let pids: number[];
  try {
    pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [pid];
  }
  const parents = new Map(pids.map((each) => [each, parentOf(each)]));
  const found = [pid];
  for (const member of found) for (const [each, parent] of parents) if (parent === member) found.push(each);
  return found;
};

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** A killed process without a waiting parent counts as ended. */
const isGone = (pid: number): boolean => {
  if (!signal(pid, 0)) return true;
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};

const waitUntilGone = async (pids: readonly number[]): Promise<void> => {
  const end = performance.now() + GONE_MS;
  while (pids.some((pid) => !isGone(pid))) {
    if (performance.now() > end)
      throw new Error(
        `Processes outlived their server by ${GONE_MS} ms: ${pids.filter((pid) => !isGone(pid))}`,
      );
    await sleep(10);
  }
};

// --- the server ------------------------------------------------------------------------------------

const lastChroma = (log: string): string | null =>
  [...log.matchAll(/Chroma answers at (http:\/\/[\d.:]+)/g)].at(-1)?.[1] ?? null;

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)));

const readyUrl = (child: ChildProcess, log: () => string): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const late = setTimeout(() => reject(new Error(`The server was not ready in ${READY_MS} ms`)), READY_MS);
  let printed = '';
  child.once('exit', (code, name) =>
    reject(new Error(`The server ended (${code ?? name}): ${log().slice(-2000)}`)),
  );
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const url = /"url":\s*"(http[^"]+)"/.exec(printed)?.[1];
    if (url !== undefined) resolve(url);
  });
  return promise.finally(() => clearTimeout(late));
};

export interface Starting {
  ready: Promise<Server>;
  /** Works before the server is ready, too. */
  kill(harsh: boolean): Promise<void>;
}

export const start = (folder: Folder): Starting => {
  const { entry = SERVE } = folder;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...entry], {
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    appendFileSync(folder.logFile, text);
  });
  const exited = exitOf(child);
  // It has a group of its own: an interrupted test would leave it running.
  const leave = () => child.pid !== undefined && signal(-child.pid, 'SIGKILL');
  process.once('exit', leave);
  void exited.then(() => process.off('exit', leave));
  const kill = async (harsh: boolean): Promise<void> => {
    const pid = child.pid;
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const members = family(pid);
    signal(-pid, 'SIGKILL');
    if (harsh) for (const member of members) signal(member, 'SIGKILL');
    await exited;
    await waitUntilGone(members);
  };
  const ready = readyUrl(child, () => log).then((url) => ({
    url,
    pid: child.pid ?? 0,
    chroma: () => lastChroma(log),
    log: () => log,
    kill,
    async stop() {
      const members = child.pid === undefined ? [] : family(child.pid);
      child.kill('SIGTERM');
      const late = setTimeout(() => void kill(true), STOP_MS);
      const code = await exited;
      clearTimeout(late);
      await waitUntilGone(members);
      return code;
    },
  }));
  // It was killed before it was ready, so no caller waits for it any more.
  ready.catch(() => undefined);
  return { ready, kill };
};
