// The ingest side on SQLite: a read-only connection of its own, and the one writer.
import type { Call } from '../../../lib/threads/rpc.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import { sqliteUpkeep } from '../sqlite/upkeep/upkeep.ts';
import type { IngestThreadWrites } from '../writing-side/sqlite-writing-side.ts';
import { createIngestSide, type IngestSide } from './ingest-store.ts';

export interface SqliteIngestOptions {
  file: string;
  /** Sends a write to the writer. */
  call: Call<IngestThreadWrites>;
  now: () => number;
  /** The owner of the leases; missing: it does not matter who it is. */
  boot?: string;
}

export interface SqliteIngestSide extends IngestSide {
  close(): void;
}

/** The file exists and is migrated: the writing side was opened before this one. */
export const openIngestSide = ({ file, call, now, boot = '' }: SqliteIngestOptions): SqliteIngestSide => {
  const connection = openSqliteConnection(file, { readOnly: true, cacheMb: 16 });
  return {
    ...createIngestSide(
      { db: kyselyOver(connection), call, now, boot },
      sqliteUpkeep({ file, connection, call }),
    ),
    close: connection.close,
  };
};
