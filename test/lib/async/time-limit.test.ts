// Tests of work with a limit of time.
import { expect, test } from 'vitest';
import { withTimeLimit } from '../../../server/lib/async/time-limit.ts';
import { isTimeout } from '../../../server/lib/failures.ts';

const staying = new AbortController().signal;

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('work that ends in time gives its result', async () => {
  expect(await withTimeLimit(60_000, staying, async () => 'done')).toBe('done');
});

test('work is ended with a timeout when its time is over', async () => {
  const error = await withTimeLimit(1, staying, untilAborted).catch((reason: unknown) => reason);
  expect(isTimeout(error)).toBe(true);
});

test('work is ended with the reason of its caller', async () => {
  const leaving = new AbortController();
  const ended = withTimeLimit(60_000, leaving.signal, untilAborted);
  leaving.abort(new Error('gone'));
  await expect(ended).rejects.toThrow('gone');
  await expect(
    withTimeLimit(60_000, leaving.signal, async (signal) => signal.throwIfAborted()),
  ).rejects.toThrow('gone');
});
