// The request side on PostgreSQL.
import type { Pool } from 'pg';
import { defined } from '../../../lib/defined.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import { forgetKept } from '../engine/kept-by-database.ts';
import type { DatabaseLink } from '../postgres/link.ts';
import { createScopedReads } from '../postgres/scoped-reads.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import { createReader } from './reader.ts';
import { createRequestStore, type RequestStore } from './store.ts';

export interface PostgresStoreOptions {
  /** For reads; its connections send what waits without the answers before. */
  readonly pool: Pool;
  /** Tells when what was read may not be there any more. */
  readonly link?: Pick<DatabaseLink, 'onLoss'>;
  /** Sends a write to the writing side. */
  readonly call: Call<WritingCommands>;
  readonly now: () => number;
  /** The time that one query may run. */
  readonly queryDeadlineMs: number;
  /** Default: that of the reader. */
  readonly mostListed?: number;
}

export const openPostgresStore = (options: PostgresStoreOptions): RequestStore => {
  const { pool, link, call, now, queryDeadlineMs, mostListed } = options;
  const { of } = createScopedReads(pool, queryDeadlineMs);
  link?.onLoss(() => forgetKept(of({ reads: null })));
  // The database does the reading: no thread of this process has to be kept free of it.
  return createRequestStore(of, createReader(of, { workers: null, now, ...defined({ mostListed }) }), call);
};
