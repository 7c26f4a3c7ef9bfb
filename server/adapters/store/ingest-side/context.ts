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
  /** Losses of the database that were not made good yet; missing: it ends with this process. */
  losses?: Losses;
}

/** A database that crashed while this process went on may lack what it had answered. */
export interface Losses {
  /** Runs the work if there was a loss since it last ran to its end. */
  repair(work: () => Promise<unknown>): Promise<void>;
}

/** Without its embedder, which cannot cross threads. */
export const plainSpace = ({ id, dimensions, keepExact }: FillSpace): FillSpace => ({
  id,
  dimensions,
  keepExact,
});
