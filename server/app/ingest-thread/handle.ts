// The handle of the ingest thread on the API thread: calls, events, shutdown, and a new start after it ended by itself.
import { randomBytes } from 'node:crypto';
import { MessageChannel } from 'node:worker_threads';
import { createGate, type Gate } from '../../lib/async/gate.ts';
import { growingWait, type RetryWaits } from '../../lib/async/retry.ts';
import { pause } from '../../lib/async/wait.ts';
import { entry } from '../../lib/threads/entry.ts';
import type { Call } from '../../lib/threads/rpc.ts';
import { type StartedThread, startThread } from '../../lib/threads/start-thread.ts';
import type { Log } from '../log.ts';
import type { WriterThread } from '../writer-thread/handle.ts';
import type { IngestCommands, IngestNews, IngestState } from './commands.ts';
import type { ChromaSettings, IngestSettings, IngestStart } from './settings.ts';

export interface IngestThread {
  /** Waits while the thread starts again. */
  call: Call<IngestCommands>;
  /** Sends a command without waiting; ignored while the thread does not run. */
  tell<K extends keyof IngestCommands>(command: K, ...args: Parameters<IngestCommands[K]>): void;
  onNews(listener: (news: IngestNews) => void): void;
  /** Starts all background work, also whenever the thread starts again. */
  begin(place: () => ChromaSettings): Promise<void>;
  /** Answers at once, whether the thread runs or not. */
  state(): Promise<IngestState>;
  /** Finishes running work and ends the thread. The writer thread stops afterwards. */
  stop(): Promise<void>;
}

export interface IngestThreadDeps {
  settings: IngestSettings;
  writer: Pick<WriterThread, 'call'>;
  log: Pick<Log, 'error' | 'info'>;
  /** Another thread in its place, for tests. */
  file?: URL;
}

interface HandleContext {
  readonly deps: IngestThreadDeps;
  readonly listeners: ((news: IngestNews) => void)[];
  /** Closed while the thread starts again. */
  readonly up: Gate;
  readonly stopping: AbortController;
  place: (() => ChromaSettings) | null;
  thread: StartedThread<IngestCommands>;
  startedAt: number;
  /** The number of times in a row that it ended by itself soon after its start. */
  failures: number;
  trouble: string | null;
  /** The last state that the running thread reported. */
  said: { readonly state: IngestState; readonly at: number } | null;
}

/** With less, V8 collects while the documents in hand still live; without this limit it would use 134 MB, and ingestion would be no faster. */
const YOUNG_MB = 72;
const RESTART_WAITS: RetryWaits = { firstWaitMs: 250, longestWaitMs: 30_000 };
/** A thread that ran this long did not fail at its start. */
const LONG_RUN_MS = 60_000;

/** A thread that loads a model answers later: until then its last state stands, for a while. */
const STATE_WAIT_MS = 200;
const STATE_STANDS_MS = 10_000;

const isNews = (message: unknown): message is IngestNews =>
  typeof message === 'object' && message !== null && 'event' in message;

const spawn = (
  { settings, writer, file = entry('./ingest', import.meta.url) }: IngestThreadDeps,
  crashed: boolean,
  listeners: HandleContext['listeners'],
  ended: (reason: Error) => void,
): StartedThread<IngestCommands> => {
  const { port1, port2 } = new MessageChannel();
  const start: IngestStart = {
    settings,
    boot: randomBytes(12).toString('base64url'),
    crashed,
    writer: port2,
  };
  const thread = startThread<IngestCommands>(
    file,
    {
      name: 'ingest',
      workerData: start,
      transferList: [port2],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    },
    ended,
  );
  thread.worker.on('message', (message) => {
    if (isNews(message)) for (const listener of listeners) listener(message);
  });
  writer.call('attach', port1).catch(() => thread.worker.terminate());
  return thread;
};

/** The new thread compares the index again; until then no search relies on it. */
const distrustIndex = ({ listeners, place }: HandleContext): void => {
  for (const listener of listeners)
    listener({ event: 'index', url: place === null ? null : place().url, spaces: [] });
};

const startAgain = async (context: HandleContext, waitMs: number): Promise<void> => {
  const { deps, stopping, up } = context;
  await pause(waitMs, stopping.signal);
  if (stopping.signal.aborted) return;
  context.startedAt = performance.now();
  context.thread = spawn(deps, true, context.listeners, (reason) => endedByItself(context, reason));
  const { thread, place } = context;
  try {
    if (place !== null) await thread.call('begin', place());
    context.trouble = null;
    up.open();
    deps.log.info('The ingest thread runs again.');
  } catch {
    // The end of the thread starts the next attempt.
    await thread.worker.terminate();
  }
};

const endedByItself = (context: HandleContext, reason: Error): void => {
  const { deps, stopping, up } = context;
  if (stopping.signal.aborted) return;
  context.failures = performance.now() - context.startedAt > LONG_RUN_MS ? 1 : context.failures + 1;
  const waitMs = growingWait(RESTART_WAITS, context.failures);
  if (context.trouble === null) up.close();
  context.trouble = reason.message;
  context.said = null;
  deps.log.error(
    { err: reason, waitMs },
    'The ingest thread ended by itself. It starts again after the wait; what is sent meanwhile is stored.',
  );
  distrustIndex(context);
  void startAgain(context, waitMs);
};

const downState = (trouble: string): IngestState => ({
  indexer: { status: 'waiting', detail: trouble },
  chroma: { status: 'starting' },
  whole: [],
  filled: [],
  filling: { trouble, stopped: false },
  slowedKeys: [],
  originals: null,
  childRestarts: 0,
  trouble,
});

const askState = (context: HandleContext): Promise<IngestState> => {
  const { said, thread } = context;
  const asked = thread.call('state').then(
    (state) => {
      if (thread === context.thread) context.said = { state, at: performance.now() };
      return state;
    },
    (error: unknown) => downState(String(error)),
  );
  if (said === null || performance.now() - said.at > STATE_STANDS_MS) return asked;
  return Promise.race([asked, pause(STATE_WAIT_MS).then(() => said.state)]);
};

const stopThread = async ({ stopping, up, thread, deps }: HandleContext): Promise<void> => {
  stopping.abort();
  up.refuse('The server is stopping', true);
  try {
    if (thread.isAlive()) await thread.call('stop');
  } catch (error) {
    deps.log.error(
      { err: error },
      'The ingest thread did not stop in order. The next start continues its work.',
    );
  }
  await thread.worker.terminate();
};

export const startIngestThread = (deps: IngestThreadDeps): IngestThread => {
  const listeners: HandleContext['listeners'] = [];
  const context: HandleContext = {
    deps,
    listeners,
    up: createGate(),
    stopping: new AbortController(),
    place: null,
    thread: spawn(deps, false, listeners, (reason) => endedByItself(context, reason)),
    startedAt: performance.now(),
    failures: 0,
    trouble: null,
    said: null,
  };
  context.up.open();
  const call: Call<IngestCommands> = (command, ...args) =>
    context.up.pass().then(() => context.thread.call(command, ...args));
  return {
    call,
    tell(command, ...args) {
      if (context.trouble !== null || context.stopping.signal.aborted) return;
      // The end of the thread is reported by itself.
      context.thread.call(command, ...args).catch(() => {});
    },
    onNews: (listener) => void listeners.push(listener),
    async begin(place) {
      await call('begin', place());
      context.place = place;
    },
    async state() {
      const { trouble } = context;
      return trouble === null ? askState(context) : downState(trouble);
    },
    stop: () => stopThread(context),
  };
};
