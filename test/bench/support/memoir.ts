// The Memoir under test: its own process over a temporary folder, and its database read from outside.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from './process.ts';

export interface Queue {
  /** Not `done` yet, and those that failed. */
  unfinished: number;
  failed: number;
  /** Not in Chroma yet. */
  outbox: number;
  /** Not read for memories yet. */
  unread: number;
}

export interface Server {
  url: string;
  key: string;
  pid: number;
  dir: string;
  queue(): Queue;
  /** Waits until everything is `done`, read and in Chroma. */
  settled(): Promise<void>;
  /** Starts it again, on the same folder. */
  start(): Promise<void>;
  /** Stops, and keeps the folder. */
  stop(): Promise<void>;
  /** Stops and removes the folder. */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** The root of another checkout; by default this one. */
  checkout?: string;
  env?: Readonly<Record<string, string>>;
  commitPerRequest?: boolean;
}

const KEY = 'sm_bench_uCVKkczeiWLrRYSyESRECyfvxpUg';
const SETTLE_LIMIT_MS = 600_000;
const POLL_MS = 20;

const HERE = join(import.meta.dirname, '..', '..', '..');

const profileArguments = (): string[] => {
  const folder = process.env.BENCH_CPU_PROFILES;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
};

/** By partial indexes alone, whose conditions are written out: to look at every document would take a core from the server. */
const QUEUE = `select
  (select count(*) from documents where deleted = 0 and step <> 'done') as unfinished,
  (select count(*) from documents where deleted = 0 and step <> 'done' and step = 'failed') as failed,
  (select count(*) from vector_outbox) as outbox,
  (select count(*) from documents where deleted = 0 and memory_state = 'waiting') as unread`;

export const openQueue = (dir: string) => {
  const database = new DatabaseSync(join(dir, 'memoir.db'), { readOnly: true, timeout: 5000 });
  const statement = database.prepare(QUEUE);
  return {
    look: (): Queue => {
      const { unfinished, failed, outbox, unread } = statement.get() ?? {};
      return {
        unfinished: Number(unfinished),
        failed: Number(failed),
        outbox: Number(outbox),
        unread: Number(unread),
      };
    },
    close: () => database.close(),
  };
};

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'memoir-bench-'));
export const removeFolder = (dir: string): void => rmSync(dir, { recursive: true, force: true });

export const serverEnv = (dir: string): Record<string, string> => ({
  PORT: '0',
  MEMOIR_DATA_DIR: dir,
  MEMOIR_API_KEY: KEY,
  MEMOIR_LOG_LEVEL: 'error',
});

export const startServer = async (options: ServerOptions = {}): Promise<Server> => {
  const dir = newFolder();
  const env = {
    ...serverEnv(dir),
    ...options.env,
    ...(options.commitPerRequest ? { BENCH_COMMIT_PER_REQUEST: '1' } : {}),
  };
  const open = async () => {
    const entry = join(options.checkout ?? HERE, 'test', 'bench', 'support', 'serve.ts');
    const listener = await startProcess([...profileArguments(), entry], env);
    return { listener, queue: openQueue(dir) };
  };
  let running: Awaited<ReturnType<typeof open>> | null = await open();
  const current = () => {
    if (running) return running;
    throw new Error('The server was stopped.');
  };
  const stop = async (): Promise<void> => {
    running?.queue.close();
    await running?.listener.stop();
    running = null;
  };
  const settled = async (): Promise<void> => {
    const end = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const { unfinished, outbox } = current().queue.look();
      if (unfinished === 0 && outbox === 0) return;
      if (performance.now() > end)
        throw new Error(`${unfinished} documents and ${outbox} vectors still wait.`);
      await sleep(POLL_MS);
    }
  };
  return {
    get url() {
      return current().listener.url;
    },
    get pid() {
      return current().listener.pid;
    },
    key: KEY,
    dir,
    queue: () => current().queue.look(),
    settled,
    async start() {
      running ??= await open();
    },
    stop,
    async close() {
      await stop();
      removeFolder(dir);
    },
  };
};
