// Tests of running many calls with a limit on those under way.
import { describe, expect, it } from 'vitest';
import { mapBounded } from '../../../server/lib/async/bounded.ts';
import { abortOf, turns } from '../../support/until.ts';

describe('many calls with a limit', () => {
  it('give their results in order, and never exceed the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await mapBounded([30, 5, 20, 1, 10], 2, async (count) => {
      most = Math.max(most, ++running);
      await turns(count);
      running--;
      return count * 2;
    });
    expect(results).toEqual([60, 10, 40, 2, 20]);
    expect(most).toBe(2);
  });

  it('give an empty list when there are none', async () => {
    expect(await mapBounded([], 3, async () => 1)).toEqual([]);
  });

  it('end with the first failure, which stops the running and the waiting ones', async () => {
    const started: number[] = [];
    const stopped: number[] = [];
    const run = async (item: number, signal: AbortSignal) => {
      started.push(item);
      if (item === 2) throw new Error('two failed');
      await abortOf(signal).catch(() => stopped.push(item));
    };
    await expect(mapBounded([1, 2, 3, 4], 2, run)).rejects.toThrow('two failed');
    expect(started).toEqual([1, 2]);
    expect(stopped).toEqual([1]);
  });

  it('end with the reason of the abort signal', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const run = (_: number, signal: AbortSignal) => abortOf(signal);
    const results = mapBounded([1, 2, 3], 2, run, stop.signal);
    stop.abort(reason);
    await expect(results).rejects.toBe(reason);
  });
});
