// One run of the local Chroma: forks it, waits until it answers, and reports the reason of its end.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { pause } from '../../../../lib/async/wait.ts';
import { entry } from '../../../../lib/threads/entry.ts';
import { createChromaHttp, heartbeat } from '../http.ts';
import { createChromaOutput } from './process-output.ts';
import type { ChromaChildMessage } from './server-process.ts';

export type ChromaLog = (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void;

export interface ChromaExit {
  /** The reason as a sentence. */
  readonly text: string;
  /** The child reported that it cannot serve, before serving. */
  readonly refused: boolean;
  /** Another start would fail in the same way. */
  readonly final: boolean;
  /** The native code crashed: a sign that it cannot read its own files. */
  readonly crashed: boolean;
}

export interface ChromaRun {
  readonly url: string;
  readonly pid: number | undefined;
  /** True when it answers, false when it ended before. */
  readonly answered: Promise<boolean>;
  readonly exited: Promise<ChromaExit>;
  /** Stops it gracefully, or by force after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

export interface ChromaLaunch {
  readonly folder: string;
  readonly log: ChromaLog;
  readonly lockWaitMs: number;
  readonly startLimitMs: number;
}

const POLL_MS = 15;
const HEARTBEAT_LIMIT_MS = 1_000;

/**
 * The variables that any program needs, and the place of compiled modules, without which each start strips the types and
 * compiles again. Chroma must not get the keys and tokens of the server.
 */
const KEPT_ENV = [
  'NODE_COMPILE_CACHE',
  ...[
    'PATH',
    'HOME',
    'XDG_CACHE_HOME',
    'TMPDIR',
    'LANG',
    'LC_ALL',
    'TZ',
    'LD_LIBRARY_PATH',
    'DYLD_LIBRARY_PATH',
  ],
  ...['SystemRoot', 'windir', 'USERPROFILE', 'TEMP', 'TMP'],
];

const childEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(KEPT_ENV.filter((name) => env[name] !== undefined).map((name) => [name, env[name]])),
  ANONYMIZED_TELEMETRY: 'False',
  DO_NOT_TRACK: '1',
  OTEL_SDK_DISABLED: 'true',
  RUST_BACKTRACE: '0',
});

const freePort = (): Promise<number> =>
  new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address !== null) found(address.port);
        else failed(new Error('No free port was found on 127.0.0.1 for Chroma.'));
      });
    });
  });

const forkChroma = (launch: ChromaLaunch, port: number): ChildProcess =>
  fork(entry('./server-process', import.meta.url), [launch.folder, String(port), String(launch.lockWaitMs)], {
    env: childEnv(process.env),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C is for the server, which may still need Chroma to finish.
    detached: process.platform !== 'win32',
  });

/** Not SIGKILL, which is what the system sends when memory runs out. The number is Windows' access violation. */
const isCrash = (code: number | null, signal: string | null): boolean =>
  signal === null ? code === 0xc0000005 : /^SIG(SEGV|ABRT|BUS|ILL|FPE|TRAP)$/.test(signal);

const isMessage = (value: unknown): value is ChromaChildMessage =>
  typeof value === 'object' && value !== null && 'kind' in value && 'text' in value;

const watchExit = (child: ChildProcess, log: ChromaLog): Promise<ChromaExit> =>
  new Promise((ended) => {
    const output = createChromaOutput((line) => log('debug', `chroma: ${line}`));
    let refusal: ChromaExit | null = null;
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', output.take);
    child.on('message', (message) => {
      if (!isMessage(message)) return;
      if (message.kind === 'note') log('debug', message.text);
      else refusal = { text: message.text, refused: true, final: message.final, crashed: false };
    });
    child.on('error', (error) => {
      // With a process its end will be reported; without one, this is the end.
      if (child.pid !== undefined) return log('warn', `Chroma's process cannot be reached: ${error.message}`);
      const text = `Chroma could not be started: ${error.message}.`;
      ended({ text, refused: false, final: false, crashed: false });
    });
    // 'close' and not 'exit': only then has everything that was printed been read.
    child.once('close', (code, signal) => {
      const last = output.last();
      const how = signal === null ? `exit code ${code}` : signal;
      const text = `Chroma stopped (${how})${last === '' ? '.' : `: ${last}`}`;
      ended(refusal ?? { text, refused: false, final: false, crashed: isCrash(code, signal) });
    });
  });

const waitForAnswer = async (url: string, ended: () => boolean, limitMs: number): Promise<boolean> => {
  const http = createChromaHttp({ url: () => url });
  const until = Date.now() + limitMs;
  while (!ended() && Date.now() < until) {
    const answers = await heartbeat(http, { limitMs: HEARTBEAT_LIMIT_MS }).catch(() => false);
    if (answers) return !ended();
    await pause(POLL_MS);
  }
  return false;
};

/**
 * Never makes the data folder around it: if that was moved while the server runs, an empty one at its old place would
 * take the moved one into itself when somebody moves it back.
 */
const makeFolder = (folder: string): void => {
  const around = dirname(folder);
  if (!existsSync(around))
    throw new Error(
      `its data folder ${around} is not there. Put it back; until then searches compare exactly.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
};

export const launchChroma = async (launch: ChromaLaunch): Promise<ChromaRun> => {
  makeFolder(launch.folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = forkChroma(launch, port);
  const exited = watchExit(child, launch.log);
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const kill = () => void child.kill('SIGKILL');
  const answered = waitForAnswer(url, () => ended, launch.lockWaitMs + launch.startLimitMs);
  void answered.then((yes) => {
    if (!yes) kill();
  });
  return {
    url,
    pid: child.pid,
    answered,
    exited,
    kill,
    async stop(graceMs) {
      // If the message does not arrive, the process is already ending.
      if (child.connected) child.send('stop', () => {});
      const force = setTimeout(kill, graceMs);
      await exited;
      clearTimeout(force);
    },
  };
};
