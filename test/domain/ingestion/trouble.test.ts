// Tests of a store that fails for a while: no document stays claimed by a worker that has stopped.

import { afterEach, expect, test, vi } from 'vitest';
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import type { IngestStore } from '../../../server/adapters/store/ports/ingestion/ingest.ts';
import type { Readers } from '../../../server/domain/ingestion/content/part-reader.ts';
import { createPipeline, type Pipeline } from '../../../server/domain/ingestion/pipeline.ts';
import { createSearchesFirst } from '../../../server/domain/ingestion/searches-first.ts';
import { createOutage } from '../../../server/domain/ingestion/trouble/outage.ts';
import { unwatched } from '../../../server/lib/async/work-watch.ts';
import { everything, submission } from '../../adapters/store/contract/world.ts';
import { openTestStore, type TestStore } from '../../support/store.ts';
import { turns, until } from '../../support/until.ts';
import { contentOf, readersOf } from './fixtures/readers.ts';

const GRACE_MS = 1000;

const open: { world: TestStore; pipeline: Pipeline }[] = [];
afterEach(async () => {
  for (const { world, pipeline } of open.splice(0)) {
    await pipeline.stop(GRACE_MS);
    await world.close();
  }
});

type Method = 'claim' | 'commit' | 'retryLater' | 'fail' | 'release';

/** Each method that is named fails so many times, as on a disk that is full for a while. */
const failing = (store: IngestStore, times: Partial<Record<Method, number>>): IngestStore => {
  const left = { ...times };
  const through = (method: Method) => {
    const real = store[method] as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]) => {
      const failures = left[method] ?? 0;
      left[method] = failures - 1;
      if (failures > 0) throw new Error('The disk is full');
      return real(...args);
    };
  };
  const methods = (['claim', 'commit', 'retryLater', 'fail', 'release'] as const).map((method) => [
    method,
    through(method),
  ]);
  return { ...store, ...Object.fromEntries(methods) };
};

const readsHtml = readersOf({ read: async () => contentOf('A page about zebras.') });

const start = async (times: Partial<Record<Method, number>>, readers: Readers = readsHtml) => {
  const world = openTestStore();
  const embedder = createBuiltinEmbedder();
  const { id } = await world.store.spaces.create({ ...embedder.space, state: 'active', calibration: null });
  const { dimensions } = embedder.space;
  const log = { warn: () => undefined, error: () => undefined };
  const replaced = vi.fn();
  const pipeline = createPipeline({
    watch: unwatched,
    searchesFirst: createSearchesFirst(() => performance.now()),
    store: failing(world.ingest, times),
    outage: createOutage({ store: world.ingest, embedder: () => embedder, now: Date.now, log }),
    readers,
    spaces: () => [{ id, dimensions, keepExact: false, serves: true, embedder }],
    boot: 'boot',
    now: Date.now,
    random: () => 0,
    log,
    committed: () => undefined,
    replaced,
  });
  open.push({ world, pipeline });
  return { world, pipeline, replaced };
};

const done = async ({ store }: TestStore, count: number): Promise<void> => {
  const page = { sort: 'createdAt', order: 'asc', limit: 100, offset: 0, content: false } as const;
  await until(`${count} documents to be done`, async () => {
    const { documents } = await store.documents.list(everything, page);
    return documents.filter(({ step }) => step === 'done').length === count;
  });
};

const TEXTS = ['One text.', 'Another text.', '<html><body><article><p>A page.</p></article></body></html>'];

test.each<[string, Partial<Record<Method, number>>]>([
  ['takes no commit', { commit: 2 }],
  ['takes neither a commit nor the word that it failed', { commit: 2, retryLater: 9 }],
  ['takes nothing back for a while', { commit: 2, retryLater: 9, release: 2 }],
  ['gives no work', { claim: 2 }],
])('documents are finished although the store %s', async (_name, times) => {
  const { world, pipeline } = await start(times);
  await world.store.documents.submit(
    everything,
    TEXTS.map((text) => submission(text)),
  );
  pipeline.start();
  await done(world, TEXTS.length);
});

test('an extraction is repeated when the store cannot write its failure', async () => {
  let attempts = 0;
  const breaking = readersOf({
    async read() {
      attempts += 1;
      if (attempts === 1) throw new Error('The page broke the reader');
      return contentOf('A page about zebras.');
    },
  });
  const { world, pipeline } = await start({ retryLater: 1 }, breaking);
  await world.store.documents.submit(
    everything,
    TEXTS.map((text) => submission(text)),
  );
  pipeline.start();
  await done(world, TEXTS.length);
  expect(attempts).toBeGreaterThan(1);
});

test('claimed documents are released at a stop', async () => {
  const begun = Promise.withResolvers<void>();
  const never = readersOf({
    read: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  });
  const { world, pipeline } = await start({}, never);
  await world.store.documents.submit(everything, [submission(TEXTS[2] ?? '')]);
  pipeline.start();
  await begun.promise;
  await pipeline.stop(50);
  expect(await world.ingest.claim('boot', { documents: 5, containers: 5 })).toHaveLength(1);
});

test('a stop waits until the work in hand has ended, and releases its documents then', async () => {
  const begun = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const slow = readersOf({
    async read() {
      begun.resolve();
      await read.promise;
      return contentOf('A page about zebras.');
    },
  });
  const { world, pipeline } = await start({}, slow);
  await world.store.documents.submit(everything, [submission(TEXTS[2] ?? '')]);
  pipeline.start();
  await begun.promise;
  let stopped = false;
  const stopping = pipeline.stop(60_000).then(() => {
    stopped = true;
  });
  await turns(50);
  expect(stopped).toBe(false);
  expect(await world.ingest.claim('boot', { documents: 5, containers: 5 })).toEqual([]);
  read.resolve();
  await stopping;
  expect(await world.ingest.claim('boot', { documents: 5, containers: 5 })).toHaveLength(1);
});

test('the purger learns at once that a text was replaced, and hears nothing of a new one', async () => {
  const { world, pipeline, replaced } = await start({});
  const send = async (content: string) => {
    await world.store.documents.submit(everything, [submission(content, { customId: 'c', replace: true })]);
    pipeline.wake();
  };
  pipeline.start();
  await send('The first text.');
  await done(world, 1);
  expect(replaced).not.toHaveBeenCalled();
  await send('Another text.');
  await until('the replaced text to be reported', async () => replaced.mock.calls.length === 1);
});
