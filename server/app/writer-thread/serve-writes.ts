// The commands of the writer, whichever database it writes to and whichever thread it runs on.
import type { WritingCommands } from '../../adapters/store/writing-side/commands.ts';
import { relatingByReadings } from '../../domain/memories/relating/relating-by-readings.ts';
import { type CommandHandlers, serveCalls } from '../../lib/threads/rpc.ts';
import { createWriteWatch } from '../store-watch.ts';
import type { WriterCommands, WriterNews } from './commands.ts';
import { createIngestLink } from './ingest-link.ts';

const RETRIED: WriterNews = { event: 'retried' };

export interface WriteHooks {
  readonly relating: ReturnType<typeof relatingByReadings>;
  readonly changed: (crowded: boolean) => void;
  readonly retried: () => void;
  readonly wrote: (error: unknown) => void;
}

interface OpenedWrites {
  readonly commands: WritingCommands;
  /** The writes that the ingest thread sends here; null: it writes over connections of its own. */
  readonly ingest: CommandHandlers | null;
  close(): Promise<void>;
}

export const createWriterCommands = (open: (hooks: WriteHooks) => OpenedWrites): WriterCommands => {
  const ingest = createIngestLink();
  let telling = false;

  /** Many writes of one moment are one message. */
  const changed = (crowded: boolean): void => {
    if (telling) return;
    telling = true;
    setImmediate(() => {
      telling = false;
      ingest.tell({ event: 'changed', crowded });
    });
  };

  const writes = createWriteWatch(Date.now);
  const writing = open({
    relating: relatingByReadings(ingest.readStatements),
    changed,
    retried: () => ingest.tell(RETRIED),
    wrote: writes.wrote,
  });
  return {
    ...writing.commands,
    async attach(to) {
      ingest.attach(to);
      if (writing.ingest !== null) serveCalls(to, writing.ingest);
    },
    written: async () => writes.outcome(),
    async stop() {
      ingest.close();
      await writing.close();
    },
  };
};
