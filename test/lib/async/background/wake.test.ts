// Tests of a sleep that a call can end.
import { expect, test } from 'vitest';
import { createWake } from '../../../../server/lib/async/background/wake.ts';
import { isSettled } from '../../../support/until.ts';

test('a call ends the sleep', async () => {
  const wake = createWake();
  const asleep = wake.sleep(60_000);
  expect(await isSettled(asleep)).toBe(false);
  wake.call();
  await asleep;
});

test('a call that comes before the sleep is not lost', async () => {
  const wake = createWake();
  wake.call();
  await wake.sleep(60_000);
});

test('a call ends only one sleep, however often it came', async () => {
  const wake = createWake();
  wake.call();
  wake.call();
  await wake.sleep(60_000);
  const second = wake.sleep(60_000);
  expect(await isSettled(second)).toBe(false);
  wake.call();
  wake.call();
  await second;
  const third = wake.sleep(60_000);
  expect(await isSettled(third)).toBe(true);
});

test('the time ends a sleep when no call comes', async () => {
  const before = performance.now();
  await createWake().sleep(20);
  expect(performance.now() - before).toBeGreaterThan(15);
});

test('a sleep that ended by its time leaves nothing for the next one', async () => {
  const wake = createWake();
  await wake.sleep(1);
  const next = wake.sleep(60_000);
  expect(await isSettled(next)).toBe(false);
  wake.call();
  await next;
});

test('a sleep without a time lasts until a call', async () => {
  const wake = createWake();
  const asleep = wake.sleep();
  expect(await isSettled(asleep)).toBe(false);
  wake.call();
  await asleep;
});
