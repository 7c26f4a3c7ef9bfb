// Tests of work that several callers share.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSpaced } from '../../../../server/lib/async/background/spaced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first call works at once, and those that follow share one work at the end of the time', () => {
  const work = vi.fn();
  const ask = createSpaced(100, work);
  ask();
  expect(work).toHaveBeenCalledTimes(1);
  for (let at = 0; at < 10; at++) ask();
  vi.advanceTimersByTime(99);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(2);
});

test('without further calls nothing is done, and a later call works at once again', () => {
  const work = vi.fn();
  const ask = createSpaced(100, work);
  ask();
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledTimes(1);
  ask();
  expect(work).toHaveBeenCalledTimes(2);
});
