// Tests of the division of containers over shards.
import { expect, test } from 'vitest';
import { createShardLayout } from '../../../../server/adapters/vectors/chroma/shards.ts';

const SPAN = 2 ** 28;

test('one shard has the name of a space alone', () => {
  const layout = createShardLayout('org', 1);
  expect(layout.collections(3)).toEqual(['memoir-org-3']);
  expect(layout.holding(3, [1, 2, 3])).toEqual(['memoir-org-3']);
});

test('a container is in one shard of several, and always in the same', () => {
  const layout = createShardLayout('org', 4);
  const all = layout.collections(3);
  expect(all).toEqual([
    'memoir-org-3.0-of-4',
    'memoir-org-3.1-of-4',
    'memoir-org-3.2-of-4',
    'memoir-org-3.3-of-4',
  ]);
  // Stored vectors lie in these shards: the division never changes.
  const shards = [0, 1, 2, 3, 4, 5, 6, 7, 1_000_000, 33_000_000].map((container) => {
    const [name = '', ...others] = layout.holding(3, [container]);
    expect(others).toEqual([]);
    return all.indexOf(name);
  });
  expect(shards).toEqual([0, 3, 2, 3, 1, 1, 0, 0, 1, 2]);
  const numbers = [5 * SPAN, 5 * SPAN + 9, 6 * SPAN];
  const divided = layout.divided(3, numbers, (n) => n);
  expect([...divided.values()].flat().sort()).toEqual(numbers);
  for (const [name, own] of divided)
    for (const n of own) expect(layout.holding(3, [Math.floor(n / SPAN)])).toEqual([name]);
  expect(layout.holding(3, null)).toEqual(all);
});

test('containers of any pattern are spread evenly', () => {
  for (const step of [1, 2, 8, 64]) {
    const containers = Array.from({ length: 8_000 }, (_, at) => at * step * SPAN);
    const sizes = [
      ...createShardLayout('org', 8)
        .divided(1, containers, (n) => n)
        .values(),
    ].map(({ length }) => length);
    expect(sizes).toHaveLength(8);
    expect(Math.max(...sizes)).toBeLessThan(1.15 * Math.min(...sizes));
  }
});

test('collections of another number of shards are known from those of other installations', () => {
  const layout = createShardLayout('org', 4);
  const names = [
    'memoir-org-3',
    'memoir-org-12.1-of-2',
    'memoir-org-3.1-of-4',
    'memoir-org-a-3',
    'memoir-or-3',
  ];
  expect([...names, 'memoir-org-3-copy', 'notes'].filter(layout.isOther)).toEqual(names.slice(0, 2));
  expect(names.filter(createShardLayout('org', 1).isOther)).toEqual(names.slice(1, 3));
});
