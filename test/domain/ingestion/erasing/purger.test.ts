// Tests of scrubbing deleted text from the files of the store.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { IngestStore } from '../../../../server/adapters/store/ports/ingestion/ingest.ts';
import { createPurger } from '../../../../server/domain/ingestion/erasing/purger.ts';
import { allDuties } from '../../../../server/lib/async/background/duties.ts';
import type { BackgroundWorker } from '../../../../server/lib/async/background/worker.ts';
import { everything, only, submission } from '../../../adapters/store/contract/world.ts';
import { openTestStore, type TestStore } from '../../../support/store.ts';
import { timePasses, until } from '../../../support/until.ts';

const SECRET = 'qxsecretqx';

const open: { world: TestStore; purger: BackgroundWorker }[] = [];
afterEach(async () => {
  for (const { world, purger } of open.splice(0)) {
    await purger.stop();
    await world.close();
  }
});

const holdsSecret = ({ file }: TestStore): boolean =>
  readdirSync(dirname(file)).some((name) => readFileSync(join(dirname(file), name)).includes(SECRET));

const openPurger = (change: (store: IngestStore) => Partial<IngestStore> = () => ({})) => {
  const world = openTestStore();
  const errors: unknown[] = [];
  const files: string[] = [];
  let erased = 0;
  const purger = createPurger({
    store: { ...world.ingest, ...change(world.ingest) },
    duties: allDuties,
    erased: () => {
      erased += 1;
    },
    eraseFile: async (key) => void files.push(key),
    log: { error: (...told: unknown[]) => void errors.push(told) },
  });
  open.push({ world, purger });
  return { world, purger, errors, files, erased: () => erased };
};

const addSecret = async ({ store }: TestStore): Promise<void> => {
  await store.documents.submit(everything, [submission(`It is ${SECRET}`), submission('public')]);
};

const scrubbed = async (world: TestStore): Promise<void> => {
  const isScrubbed = async () => !holdsSecret(world) && !(await world.ingest.needsScrub());
  await until('the secret to be erased', isScrubbed);
};

const remove = (world: TestStore) => world.store.documents.remove(only('a'), { by: 'tags', tags: ['a'] });

test('a deleted document is soon unreadable in every file, however busy the server is', async () => {
  const { world, purger, erased } = openPurger();
  await addSecret(world);
  purger.start();
  await remove(world);
  const busy = setInterval(purger.wake, 100);
  await scrubbed(world);
  clearInterval(busy);
  expect(erased()).toBeGreaterThan(0);
});

test('a text that was erased before a stop is scrubbed after the next start', async () => {
  const { world, purger } = openPurger();
  await addSecret(world);
  await remove(world);
  while (await world.ingest.purge(100));
  expect(await world.ingest.needsScrub()).toBe(true);
  purger.start();
  await scrubbed(world);
});

test('nothing is scrubbed when nothing was erased', async () => {
  let scrubs = 0;
  const { world, purger } = openPurger((store) => ({
    async scrub(signal) {
      scrubs += 1;
      await store.scrub(signal);
    },
  }));
  await addSecret(world);
  purger.start();
  await timePasses(2500, 'scrubbing waits for two calm seconds');
  expect(scrubs).toBe(0);
});

test("a stop does not wait for the purger's pause", async () => {
  const { purger } = openPurger();
  purger.start();
  // It waits for a minute, which would outlast the test.
  await purger.stop();
});

test('a failure is logged, and erasing goes on', async () => {
  let failures = 1;
  const { world, purger, errors } = openPurger((store) => ({
    async purge(limit) {
      if (failures-- > 0) throw new Error('The disk is full');
      return store.purge(limit);
    },
  }));
  await addSecret(world);
  await remove(world);
  purger.start();
  await scrubbed(world);
  expect(errors).toHaveLength(1);
});
