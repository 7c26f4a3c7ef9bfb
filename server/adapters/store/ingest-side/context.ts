// The shared context of the ingest side: its reads, and the way to the writer.
import type { Call } from '../../../lib/threads/rpc.ts';
import type { FillSpace } from '../ports/spaces.ts';
import type { Db } from '../tables/tables.ts';
import type { IngestWrites } from '../writing-side/ingest-commands.ts';

export interface IngestSideContext {
  /** A read-only connection. */
  db: Db;
  /** Sends a write to the writer. */
  call: Call<IngestWrites>;
  now: () => number;
  /** The owner of the leases. */
  boot: string;
}

/** Without its embedder, which cannot cross threads. */
export const plainSpace = ({ id, dimensions, keepExact }: FillSpace): FillSpace => ({
  id,
  dimensions,
  keepExact,
});
