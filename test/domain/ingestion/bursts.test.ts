// Tests of bursts: callers that wait for each other go before the reading of documents, for a while.
import { beforeEach, expect, test, vi } from 'vitest';
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import { type Bursts, createBursts } from '../../../server/domain/ingestion/bursts.ts';
import { pause } from '../../../server/lib/async/wait.ts';
import { everything, submission } from '../../adapters/store/contract/world.ts';
import { openTestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import { createTestPipeline } from './fixtures/pipeline.ts';

let now = 0;
let bursts: Bursts;

beforeEach(() => {
  now = 1_000_000;
  bursts = createBursts(() => now);
});

/** A burst of writes every ten milliseconds; the waits after each of them. */
const burst = (ms: number): number[] =>
  Array.from({ length: ms / 10 }, () => {
    now += 10;
    bursts.seen();
    return bursts.waitMs();
  });

test('without a burst nothing waits', () => {
  expect(bursts.waitMs()).toBe(0);
});

test('a burst is waited for until 50 ms passed without a crowd', () => {
  burst(100);
  expect(bursts.waitMs()).toBe(50);
  now += 30;
  expect(bursts.waitMs()).toBe(20);
  now += 20;
  expect(bursts.waitMs()).toBe(0);
});

test('a burst that goes on for more than two seconds is not waited for any longer, until a second passed without one', () => {
  expect(Math.min(...burst(1_900))).toBeGreaterThan(0);
  burst(150);
  expect(Math.max(...burst(60_000))).toBe(0);
  now += 900;
  expect(burst(10)).toEqual([0]);
  now += 1_001;
  expect(burst(10)).toEqual([50]);
});

test('no document is claimed in a burst, and all are when it is over', async () => {
  const { store, ingest, close } = openTestStore();
  let clock = 5_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const claim = vi.fn(ingest.claim);
  const pipeline = createTestPipeline({
    store: { ...ingest, claim },
    spaces: () => [],
    embedder: createBuiltinEmbedder(),
  });
  await store.documents.submit(everything, [submission('An oak.'), submission('An elm.')]);
  pipeline.giveWay();
  pipeline.start();
  pipeline.wake();
  await pause(120);
  expect(claim).not.toHaveBeenCalled();
  clock += 60;
  await until('an empty queue', async () => (await store.counts()).queued === 0);
  await pipeline.stop(1000);
  vi.restoreAllMocks();
  await close();
});
