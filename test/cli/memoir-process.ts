// The `memoir` command as its users run it: a process of its own, with an environment that says nothing of Memoir.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { newDataFolder } from '../support/data-folder.ts';
import { PROGRAM } from '../support/program.ts';
import { until } from '../support/until.ts';

const READY_MS = 60_000;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  /** What is piped into the command. */
  input?: string | Buffer;
  /** Another program in place of the one of this run. */
  program?: string;
}

const OURS = /^(MEMOIR_|CHROMA_|OPENAI_|PORT$|HOST$|NODE_OPTIONS$|FORCE_COLOR$|npm_)/;

/** This environment without what speaks of Memoir or npm. */
export const cleanEnv = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name))),
  ...more,
});

/** A machine that does other work is no failure. */
const UNHURRIED = { MEMOIR_QUERY_DEADLINE_MS: '60000' };

const spawnProgram = (program: string, args: readonly string[], { cwd, env }: RunOptions): ChildProcess =>
  spawn(program, args, { cwd, env: cleanEnv({ ...UNHURRIED, ...env }), stdio: 'pipe' });

const startProcess = (args: readonly string[], options: RunOptions): ChildProcess =>
  spawnProgram(process.execPath, [options.program ?? PROGRAM, ...args], options);

const textOf = (stream: NodeJS.ReadableStream | null): Promise<string> =>
  stream ? text(stream) : Promise.resolve('');

async function toItsEnd(child: ChildProcess, input: string | Buffer = ''): Promise<Ended> {
  child.stdin?.end(input);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr };
}

/** Runs a command to its end. */
export const run = (args: readonly string[], options: RunOptions): Promise<Ended> =>
  toItsEnd(startProcess(args, options), options.input);

const NPM_RUN = /npm run (?:-s|--silent) memoir --/g;

/** Runs a line as somebody types it into a shell; the command is this one, in a folder that is not the project's. */
export const runLine = (line: string, options: RunOptions): Promise<Ended> =>
  toItsEnd(
    spawnProgram('sh', ['-c', line.replace(NPM_RUN, `"${process.execPath}" "${PROGRAM}"`)], options),
    options.input,
  );

/** The answer of a command that has to succeed, as `--json` gives it. */
export async function answerOf<T = Record<string, unknown>>(
  args: readonly string[],
  options: RunOptions,
): Promise<T> {
  const { code, stdout, stderr } = await run([...args, '--json'], options);
  if (code !== 0) throw new Error(`memoir ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}

export interface Server {
  url: string;
  child: ChildProcess;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  ended: Promise<number | null>;
  /** Ends it, and tells how. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const ADDRESS = /http:\/\/[\w.[\]:]+:\d+/;

export async function serve(options: RunOptions, args: readonly string[] = []): Promise<Server> {
  const child = startProcess(['serve', ...args], {
    ...options,
    // Servers of models that happen to run on the machine are no part of a test.
    env: { PORT: '0', MEMOIR_LOCAL_SERVERS: 'none', ...options.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part: Buffer) => {
    stdout += part.toString();
  });
  child.stderr?.on('data', (part: Buffer) => {
    stderr += part.toString();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const isOver = () => ADDRESS.test(stdout) || child.exitCode !== null;
  await until('memoir serve to be ready', isOver, READY_MS).catch(() => child.kill('SIGKILL'));
  if (!ADDRESS.test(stdout)) throw new Error(`memoir serve was not ready: ${stdout}${stderr}`);
  return {
    url: ADDRESS.exec(stdout)?.[0] ?? '',
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

export interface Place {
  /** An empty working folder. */
  cwd: string;
  remove(): void;
}

export function newPlace(): Place {
  const cwd = newDataFolder('cli');
  return { cwd, remove: () => rmSync(cwd, { recursive: true, force: true, maxRetries: 3 }) };
}
