// The writer thread holds the only writing connection to the embedded database, commits, and does nothing else.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openWritingSide } from '../../adapters/store/writing-side/sqlite-writing-side.ts';
import { giveBackAtRest } from '../../lib/threads/return-memory.ts';
import { serveCalls } from '../../lib/threads/rpc.ts';
import type { WriterCommands, WriterSettings } from './commands.ts';
import { createWriterCommands } from './serve-writes.ts';

const runWriterThread = (port: MessagePort, { file, groupCommit }: WriterSettings): void => {
  const commands = createWriterCommands((hooks) =>
    openWritingSide({ file, now: Date.now, groupCommit, ...hooks }),
  );
  serveCalls<WriterCommands>(port, commands);
};

if (!parentPort) throw new Error('writer.ts must be started by handle.ts as a worker thread.');
giveBackAtRest();
runWriterThread(parentPort, workerData as WriterSettings);
