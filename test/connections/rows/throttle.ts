// A source that refuses for a minute and says how long to wait; another source meanwhile.

import { until } from '../../crash/api.ts';
import { tooManyRequests } from '../../fakes/support/fake-server.ts';
import { timePasses } from '../../support/until.ts';
import { differenceOf, fillDrive, storedUnder } from '../support/contents.ts';
import {
  connectBucket,
  connectDrive,
  runsOf,
  type SyncedServer,
  shown,
  startSyncedServer,
  synced,
} from '../support/synced-server.ts';
import { type ConnectionRow, exactly, type Figure, seen, timeAtMost } from './row.ts';

const TAG = 'throttled';
const WAIT_S = 5;
/** Requests that were on their way when the refusal was sent. */
const ON_ITS_WAY_MS = 250;

interface Refusals {
  refused: number;
  early: number;
}

/** Refuses everything from its beginning for so many seconds, and counts what comes sooner than it was told. */
const refuse = (
  { drive }: SyncedServer,
  seconds: number,
): { counts: Refusals; over(): boolean; stop(): void } => {
  const began = performance.now();
  const counts: Refusals = { refused: 0, early: 0 };
  let first = 0;
  const over = (): boolean => performance.now() - began > seconds * 1000;
  const stop = drive.addFault(() => {
    const now = performance.now();
    const sinceTold = now - first;
    if (first > 0 && sinceTold > ON_ITS_WAY_MS && sinceTold < WAIT_S * 1000 - 5) counts.early += 1;
    if (over()) return undefined;
    if (first === 0 || sinceTold >= WAIT_S * 1000 - 5) first = now;
    counts.refused += 1;
    return tooManyRequests(String(WAIT_S));
  });
  return { counts, over, stop };
};

const fillBucket = async ({ bucket }: SyncedServer, files: number, prefix: string): Promise<void> => {
  for (let n = 0; n < files; n++)
    await bucket.put(`${prefix}/${n}.txt`, `${prefix} ${n}: the harbour opens at ${n} minutes past.`);
};

const bucketSync = async (server: SyncedServer, tag: string): Promise<number> => {
  const began = performance.now();
  await synced(server, await connectBucket(server, tag));
  return performance.now() - began;
};

const notBefore = ({ read }: SyncedServer, id: string): number =>
  read((query) => Number(query('select not_before from connections where id = ?', id)[0]?.not_before));

export const throttle: ConnectionRow = {
  name: 'throttle',
  requirements: [5],
  async run({ files, folders, throttledSeconds }, say) {
    const size = Math.ceil(files / 20);
    await using server = await startSyncedServer();
    await fillBucket(server, size, 'alone');
    const alone = await bucketSync(server, 'bucket-alone');
    server.bucket.objects.clear();
    await fillBucket(server, size, 'meanwhile');
    const filled = fillDrive(server.drive, { files: size, folders });
    const id = await connectDrive(server, TAG);
    await until(
      'some files to be taken',
      60_000,
      async () => (await shown(server, id)).progress.done > size / 10,
    );
    const refusing = refuse(server, throttledSeconds);
    await until('a refusal to be stored', 30_000, async () => notBefore(server, id) > Date.now());
    const meanwhile = await bucketSync(server, 'bucket-meanwhile');
    say('The other source is in sync; now a restart while the source refuses.');
    await until(
      'a refusal to be stored',
      60_000,
      async () => refusing.over() || notBefore(server, id) > Date.now() + 2_000,
    );
    await server.kill();
    await server.start();
    while (!refusing.over()) await timePasses(100, 'the source refuses for a time');
    const last = await synced(server, id);
    refusing.stop();
    const runs = await runsOf(server, id);
    const difference = differenceOf(storedUnder(server, TAG), filled.expectedUnder(TAG));
    const figures: Figure[] = [
      seen('requests that were refused', refusing.counts.refused),
      exactly('requests before the time that was told', refusing.counts.early, 0),
      exactly('end of the run', last.status, 'completed'),
      exactly('runs', runs.length, 1),
      exactly(
        'missing, foreign or doubled',
        JSON.stringify(difference),
        '{"missing":0,"foreign":0,"doubled":0}',
      ),
      seen('sync of another source alone, ms', alone),
      seen('meanwhile, ms', meanwhile),
      timeAtMost('meanwhile against alone', meanwhile / alone, 1.2),
    ];
    return figures;
  },
};
