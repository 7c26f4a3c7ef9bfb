// Starts the reading thread on first use and again if it dies.
import { Worker } from 'node:worker_threads';
import { entry } from '../../../lib/threads/entry.ts';
import { type Call, type Calls, callsOver } from '../../../lib/threads/rpc.ts';
import type { ReadCommands } from './reads.ts';

export interface WideReader {
  call: Call<ReadCommands>;
  close(): Promise<void>;
}

/** Without this limit V8 would let the heap grow to 134 MB, although the thread keeps nothing. */
const YOUNG_MB = 24;

export const createWideReader = (file: string): WideReader => {
  let current: { worker: Worker; calls: Calls<ReadCommands> } | null = null;

  const start = () => {
    const worker = new Worker(entry('./reader-thread', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const calls = callsOver<ReadCommands>(worker);
    worker.unref();
    worker.on('error', (error) => calls.fail(error));
    worker.on('exit', () => {
      calls.fail(new Error('The reading thread stopped; the next search starts it again.'));
      if (current?.worker === worker) current = null;
    });
    return { worker, calls };
  };

  return {
    call(command, ...args) {
      current ??= start();
      return current.calls.call(command, ...args);
    },
    async close() {
      await current?.worker.terminate();
    },
  };
};
