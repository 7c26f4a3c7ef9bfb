// A Memoir as a process of its own, with a commit per request where the bench wants to compare. Says where it listens.
import { loadConfig } from '../../../server/config.ts';
import { giveBackAtRest } from '../../../server/lib/give-back.ts';
import { createLog } from '../../../server/log.ts';
import { openMemoir } from '../../../server/service.ts';

const config = loadConfig(process.env);
const groupCommit = process.env.BENCH_COMMIT_PER_REQUEST === undefined;
const memoir = await openMemoir(config, { groupCommit, log: createLog({ level: config.logLevel }) });
giveBackAtRest();
console.log(`Memoir listens on ${await memoir.listen()}`);

process.once('SIGTERM', () => {
  void memoir.close().then(() => process.exit(0));
});
