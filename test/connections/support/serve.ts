// The server of these tests, as a process of its own: loopback servers stand in for the sources. Prints its address.
import { createLog } from '../../../server/app/log.ts';
import { openMemoir } from '../../../server/app/open.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { giveBackAtRest } from '../../../server/lib/threads/return-memory.ts';

const config = loadConfig(process.env);
const standIns = JSON.parse(process.env.TEST_STAND_INS ?? '{}');
const memoir = await openMemoir(config, { standIns, log: createLog({ level: config.logLevel }) });
giveBackAtRest();
console.log(JSON.stringify({ url: await memoir.listen() }));

process.once('SIGTERM', () => {
  void memoir.close().then(() => process.exit(0));
});
