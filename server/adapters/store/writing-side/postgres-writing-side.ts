// The writing side on PostgreSQL: the commands of requests and those of ingestion over one pool.
import type { Pool } from 'pg';
import { defined } from '../../../lib/defined.ts';
import type { Writer } from '../engine/writer.ts';
import type { WriterRelating } from '../ports/memories/remembering.ts';
import { createPostgresWriter } from '../postgres/writer.ts';
import { type FormerLeases, leasesOfOthers } from '../queries/ingestion/void-leases.ts';
import { createCommands, type WritingCommands } from './commands.ts';
import { completeWrites } from './complete-writes.ts';
import { createIngestCommands, type IngestWrites } from './ingest-commands.ts';

export interface PostgresWritingSide {
  writer: Writer;
  commands: WritingCommands;
  ingest: IngestWrites;
}

export interface PostgresWritingOptions {
  now: () => number;
  /** Called after every write of a request: there may be work. `crowded`: several waited at once a moment ago. */
  changed: (crowded: boolean) => void;
  /** Called after a write that wants a document now that waited after a failure. */
  retried: () => void;
  /** Finds the relations of memories that are created directly or move to other tags; null: they get none. */
  relating: WriterRelating | null;
  /** Told the outcome of every commit; null: it was stored. */
  wrote?: (error: unknown) => void;
  /** The leases that a boot finds void; missing: it is alone, and all others have ended. */
  former?: (boot: string) => FormerLeases;
}

/** The database is migrated. */
export const openPostgresWritingSide = (
  pool: Pool,
  { now, changed, retried, relating, wrote, former = leasesOfOthers }: PostgresWritingOptions,
): PostgresWritingSide => {
  const writer = completeWrites(createPostgresWriter(pool, defined({ wrote })), relating);
  return {
    writer,
    commands: createCommands(writer, { now, changed, retried, relating, groupsCallers: true }),
    ingest: createIngestCommands({ writer, now, relating, former }),
  };
};
