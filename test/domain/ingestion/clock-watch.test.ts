// Tests of a clock that is set back while documents wait.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClockWatch } from '../../../server/domain/ingestion/trouble/clock-watch.ts';
import type { BackgroundWorker } from '../../../server/lib/async/background/worker.ts';
import { everything, submission, WIDE_SHARE } from '../../adapters/store/contract/world.ts';
import { createClock } from '../../support/clock.ts';
import { openTestStore, type TestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;

let opened: TestStore;
let clock: ReturnType<typeof createClock>;
let watch: BackgroundWorker;
let steady: number;
let looks: number;
let woken: number;

beforeEach(() => {
  clock = createClock();
  opened = openTestStore({ now: clock.now });
  [steady, looks, woken] = [0, 0, 0];
  watch = createClockWatch({
    store: {
      bringForward(longestMs) {
        looks += 1;
        return opened.ingest.bringForward(longestMs);
      },
    },
    now: clock.now,
    monotonic: () => steady,
    brought: () => {
      woken += 1;
    },
    log: { warn: () => undefined, error: () => undefined },
  });
});
afterEach(async () => {
  await watch.stop();
  await opened.close();
});

const add = (count: number) =>
  opened.store.documents.submit(
    everything,
    Array.from({ length: count }, (_, at) => submission(`text ${at}`)),
  );

const claim = () => opened.ingest.claim('boot', WIDE_SHARE);

describe('a clock that is set back two hours', () => {
  test('stops no document that waits while the server runs', async () => {
    watch.start();
    await until('the first look', () => looks === 1);
    await add(3);
    clock.pass(-2 * HOUR_MS);
    expect(await claim()).toEqual([]);
    watch.wake();
    await until('a wake of ingestion', () => woken === 1);
    expect(await claim()).toHaveLength(3);
  });

  test('stops no document that waits over a restart', async () => {
    await add(2);
    clock.pass(-2 * HOUR_MS);
    watch.start();
    await until('a wake of ingestion', () => woken === 1);
    expect(await claim()).toHaveLength(2);
  });

  test('lets a document that failed wait for the longest time between two attempts, and no longer', async () => {
    await add(1);
    const [held] = await claim();
    if (!held) throw new Error('nothing was claimed');
    const failure = { code: 'busy', message: 'It was busy.', retryable: true };
    await opened.ingest.retryLater(held, failure, clock.now() + 60_000);
    clock.pass(-2 * HOUR_MS);
    watch.start();
    await until('a wake of ingestion', () => woken === 1);
    expect(await claim()).toEqual([]);
    const waitMs = ((await opened.ingest.nextDue()) ?? 0) - clock.now();
    expect(waitMs).toBeLessThanOrEqual(10 * 60_000);
    clock.pass(waitMs);
    expect(await claim()).toHaveLength(1);
  });
});

test('a clock that goes on, or is set forward, brings nothing forward', async () => {
  watch.start();
  await until('the first look', () => looks === 1);
  for (const step of [5000, HOUR_MS]) {
    clock.pass(step);
    steady += 5000;
    watch.wake();
  }
  clock.pass(-2 * HOUR_MS);
  watch.wake();
  await until('a look', () => looks === 2);
  expect(woken).toBe(0);
});
