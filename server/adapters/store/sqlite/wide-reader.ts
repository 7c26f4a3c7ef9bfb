// Starts the reading thread on first use and again if it dies.
import { Worker } from 'node:worker_threads';
import { entry } from '../../../lib/entry.ts';
import { type Calls, callsOver } from '../../../lib/rpc.ts';

export interface WideReader {
  call: Calls['call'];
  close(): Promise<void>;
}

/** Else V8 would let it grow to 134 MB, for a thread that keeps nothing. */
const YOUNG_MB = 24;

export const createWideReader = (file: string): WideReader => {
  let current: { worker: Worker; calls: Calls } | null = null;

  const start = () => {
    const worker = new Worker(entry('./reader-thread', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const calls = callsOver(worker);
    worker.unref();
    worker.on('error', (error) => calls.fail(error));
    worker.on('exit', () => {
      calls.fail(new Error('The reading thread stopped; the next search starts it again.'));
      if (current?.worker === worker) current = null;
    });
    return { worker, calls };
  };

  return {
    call(method, ...args) {
      current ??= start();
      return current.calls.call(method, ...args);
    },
    async close() {
      await current?.worker.terminate();
    },
  };
};
