// A Memoir as a process of its own, with a commit per request if the bench compares that. Prints its address.

import { createLog } from '../../../server/app/log.ts';
import { openMemoir } from '../../../server/app/open.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { giveBackAtRest } from '../../../server/lib/threads/return-memory.ts';

const config = loadConfig(process.env);
const groupCommit = process.env.BENCH_COMMIT_PER_REQUEST === undefined;
const memoir = await openMemoir(config, { groupCommit, log: createLog({ level: config.logLevel }) });
giveBackAtRest();
console.log(`Memoir listens on ${await memoir.listen()}`);

process.once('SIGTERM', () => {
  void memoir.close().then(() => process.exit(0));
});
