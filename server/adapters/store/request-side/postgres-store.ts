// The request side on PostgreSQL.
import type { Pool } from 'pg';
import { directCall } from '../../../lib/threads/direct-call.ts';
import { kyselyOnPostgres } from '../postgres/dialect.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import type { QueryWorkers } from './query-workers.ts';
import { createReader } from './reader.ts';
import { createReads, type ReadCommands } from './reads.ts';
import { createRequestStore, type RequestStore } from './store.ts';

export const openPostgresStore = (pool: Pool, commands: WritingCommands, now: () => number): RequestStore => {
  const db = kyselyOnPostgres(pool);
  const read = directCall<ReadCommands>(createReads(db));
  // The database does the reading: no thread of this process has to be kept free of it.
  const workers: QueryWorkers = {
    run: (_call, command, ...args) => read(command, ...args),
    close: async () => undefined,
  };
  return createRequestStore(db, createReader(db, workers, now), directCall<WritingCommands>(commands));
};
