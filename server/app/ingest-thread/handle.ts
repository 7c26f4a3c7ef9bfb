// The handle of the ingest thread on the API thread: calls, events and shutdown.
import { Worker } from 'node:worker_threads';
import { entry } from '../../lib/threads/entry.ts';
import { type Call, callsOver } from '../../lib/threads/rpc.ts';
import type { IngestCommands, IngestNews } from './commands.ts';
import type { IngestSettings } from './settings.ts';

export interface IngestThread {
  call: Call<IngestCommands>;
  /** Sends a command without waiting; ignored once the thread stops. */
  tell<K extends keyof IngestCommands>(command: K, ...args: Parameters<IngestCommands[K]>): void;
  onNews(listener: (news: IngestNews) => void): void;
  /** Finishes running work, closes the store and ends the thread. */
  stop(): Promise<void>;
}

const isNews = (message: unknown): message is IngestNews =>
  typeof message === 'object' && message !== null && 'event' in message;

/** Without this limit V8 would use 134 MB, and ingestion would be no faster. */
const YOUNG_MB = 48;

/** `died` is called when the thread ends by itself; then nothing can be written. */
export const startIngestThread = (settings: IngestSettings, died: (reason: Error) => void): IngestThread => {
  const worker = new Worker(entry('./ingest', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const calls = callsOver<IngestCommands>(worker);
  let stopping = false;
  let ended = false;

  const fail = (reason: Error): void => {
    calls.fail(reason);
    if (!stopping) died(reason);
  };
  const end = (reason: Error): void => {
    if (ended) return;
    ended = true;
    fail(reason);
  };
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`The ingest thread ended with code ${code}.`)));

  return {
    call: calls.call,
    tell(command, ...args) {
      if (!stopping) void calls.call(command, ...args).catch(fail);
    },
    onNews: (listener) =>
      void worker.on('message', (message) => {
        if (isNews(message)) listener(message);
      }),
    async stop() {
      stopping = true;
      if (!ended) await calls.call('stop');
      await worker.terminate();
    },
  };
};
