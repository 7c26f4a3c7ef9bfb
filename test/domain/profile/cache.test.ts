import { describe, expect, it } from 'vitest';
import { createCache } from '../../../server/domain/profile/cache.ts';

const open = (mostCharacters = 1_000) => {
  let time = 0;
  let made = 0;
  const cache = createCache<number>({ now: () => time, mostCharacters });
  return {
    at: (now: number) => {
      time = now;
    },
    get: (key: string, version: string, { size = 10, until = Number.POSITIVE_INFINITY } = {}) =>
      cache.get(key, version, async () => ({ value: ++made, size, until })),
    improve: (key: string, version: string, value: number) =>
      cache.improve(key, version, { value, size: 10, until: Number.POSITIVE_INFINITY }),
  };
};

describe('a profile that was made', () => {
  it('is given again as long as its tag has the same version', async () => {
    const { get } = open();
    expect(await get('a', '1')).toBe(1);
    expect(await get('a', '1')).toBe(1);
    expect(await get('b', '1')).toBe(2);
    expect(await get('a', '2')).toBe(3);
    expect(await get('a', '2')).toBe(3);
  });

  it('holds until the first of its memories ends', async () => {
    const { get, at } = open();
    expect(await get('a', '1', { until: 50 })).toBe(1);
    at(49);
    expect(await get('a', '1', { until: 50 })).toBe(1);
    at(50);
    expect(await get('a', '1')).toBe(2);
  });

  it('gives way to a better one of the same version, and to no other', async () => {
    const { get, improve } = open();
    await get('a', '1');
    improve('a', '1', 100);
    expect(await get('a', '1')).toBe(100);
    await get('a', '2');
    improve('a', '1', 100);
    improve('b', '1', 100);
    expect([await get('a', '2'), await get('b', '1')]).toEqual([2, 3]);
  });

  it('makes room for others, the least recently read first, and one too large is not kept', async () => {
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
