// Tests of the cache of recognised keys.
import { expect, test } from 'vitest';
import type { KeyWithMakers } from '../../../server/adapters/store/ports/keys.ts';
import { createKeyCache } from '../../../server/domain/access/keys/key-cache.ts';
import { makeKey } from '../../../server/domain/access/keys/make-key.ts';
import { createClock } from '../../support/clock.ts';

const template = makeKey({ orgId: 'org', now: 0, request: {}, name: 'x' }).record;
const read = async (hash: string): Promise<KeyWithMakers> => ({
  ...template,
  id: hash,
  hash,
  makers: [],
  owner: null,
});

test('the cache of keys holds at most ten thousand, and drops the one that was loaded longest ago', async () => {
  const cache = createKeyCache(createClock().now);
  for (let index = 0; index < 10_000; index++) await cache.load(`h${index}`, read);
  await cache.load('h0', read);
  await cache.load('one more', read);
  expect(cache.knows('h0')).toBe(true);
  expect(cache.knows('h1')).toBe(false);
  expect(cache.knows('one more')).toBe(true);
});

test('a key whose entry is stale is still known as a valid key', async () => {
  const clock = createClock();
  const cache = createKeyCache(clock.now);
  await cache.load('h', read);
  clock.pass(5_001);
  expect(cache.fresh('h')).toBeUndefined();
  expect(cache.knows('h')).toBe(true);
});

test('a removed key is forgotten', async () => {
  const cache = createKeyCache(createClock().now);
  await cache.load('h', read);
  expect(await cache.load('h', async () => null)).toBeNull();
  expect(cache.knows('h')).toBe(false);
});
