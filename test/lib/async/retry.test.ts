// Tests of retries and of the waiting times between them.
import { describe, expect, it, test } from 'vitest';
import { growingWait, type RetryPlan, waitBeforeJob, withRetries } from '../../../server/lib/async/retry.ts';
import { until } from '../../support/until.ts';

const PLAN: RetryPlan = { attempts: 3, firstWaitMs: 5, longestWaitMs: 60 };

/** Fails the first `times` times. */
function failing(times: number) {
  const run = Object.assign(
    async () => {
      run.attempts += 1;
      if (run.attempts <= times) throw new Error(`failure ${run.attempts}`);
      return 'done';
    },
    { attempts: 0 },
  );
  return run;
}

describe('retrying', () => {
  it('ends with the first success', async () => {
    const run = failing(2);
    expect(await withRetries(run, PLAN, () => ({}))).toBe('done');
    expect(run.attempts).toBe(3);
  });

  it('ends with the last error when all attempts are used', async () => {
    const run = failing(9);
    await expect(withRetries(run, PLAN, () => ({}))).rejects.toThrow('failure 3');
    expect(run.attempts).toBe(3);
  });

  it('stops after a permanent error', async () => {
    const run = failing(9);
    await expect(withRetries(run, PLAN, () => null)).rejects.toThrow('failure 1');
  });

  it('waits as long as the service requests', async () => {
    const start = performance.now();
    await withRetries(failing(1), PLAN, () => ({ afterMs: 40 }));
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
  });

  it('is left to the caller when the wait would be too long', async () => {
    const run = failing(1);
    await expect(withRetries(run, PLAN, () => ({ afterMs: 61 }))).rejects.toThrow('failure 1');
    expect(run.attempts).toBe(1);
  });

  it('stops at once when it is aborted while it waits', async () => {
    const reason = new Error('no longer wanted');
    const stop = new AbortController();
    const patient = { ...PLAN, longestWaitMs: 60_000 };
    const run = failing(1);
    const result = withRetries(run, patient, () => ({ afterMs: 30_000 }), stop.signal);
    const refused = expect(result).rejects.toBe(reason);
    await until('the first attempt', () => run.attempts === 1);
    stop.abort(reason);
    await refused;
  });
});

test('waiting times double from the first to the longest', () => {
  expect([1, 2, 3, 4, 5, 2000].map((failures) => growingWait(PLAN, failures))).toEqual([
    5, 10, 20, 40, 60, 60,
  ]);
});

describe('the waiting time of a stored job', () => {
  const half = () => 0.5;

  it('grows after each failure, and the job is given up after the last attempt', () => {
    const waits = [1, 2, 3].map((failures) => waitBeforeJob(PLAN, failures, undefined, half));
    expect(waits).toEqual([5, 10, null]);
  });

  it('varies by a quarter to both sides', () => {
    const plan = { attempts: 3, firstWaitMs: 1000, longestWaitMs: 1000 };
    expect(waitBeforeJob(plan, 1, undefined, () => 0)).toBe(750);
    expect(waitBeforeJob(plan, 1, undefined, () => 1)).toBe(1250);
  });

  it('is the time that the failed service requested, not less than its own and not more than the longest', () => {
    expect(waitBeforeJob(PLAN, 1, 50, half)).toBe(50);
    expect(waitBeforeJob(PLAN, 1, 86_400_000, half)).toBe(PLAN.longestWaitMs);
    expect(waitBeforeJob(PLAN, 2, 1, half)).toBe(10);
  });
});
