// A server that npm or npx started, as somebody starts it in a terminal: a group of processes of its own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { until } from '../support/until.ts';
import { cleanEnv, type RunOptions } from './memoir-process.ts';

const READY_MS = 60_000;

export interface ServerOfNpm {
  /** All processes below npm, as long as they run. */
  processes(): string[];
  /** Sends the signal to npm alone. */
  signal(name: NodeJS.Signals): void;
  /** Sends SIGINT to all processes of the terminal. */
  pressCtrlC(): void;
  /** Resolves when npm and all processes below it have ended. */
  ended(): Promise<void>;
  output(): string;
  /** Ends what is left. */
  kill(): void;
}

interface Listed {
  pid: number;
  parent: number;
  command: string;
}

/** Without those that ended and wait to be reaped. */
const listProcesses = (): Listed[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined || state.startsWith('Z')
        ? []
        : [{ pid: Number(pid), parent: Number(parent), command }];
    });

const below = (all: readonly Listed[], pid: number): Listed[] =>
  all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(all, child.pid)]);

export const serveByNpm = async (
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: RunOptions,
): Promise<ServerOfNpm> => {
  const path = [dirname(process.execPath), process.env.PATH].join(':');
  const child = spawn(program, args, {
    cwd,
    env: cleanEnv({ PATH: path, PORT: '0', ...env }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const npm = child.pid ?? 0;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  // The last of what the processes below it print is read then.
  const closed = once(child, 'close');
  const isOver = () => /ready at/.test(output) || child.exitCode !== null;
  await until(`${program} ${args.join(' ')} to serve`, isOver, READY_MS);
  if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
  const seen = new Map<number, string>();
  const processes = (): string[] => {
    const all = listProcesses();
    // A process that lost its parent is found by its number.
    const kept = all.filter(({ pid, command }) => seen.get(pid) === command);
    for (const { pid, command } of [npm, ...kept.map((one) => one.pid)].flatMap((pid) => below(all, pid)))
      seen.set(pid, command);
    return all
      .filter(({ pid, command }) => seen.get(pid) === command)
      .map(({ pid, command }) => `${pid} ${command}`);
  };
  return {
    processes,
    signal: (name) => process.kill(npm, name),
    pressCtrlC: () => process.kill(-npm, 'SIGINT'),
    async ended() {
      await closed;
      await until('all processes of npm to end', () => processes().length === 0);
    },
    output: () => output,
    kill() {
      for (const line of processes()) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      child.kill('SIGKILL');
    },
  };
};
