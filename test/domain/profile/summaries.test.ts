import { describe, expect, it } from 'vitest';
import type { Summariser } from '../../../server/adapters/model/summary-port.ts';
import { staticSection } from '../../../server/domain/profile/sections.ts';
import { createSummaries } from '../../../server/domain/profile/summaries.ts';
import { memory } from './memories.ts';

const SECTIONS = [staticSection([memory('Ada rows.'), memory('Ada sings.')])];
const MINUTE = 60_000;

/** Summaries over a model whose answers the test gives, one after the other. */
const open = () => {
  let time = 0;
  const waiting: PromiseWithResolvers<Awaited<ReturnType<Summariser['summarise']>>>[] = [];
  const warned: unknown[] = [];
  const summariser: Summariser = {
    name: 'test',
    summarise(_request, signal) {
      const answer = Promise.withResolvers<Awaited<ReturnType<Summariser['summarise']>>>();
      signal.addEventListener('abort', () => answer.reject(signal.reason));
      waiting.push(answer);
      return answer.promise;
    },
  };
  const log = { warn: (what: unknown) => void warned.push(what) };
  const summaries = createSummaries({ summariser, now: () => time, log });
  return {
    summaries,
    warned,
    asked: () => waiting.length,
    pass: (ms: number) => {
      time += ms;
    },
    of: (id: string) => summaries.of(id, SECTIONS, () => undefined),
    answer: (at: number) => waiting[at]?.resolve(new Map()),
    fail: (at: number) => waiting[at]?.reject(new Error('The model is away.')),
  };
};

describe('summaries', () => {
  it('of the same are asked for once while they are under way', async () => {
    const { of, asked, answer } = open();
    const both = [of('a'), of('a')];
    expect(asked()).toBe(1);
    answer(0);
    const [first, second] = await Promise.all(both);
    expect(first).toBe(second);
    expect(first).toHaveProperty('lines');
  });

  it('rest after a failure, longer after each that follows, and no more after a success', async () => {
    const { of, asked, fail, answer, pass, warned } = open();
    let work = of('a');
    fail(0);
    expect(await work).toEqual({ again: MINUTE });
    expect(await of('b')).toEqual({ again: MINUTE });
    expect(asked()).toBe(1);
    pass(MINUTE);
    work = of('a');
    fail(1);
    expect(await work).toEqual({ again: 3 * MINUTE });
    pass(2 * MINUTE);
    work = of('a');
    answer(2);
    expect(await work).toHaveProperty('lines');
    work = of('a');
    fail(3);
    expect(await work).toEqual({ again: 4 * MINUTE });
    expect(warned).toHaveLength(3);
  });

  it('are few at once', async () => {
    const { of, asked, answer } = open();
    const all = ['a', 'b', 'c', 'd'].map(of);
    expect(await of('e')).toEqual({ again: 5_000 });
    expect(asked()).toBe(4);
    for (let at = 0; at < 4; at++) answer(at);
    await Promise.all(all);
    void of('e');
    expect(asked()).toBe(5);
  });

  it('are given up without a word when the server stops', async () => {
    const { of, summaries, warned } = open();
    const work = of('a');
    summaries.close();
    expect(await work).toEqual({ again: Number.POSITIVE_INFINITY });
    expect(warned).toEqual([]);
  });

  it('are waited for, but not for ever', async () => {
    const { summaries } = open();
    expect(await summaries.inTime(Promise.resolve('there'))).toBe('there');
    const start = performance.now();
    expect(await summaries.inTime(new Promise(() => undefined))).toBeNull();
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_490);
  });
});
