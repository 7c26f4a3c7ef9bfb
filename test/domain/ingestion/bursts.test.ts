// Tests of bursts: callers that wait for each other go before the reading of documents, for a while.
import { beforeEach, expect, test } from 'vitest';
import { type Bursts, createBursts } from '../../../server/domain/ingestion/bursts.ts';

let now = 0;
let bursts: Bursts;

beforeEach(() => {
  now = 1_000_000;
  bursts = createBursts(() => now);
});

/** A burst of writes every ten milliseconds; the waits after each of them. */
const burst = (ms: number): number[] =>
  Array.from({ length: ms / 10 }, () => {
    now += 10;
    bursts.seen();
    return bursts.waitMs();
  });

test('without a burst nothing waits', () => {
  expect(bursts.waitMs()).toBe(0);
});

test('a burst is waited for until 50 ms passed without a crowd', () => {
  burst(100);
  expect(bursts.waitMs()).toBe(50);
  now += 30;
  expect(bursts.waitMs()).toBe(20);
  now += 20;
  expect(bursts.waitMs()).toBe(0);
});

test('a burst that goes on for more than two seconds is not waited for any longer, until a second passed without one', () => {
  expect(Math.min(...burst(1_900))).toBeGreaterThan(0);
  burst(150);
  expect(Math.max(...burst(60_000))).toBe(0);
  now += 900;
  expect(burst(10)).toEqual([0]);
  now += 1_001;
  expect(burst(10)).toEqual([50]);
});
