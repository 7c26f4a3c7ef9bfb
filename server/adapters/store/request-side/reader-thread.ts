// The reading thread compares wide scopes, so that the request thread stays free for narrow ones.
import { parentPort, workerData } from 'node:worker_threads';
import { giveBackAtRest } from '../../../lib/threads/return-memory.ts';
import { serveCalls } from '../../../lib/threads/rpc.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import { createReads } from './reads.ts';

if (!parentPort) throw new Error('reader-thread is started by store.ts, not by hand');
const { file } = workerData as { file: string };
const connection = openSqliteConnection(file, { readOnly: true, scopedReads: true, cacheMb: 64 });
giveBackAtRest();
serveCalls(parentPort, createReads(kyselyOver(connection)));
