// The writing side: the only writing connection, with the commands of requests and those of ingestion.
import type { WriterRelating } from '../ports/memories/remembering.ts';
import { leasesOfOthers } from '../queries/ingestion/void-leases.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import { migrate } from '../sqlite/migrate.ts';
import { removeCopy } from '../sqlite/upkeep/compact.ts';
import { createUpkeepWrites, type UpkeepWrites } from '../sqlite/upkeep/writes.ts';
import { createPlaceCheck, createWriter } from '../sqlite/writer.ts';
import { createCommands, type WritingCommands } from './commands.ts';
import { completeWrites } from './complete-writes.ts';
import { createIngestCommands, type IngestWrites } from './ingest-commands.ts';

/** The writes that the ingest thread asks for, those to the file itself included. */
export type IngestThreadWrites = IngestWrites & UpkeepWrites;

export interface WritingSide {
  commands: WritingCommands;
  /** For the ingest thread. */
  ingest: IngestThreadWrites;
  close(): Promise<void>;
}

export interface WritingOptions {
  file: string;
  now: () => number;
  /** Called after every write of a request: there may be work. `crowded`: several waited at once a moment ago. */
  changed: (crowded: boolean) => void;
  /** Called after a write that wants a document now that waited after a failure; missing: nobody has to know. */
  retried?: () => void;
  /** Finds the relations of memories that are created directly or move to other tags; missing: they get none. */
  relating?: WriterRelating;
  groupCommit?: boolean;
  /** Told the outcome of every commit; null: it was stored. */
  wrote?: (error: unknown) => void;
}

export const openWritingSide = (options: WritingOptions): WritingSide => {
  removeCopy(options.file);
  const connection = openSqliteConnection(options.file, { cacheMb: 64 });
  migrate(connection);
  const { file, now, changed, retried = () => {}, relating = null } = options;
  const queue = createWriter(connection, kyselyOver(connection), {
    groupCommit: options.groupCommit ?? true,
    checkPlace: createPlaceCheck(file),
    ...(options.wrote === undefined ? {} : { wrote: options.wrote }),
  });
  const writer = completeWrites(queue, relating);
  return {
    commands: createCommands(writer, { now, changed, retried, relating, groupsCallers: false }),
    ingest: {
      ...createIngestCommands({ writer, now, relating, former: leasesOfOthers }),
      ...createUpkeepWrites({ file, writer, connection }),
    },
    async close() {
      await writer.idle();
      connection.exec('pragma wal_checkpoint(truncate)');
      connection.close();
    },
  };
};
