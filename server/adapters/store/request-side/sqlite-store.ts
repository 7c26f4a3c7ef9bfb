// The request side on SQLite: narrow reads on a read-only connection of its own, reads that may take long on the query
// workers, writes sent to the one writer.
import { defined } from '../../../lib/defined.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import { createQueryWorkers, type QueryWorkers, type QueryWorkersOptions } from './query-workers.ts';
import { createReader } from './reader.ts';
import { createRequestStore, type OpenedStore } from './store.ts';

export interface SqliteStoreOptions extends Pick<QueryWorkersOptions, 'file' | 'workers'> {
  call: Call<WritingCommands>;
  /** Closed with the store. Default: new ones. */
  queryWorkers?: QueryWorkers;
  /** Default: that of the setting. */
  queryDeadlineMs?: number;
  /** Default: that of the reader. */
  mostListed?: number;
  now?: () => number;
}

const QUERY_DEADLINE_MS = 2_000;

/** The file exists and is migrated: the writing side was opened before this one. */
export const openSqliteStore = (options: SqliteStoreOptions): OpenedStore => {
  const { file, call, now = Date.now, queryDeadlineMs: deadlineMs = QUERY_DEADLINE_MS } = options;
  const connection = openSqliteConnection(file, { readOnly: true, scopedReads: true, cacheMb: 16 });
  const db = kyselyOver(connection);
  // Every scope reads on the one connection, whose authorizer refuses what is not read through the scoped views.
  const dbOf = () => db;
  const {
    queryWorkers: workers = createQueryWorkers({
      file,
      deadlineMs,
      ...defined({ workers: options.workers }),
    }),
  } = options;
  return {
    ...createRequestStore(
      dbOf,
      createReader(dbOf, { workers, now, ...defined({ mostListed: options.mostListed }) }),
      call,
    ),
    async close() {
      await workers.close();
      connection.close();
    },
  };
};
