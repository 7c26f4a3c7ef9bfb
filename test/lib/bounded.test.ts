import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mapBounded } from '../../server/lib/bounded.ts';

describe('many things at once', () => {
  it('give their results in order, never more than the limit under way', async () => {
    let running = 0;
    let most = 0;
    const results = await mapBounded([30, 5, 20, 1, 10], 2, async (ms) => {
      most = Math.max(most, ++running);
      await wait(ms);
      running--;
      return ms * 2;
    });
    expect(results).toEqual([60, 10, 40, 2, 20]);
    expect(most).toBe(2);
  });

  it('are nothing when there are none', async () => {
    expect(await mapBounded([], 3, async () => 1)).toEqual([]);
  });

  it('end with the first failure, which stops those under way and those to come', async () => {
    const started: number[] = [];
    const stopped: number[] = [];
    const run = async (item: number, signal: AbortSignal) => {
      started.push(item);
      if (item === 2) throw new Error('two failed');
      await wait(5000, undefined, { signal }).catch(() => stopped.push(item));
    };
    await expect(mapBounded([1, 2, 3, 4], 2, run)).rejects.toThrow('two failed');
    expect(started).toEqual([1, 2]);
    expect(stopped).toEqual([1]);
  });

  it('end with the reason of whoever aborts them', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => stop.abort(reason), 5);
    const run = (_: number, signal: AbortSignal) => wait(5000, undefined, { signal });
    await expect(mapBounded([1, 2, 3], 2, run, stop.signal)).rejects.toBe(reason);
  });
});
