// The handle on the ingest thread: its calls, its news, its end.
import { Worker } from 'node:worker_threads';
import type { IngestNews, IngestSettings } from './ingest.ts';
import { entry } from './lib/entry.ts';
import { type Calls, callsOver } from './lib/rpc.ts';

export interface IngestThread {
  call: Calls['call'];
  /** News that is worth nothing once the thread has stopped. */
  tell(method: string, ...args: unknown[]): void;
  onNews(listener: (news: IngestNews) => void): void;
  /** Finishes what is in hand, closes the store, ends the thread. */
  stop(): Promise<void>;
}

const isNews = (message: unknown): message is IngestNews =>
  typeof message === 'object' && message !== null && 'event' in message;

/** Else V8 would let it grow to 134 MB; ingestion is no faster with it. */
const YOUNG_MB = 48;

/** `died`: the thread ended on its own; without it nothing can be written. */
export const startIngestThread = (settings: IngestSettings, died: (reason: Error) => void): IngestThread => {
  const worker = new Worker(entry('./ingest', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const calls = callsOver(worker);
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
    tell(method, ...args) {
      if (!stopping) void calls.call(method, ...args).catch(fail);
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
