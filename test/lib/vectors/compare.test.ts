// Tests of comparing a query with the vectors of a block.
import { describe, expect, test } from 'vitest';
import {
  changeBlock,
  dequantise,
  getVector,
  quantise,
  SLOTS,
  stride,
} from '../../../server/lib/vectors/code.ts';
import { compareBlock, compareVectors, packQuery } from '../../../server/lib/vectors/compare.ts';
import { chance, ofUnitLength, unit } from './support/units.ts';

const blockOf = (dimensions: number, vectors: readonly Float32Array[]): Uint8Array =>
  changeBlock(
    null,
    dimensions,
    vectors.map((vector, n) => ({ n, vector: quantise(vector) })),
  );

const compared = (block: Uint8Array, query: Float32Array, wanted?: ReadonlySet<number>) => {
  const found = new Map<number, number>();
  compareBlock({ block: 0, data: block }, packQuery(query), (n, cosine) => found.set(n, cosine), wanted);
  return found;
};

/** The same, one number after the other. */
const product = (block: Uint8Array, n: number, query: Float32Array): number => {
  const stored = getVector(block, query.length, n);
  if (stored === null) throw new Error(`Nothing is stored at ${n}.`);
  return dequantise(stored).reduce((sum, x, i) => sum + x * (query[i] as number), 0);
};

describe.each([1, 3, 15, 16, 17, 384, 1024, 1536, 3072])('with %i dimensions', (dimensions) => {
  const random = chance(dimensions);
  const any = () => unit(random, dimensions);

  test('every cosine equals the one computed number by number', () => {
    const block = blockOf(dimensions, Array.from({ length: SLOTS }, any));
    for (let round = 0; round < 10; round++) {
      const query = any();
      const found = compared(block, query);
      expect(found.size).toBe(SLOTS);
      for (const [n, cosine] of found) expect(Math.abs(cosine - product(block, n, query))).toBeLessThan(2e-4);
    }
  });

  test('vectors that were taken out of their blocks have the same cosines, and empty slots none', () => {
    const block = blockOf(dimensions, Array.from({ length: SLOTS }, any));
    const query = any();
    const size = stride(dimensions);
    const slots = Array.from({ length: 2 * SLOTS }, (_, n) => ({
      n: n + 100,
      data: block.slice((n % SLOTS) * size, ((n % SLOTS) + 1) * size),
    }));
    const empty = [
      { n: 1, data: new Uint8Array(size) },
      { n: 2, data: new Uint8Array(0) },
    ];
    const found = new Map<number, number>();
    compareVectors([...empty, ...slots], packQuery(query), (n, cosine) => found.set(n, cosine));
    const whole = compared(block, query);
    expect([...found]).toEqual(slots.map(({ n }, at) => [n, whole.get(at % SLOTS)]));
  });

  test('the largest sums fit, with either sign', () => {
    const even = ofUnitLength(Array.from({ length: dimensions }, () => 1));
    const against = even.map((x) => -x);
    const found = compared(blockOf(dimensions, [even, against]), even);
    expect(found.get(0)).toBeCloseTo(1, 3);
    expect(found.get(1)).toBeCloseTo(-1, 3);
  });

  test('bytes after the end of a block do not count', () => {
    const full = blockOf(dimensions, Array.from({ length: SLOTS }, any));
    const [one, query] = [any(), any()];
    const alone = blockOf(dimensions, [one]);
    compared(full, any());
    expect(compared(alone, query).get(0)).toBeCloseTo(product(alone, 0, query), 3);
  });
});

test('only the requested slots are visited, and comparisons of different lengths can alternate', () => {
  const random = chance(7);
  const any = (dimensions: number) => unit(random, dimensions);
  const [small, large] = [blockOf(8, [any(8), any(8), any(8)]), blockOf(2_000, [any(2_000)])];
  const [ofSmall, ofLarge] = [any(8), any(2_000)];
  expect([...compared(small, ofSmall, new Set([1, 9])).keys()]).toEqual([1]);
  expect(compared(large, ofLarge).get(0)).toBeCloseTo(product(large, 0, ofLarge), 3);
  expect(compared(small, ofSmall).get(2)).toBeCloseTo(product(small, 2, ofSmall), 3);
});

test('a query of zeros is similar to nothing', () => {
  expect(compared(blockOf(4, [Float32Array.of(1, 0, 0, 0)]), new Float32Array(4)).get(0)).toBe(0);
});
