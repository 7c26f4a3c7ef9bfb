// Tests of the cache of profiles.
import { describe, expect, it } from 'vitest';
import { createProfileCache } from '../../../server/domain/profile/profile-cache.ts';

const open = (mostCharacters = 1_000) => {
  let time = 0;
  let made = 0;
  const cache = createProfileCache<number>({ now: () => time, mostCharacters });
  return {
    at: (now: number) => {
      time = now;
    },
    get: (key: string, version: string, { size = 10, until = Number.POSITIVE_INFINITY } = {}) =>
      cache.get(key, version, async () => ({ value: ++made, size, until })),
    replace: (key: string, version: string, value: number) =>
      cache.replace(key, version, { value, size: 10, until: Number.POSITIVE_INFINITY }),
  };
};

describe('a cached profile', () => {
  it('is returned as long as its tag has the same version', async () => {
    const { get } = open();
    expect(await get('a', '1')).toBe(1);
    expect(await get('a', '1')).toBe(1);
    expect(await get('b', '1')).toBe(2);
    expect(await get('a', '2')).toBe(3);
    expect(await get('a', '2')).toBe(3);
  });

  it('is valid until the first of its memories expires', async () => {
    const { get, at } = open();
    expect(await get('a', '1', { until: 50 })).toBe(1);
    at(49);
    expect(await get('a', '1', { until: 50 })).toBe(1);
    at(50);
    expect(await get('a', '1')).toBe(2);
  });

  it('is replaced by a better one of the same version, and by no other', async () => {
    const { get, replace } = open();
    await get('a', '1');
    replace('a', '1', 100);
    expect(await get('a', '1')).toBe(100);
    await get('a', '2');
    replace('a', '1', 100);
    replace('b', '1', 100);
    expect([await get('a', '2'), await get('b', '1')]).toEqual([2, 3]);
  });

  it('is dropped when it was read longest ago, and is not stored when it is too large', async () => {
    const { get } = open(30);
    await get('a', '1');
    await get('b', '1');
    await get('c', '1');
    expect(await get('a', '1')).toBe(1);
    expect(await get('d', '1')).toBe(4);
    expect(await get('a', '1')).toBe(1);
    expect(await get('b', '1')).toBe(5);
    expect(await get('large', '1', { size: 31 })).toBe(6);
    expect(await get('large', '1', { size: 31 })).toBe(7);
  });
});
