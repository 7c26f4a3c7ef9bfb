import { describe, expect, it } from 'vitest';
import { type RetryPlan, withRetries } from '../../server/lib/retry.ts';

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

describe('trying again', () => {
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

  it('does not happen after an error that is final', async () => {
    const run = failing(9);
    await expect(withRetries(run, PLAN, () => null)).rejects.toThrow('failure 1');
  });

  it('waits as long as it was asked to', async () => {
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
    const result = withRetries(failing(1), patient, () => ({ afterMs: 30_000 }), stop.signal);
    setTimeout(() => stop.abort(reason), 10);
    await expect(result).rejects.toBe(reason);
  });
});
