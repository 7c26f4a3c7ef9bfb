// The handle of the writer thread on the API thread.
import { entry } from '../../lib/threads/entry.ts';
import type { Call } from '../../lib/threads/rpc.ts';
import { startThread } from '../../lib/threads/start-thread.ts';
import type { WriterCommands, WriterSettings } from './commands.ts';

export interface WriterThread {
  call: Call<WriterCommands>;
  /** Ends running writes, closes the store and ends the thread. The ingest thread stops before. */
  stop(): Promise<void>;
}

/** Without this limit V8 would let the heap grow to 134 MB, although the thread keeps nothing. */
const YOUNG_MB = 32;

/** `died` is called when the thread ends by itself; then nothing can be written. */
export const startWriterThread = (settings: WriterSettings, died: (reason: Error) => void): WriterThread => {
  let stopping = false;
  const thread = startThread<WriterCommands>(
    entry('./writer', import.meta.url),
    {
      ...{ name: 'writer', workerData: settings, together: true },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    },
    (reason) => {
      if (!stopping) died(reason);
    },
  );
  return {
    call: thread.call,
    async stop() {
      stopping = true;
      if (thread.isAlive()) await thread.call('stop');
      await thread.worker.terminate();
    },
  };
};
