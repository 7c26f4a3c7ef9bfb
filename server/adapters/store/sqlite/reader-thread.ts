// The reading thread: wide scopes are compared here, so that the request thread stays free for narrow ones.
import { parentPort, workerData } from 'node:worker_threads';
import { giveBackAtRest } from '../../../lib/give-back.ts';
import { serveCalls } from '../../../lib/rpc.ts';
import { openConnection } from './connection.ts';
import { kyselyOver } from './dialect.ts';
import { createReads } from './reads.ts';

if (!parentPort) throw new Error('reader-thread is started by store.ts, not by hand');
const { file } = workerData as { file: string };
const connection = openConnection(file, { readOnly: true, scopedReads: true, cacheMb: 64 });
giveBackAtRest();
serveCalls(parentPort, createReads(kyselyOver(connection)));
