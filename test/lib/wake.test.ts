import { expect, test } from 'vitest';
import { createWake, nextTurn, pause } from '../../server/lib/wake.ts';

/** Whether the promise is settled once everything that waits has had its turn. */
const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await nextTurn();
  return done;
};

test('a call ends the sleep', async () => {
  const wake = createWake();
  const asleep = wake.sleep(60_000);
  expect(await settled(asleep)).toBe(false);
  wake.call();
  await asleep;
});

test('a call that comes before the sleep is not lost', async () => {
  const wake = createWake();
  wake.call();
  await wake.sleep(60_000);
});

test('one call ends one sleep, however often it came', async () => {
  const wake = createWake();
  wake.call();
  wake.call();
  await wake.sleep(60_000);
  const second = wake.sleep(60_000);
  expect(await settled(second)).toBe(false);
  wake.call();
  wake.call();
  await second;
  const third = wake.sleep(60_000);
  expect(await settled(third)).toBe(true);
});

test('without a call the time ends the sleep', async () => {
  const before = performance.now();
  await createWake().sleep(20);
  expect(performance.now() - before).toBeGreaterThan(15);
});

test('a sleep that time has ended leaves nothing to the next one', async () => {
  const wake = createWake();
  await wake.sleep(1);
  const next = wake.sleep(60_000);
  expect(await settled(next)).toBe(false);
  wake.call();
  await next;
});

test('a pause ends with its time or with the signal, also one that was given before', async () => {
  const stop = new AbortController();
  await pause(1, stop.signal);
  const long = pause(60_000, stop.signal);
  expect(await settled(long)).toBe(false);
  stop.abort();
  await long;
  await pause(60_000, stop.signal);
});
