// The writer thread holds the only writing connection, commits, and does nothing else.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openWritingSide } from '../../adapters/store/writing-side/sqlite-writing-side.ts';
import { relatingByReadings } from '../../domain/memories/relating-by-readings.ts';
import { giveBackAtRest } from '../../lib/threads/return-memory.ts';
import { serveCalls } from '../../lib/threads/rpc.ts';
import { createWriteWatch } from '../store-watch.ts';
import type { WriterCommands, WriterNews, WriterSettings } from './commands.ts';
import { createIngestLink } from './ingest-link.ts';

const CHANGED: WriterNews = { event: 'changed' };
const RETRIED: WriterNews = { event: 'retried' };

const runWriterThread = (port: MessagePort, { file, groupCommit }: WriterSettings): void => {
  const ingest = createIngestLink();
  let telling = false;

  /** Many writes of one moment are one message. */
  const changed = (): void => {
    if (telling) return;
    telling = true;
    setImmediate(() => {
      telling = false;
      ingest.tell(CHANGED);
    });
  };

  const writes = createWriteWatch(Date.now);
  const writing = openWritingSide({
    file,
    now: Date.now,
    groupCommit,
    relating: relatingByReadings(ingest.readStatements),
    changed,
    retried: () => ingest.tell(RETRIED),
    wrote: writes.wrote,
  });

  serveCalls<WriterCommands>(port, {
    ...writing.commands,
    async attach(to) {
      ingest.attach(to);
      serveCalls(to, writing.ingest);
    },
    written: async () => writes.outcome(),
    async stop() {
      ingest.close();
      await writing.close();
    },
  });
};

if (!parentPort) throw new Error('writer.ts must be started by handle.ts as a worker thread.');
giveBackAtRest();
runWriterThread(parentPort, workerData as WriterSettings);
