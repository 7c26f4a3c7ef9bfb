// An importer on a thread of its own, so that making its texts delays no measured request on the client's side.
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../../server/lib/threads/rpc.ts';
import { type Filling, fill } from './fill.ts';
import { openQueue, type Server } from './memoir.ts';

export type FillCommands = {
  /** Returns when the last document was accepted. */
  fill(
    server: Pick<Server, 'url' | 'key' | 'dir'>,
    filling: Omit<Filling, 'tagOf'> & { tag: string },
  ): Promise<void>;
};

if (!parentPort) throw new Error('filling-thread.ts must be started as a worker thread.');

serveCalls<FillCommands>(parentPort, {
  async fill({ url, key, dir }, { tag, ...filling }) {
    const queue = openQueue(dir);
    try {
      await fill({ url, key, queue: queue.look }, { ...filling, tagOf: () => tag });
    } finally {
      queue.close();
    }
  },
});
