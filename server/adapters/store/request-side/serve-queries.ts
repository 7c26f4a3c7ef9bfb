// The inside of a query worker: it reads what may take long, so that the API thread stays free. It can be ended in the middle
// of a query.
import { parentPort, workerData } from 'node:worker_threads';
import { threadNumber } from '../../../lib/threads/lower-priority.ts';
import { giveBackAtRest } from '../../../lib/threads/return-memory.ts';
import { type CommandHandlers, serveCalls } from '../../../lib/threads/rpc.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import { createReads, type DbOf } from './reads.ts';

/** `more`: the commands beside the reads. */
export const serveQueries = (more: (dbOf: DbOf) => CommandHandlers): void => {
  if (!parentPort) throw new Error('A query worker is started by query-workers.ts, not by hand');
  const { file, stop } = workerData as { file: string; stop: Int32Array };
  const connection = openSqliteConnection(file, { readOnly: true, scopedReads: true, cacheMb: 8, stop });
  giveBackAtRest();
  const db = kyselyOver(connection);
  const dbOf = () => db;
  serveCalls(parentPort, { ...createReads(dbOf), ...more(dbOf) });
  parentPort.postMessage(threadNumber());
};
