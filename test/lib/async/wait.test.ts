// Tests of pauses that end with a time or a signal.
import { expect, test } from 'vitest';
import { backgroundPause, pause } from '../../../server/lib/async/wait.ts';
import { isSettled } from '../../support/until.ts';

test('a pause ends with its time or with its signal, also with a signal that was aborted before', async () => {
  const stop = new AbortController();
  await pause(1, stop.signal);
  const long = pause(60_000, stop.signal);
  expect(await isSettled(long)).toBe(false);
  stop.abort();
  await long;
  await pause(60_000, stop.signal);
});

test('a pause without a signal lasts its time', async () => {
  const before = performance.now();
  await pause(20);
  expect(performance.now() - before).toBeGreaterThan(15);
});

test('a pause in the background ends with its time', async () => {
  const other = pause(60);
  await backgroundPause(1);
  expect(await isSettled(other)).toBe(false);
  await other;
});
