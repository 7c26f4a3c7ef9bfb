// One tag floods the queue, and a hundred others send one document each: theirs are done within two seconds, or within twice the
// time that they take on a machine that is idle otherwise.
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { postJson } from '../clients.ts';
import { drain, inWorld, KEY, type RowOptions, type RowResult, type World } from '../row.ts';
import { doneUnder, stillWaiting } from '../stored.ts';

const WORKERS = ['worker', 'worker', 'worker', 'worker'] as const;
const OTHERS = 100;
const AT_ONCE = 16;
const GOOD_MS = 2_000;
const TIMES = 2;
/** Workers that have just started compile their code: the hundred are sent when these are done. */
const WARM_UP_DOCUMENTS = 3_000;
const LONGEST_MS = 600_000;

/** Nothing but reading, embedding and storing: memories are drawn tag by tag anyway. */
const SEARCHED_ONLY = { taskType: 'superrag' } as const;

const storeEach = async (url: string, bodies: readonly object[]): Promise<void> => {
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < bodies.length) {
      const body = bodies[next++] ?? {};
      while ((await postJson(url, KEY, '/v3/documents', { ...body, ...SEARCHED_ONLY })) !== 200)
        await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
};

const hundredDocuments = (name: string): object[] =>
  Array.from({ length: OTHERS }, (_, at) => ({
    content: `The ferry of ${name} ${at} leaves from quay ${at}.`,
    containerTag: `${name}-${at}`,
  }));

/** From the first add to the end of the last document of the hundred tags. */
const timeOfHundred = async (database: string, url: string, name: string): Promise<number> => {
  const began = performance.now();
  await storeEach(url, hundredDocuments(name));
  const areDone = async () => (await doneUnder(database, name)) === OTHERS;
  await until('the documents of the hundred tags', areDone, LONGEST_MS);
  return Math.round(performance.now() - began);
};

const addBesideFlood = async ({ database, start }: World, { flood, say }: RowOptions): Promise<RowResult> => {
  const api = await start({ roles: ['api'] });
  const [url = ''] = api.urls();
  await storeEach(
    url,
    Array.from({ length: WARM_UP_DOCUMENTS + flood }, (_, at) => ({
      ...{ content: `Note ${at} of the flood tells of quay ${at}.`, containerTag: 'flood' },
    })),
  );
  say(`${WARM_UP_DOCUMENTS + flood} documents of one tag wait.`);
  const workers = await start({ roles: WORKERS });
  const areWarm = async () => (await doneUnder(database.url, 'flood')) >= WARM_UP_DOCUMENTS;
  await until('the first documents of the flood', areWarm, LONGEST_MS);
  const before = await stillWaiting(database.url);
  const floodedMs = await timeOfHundred(database.url, url, 'beside');
  const after = await stillWaiting(database.url);
  await drain(database.url, say);
  const idleMs = await timeOfHundred(database.url, url, 'alone');
  await workers.stop();
  await api.stop();
  const report = { flood, floodedMs, idleMs, waitedBefore: before, waitedAfter: after };
  return { good: after > 0 && floodedMs <= Math.max(GOOD_MS, TIMES * idleMs), report };
};

export const fairnessRow = (options: RowOptions): Promise<RowResult> =>
  inWorld(options, (world) => addBesideFlood(world, options));
