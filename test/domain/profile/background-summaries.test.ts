// Tests of the summaries of profiles that are made in the background.
import { describe, expect, it } from 'vitest';
import type { Summariser } from '../../../server/adapters/language-model/ports/summariser.ts';
import { createBackgroundSummaries } from '../../../server/domain/profile/background-summaries.ts';
import { staticSection } from '../../../server/domain/profile/sections.ts';
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
  const summaries = createBackgroundSummaries({ summariser, now: () => time, log });
  return {
    summaries,
    warned,
    asked: () => waiting.length,
    pass: (ms: number) => {
      time += ms;
    },
    of: (id: string) => summaries.summarise(id, SECTIONS, () => undefined),
    answer: (at: number) => waiting[at]?.resolve(new Map()),
    fail: (at: number) => waiting[at]?.reject(new Error('The model is away.')),
  };
};

describe('the background summaries', () => {
  it('of the same profile are requested once while a request is under way', async () => {
    const { of, asked, answer } = open();
    const both = [of('a'), of('a')];
    expect(asked()).toBe(1);
    answer(0);
    const [first, second] = await Promise.all(both);
    expect(first).toBe(second);
    expect(first).toHaveProperty('lines');
  });

  it('are paused after a failure, longer after each further one, and resume after a success', async () => {
    const { of, asked, fail, answer, pass, warned } = open();
    let work = of('a');
    fail(0);
    expect(await work).toEqual({ retryAt: MINUTE });
    expect(await of('b')).toEqual({ retryAt: MINUTE });
    expect(asked()).toBe(1);
    pass(MINUTE);
    work = of('a');
    fail(1);
    expect(await work).toEqual({ retryAt: 3 * MINUTE });
    pass(2 * MINUTE);
    work = of('a');
    answer(2);
    expect(await work).toHaveProperty('lines');
    work = of('a');
    fail(3);
    expect(await work).toEqual({ retryAt: 4 * MINUTE });
    expect(warned).toHaveLength(3);
  });

  it('are limited in number at one time', async () => {
    const { of, asked, answer } = open();
    const all = ['a', 'b', 'c', 'd'].map(of);
    expect(await of('e')).toEqual({ retryAt: 5_000 });
    expect(asked()).toBe(4);
    for (let at = 0; at < 4; at++) answer(at);
    await Promise.all(all);
    void of('e');
    expect(asked()).toBe(5);
  });

  it('are cancelled without a log line when the server stops', async () => {
    const { of, summaries, warned } = open();
    const work = of('a');
    summaries.close();
    expect(await work).toEqual({ retryAt: Number.POSITIVE_INFINITY });
    expect(warned).toEqual([]);
  });

  it('are waited for, but only for a limited time', async () => {
    const { summaries } = open();
    expect(await summaries.withinWait(Promise.resolve('there'))).toBe('there');
    const start = performance.now();
    expect(await summaries.withinWait(new Promise(() => undefined))).toBeNull();
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_490);
  });
});
