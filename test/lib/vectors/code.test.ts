// Tests of the stored form of vectors: quantised blocks and exact ones.
import { describe, expect, test } from 'vitest';
import {
  blockOf,
  bytesToFloats,
  changeBlock,
  dequantise,
  floatBytes,
  getVector,
  hasVector,
  quantise,
  SLOTS,
  type SlotChange,
} from '../../../server/lib/vectors/code.ts';
import { compareBlock, packQuery } from '../../../server/lib/vectors/compare.ts';
import { chance, unit } from './support/units.ts';

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

const put = (n: number, vector: Float32Array): SlotChange => ({ n, vector: quantise(vector) });

const visited = (block: Uint8Array, number: number, query: Float32Array): Map<number, number> => {
  const found = new Map<number, number>();
  compareBlock({ block: number, data: block }, packQuery(query), (n, cosine) => found.set(n, cosine));
  return found;
};

describe.each([1, 3, 16, 384, 1536])('with %i dimensions', (dimensions) => {
  const random = chance(dimensions);

  test('a vector and its cosine are restored with a small error', () => {
    for (let round = 0; round < 20; round++) {
      const [vector, query] = [unit(random, dimensions), unit(random, dimensions)];
      const back = dequantise(quantise(vector));
      expect(Math.abs(dot(back, query) - dot(vector, query))).toBeLessThan(0.01);
    }
  });

  test('quantising twice changes nothing more', () => {
    const once = quantise(unit(random, dimensions));
    const twice = quantise(dequantise(once));
    expect(twice.values).toEqual(once.values);
    expect(twice.scale).toBeCloseTo(once.scale, 6);
  });

  test('a block returns the vectors of its slots, and nothing else', () => {
    const first = 7 * SLOTS;
    const vectors = new Map([0, 5, 31].map((slot) => [first + slot, unit(random, dimensions)]));
    const block = changeBlock(
      null,
      dimensions,
      [...vectors].map(([n, vector]) => put(n, vector)),
    );
    const query = unit(random, dimensions);
    const found = visited(block, 7, query);
    expect([...found.keys()]).toEqual([...vectors.keys()]);
    for (const [n, vector] of vectors) {
      expect(found.get(n)).toBeCloseTo(dot(vector, query), 1);
      expect(getVector(block, dimensions, n)?.values).toEqual(quantise(vector).values);
      expect(hasVector(block, dimensions, n)).toBe(true);
    }
    expect(hasVector(block, dimensions, first + 1)).toBe(false);
    expect(getVector(block, dimensions, first + 1)).toBeNull();
  });

  test('a block ends after its last vector', () => {
    const stride = 4 + dimensions;
    const one = unit(random, dimensions);
    let block = changeBlock(null, dimensions, [put(0, one), put(4, one), put(9, one)]);
    expect(block.byteLength).toBe(10 * stride);
    expect(hasVector(block, dimensions, 20)).toBe(false);
    block = changeBlock(block, dimensions, [{ n: 9, vector: null }]);
    expect(block.byteLength).toBe(5 * stride);
    block = changeBlock(block, dimensions, [
      { n: 0, vector: null },
      { n: 4, vector: null },
    ]);
    expect(block.byteLength).toBe(0);
    expect(visited(block, 0, one).size).toBe(0);
    expect(changeBlock(block, dimensions, [put(2, one)]).byteLength).toBe(3 * stride);
  });

  test('a removed vector leaves no byte behind', () => {
    const block = changeBlock(null, dimensions, [
      put(0, unit(random, dimensions)),
      put(1, unit(random, dimensions)),
    ]);
    const removed = changeBlock(block, dimensions, [{ n: 0, vector: null }]);
    expect([...removed.subarray(0, 4 + dimensions)].every((byte) => byte === 0)).toBe(true);
  });
});

test('a block that is passed in stays unchanged', () => {
  const block = changeBlock(null, 4, [put(0, Float32Array.of(1, 0, 0, 0))]);
  const before = block.slice();
  changeBlock(block, 4, [put(0, Float32Array.of(0, 1, 0, 0)), put(3, Float32Array.of(0, 1, 0, 0))]);
  expect(block).toEqual(before);
});

test('the last change to a slot counts', () => {
  const block = changeBlock(null, 2, [
    put(1, Float32Array.of(1, 0)),
    { n: 1, vector: null },
    put(1, Float32Array.of(0, 1)),
  ]);
  expect(visited(block, 0, Float32Array.of(0, 1)).get(1)).toBeCloseTo(1);
});

test('removing a missing slot or removing from an empty block changes nothing', () => {
  expect(changeBlock(null, 4, [{ n: 3, vector: null }]).byteLength).toBe(0);
  const block = changeBlock(null, 4, [put(0, Float32Array.of(1, 0, 0, 0))]);
  expect(changeBlock(block, 4, [{ n: 30, vector: null }])).toEqual(block);
});

test('a vector of zeros has no direction and takes no slot', () => {
  const block = changeBlock(null, 4, [put(0, new Float32Array(4))]);
  expect(hasVector(block, 4, 0)).toBe(false);
});

test('bytes at any offset can be read', () => {
  const random = chance(5);
  const vectors = [unit(random, 5), unit(random, 5)];
  const block = changeBlock(
    null,
    5,
    vectors.map((vector, n) => put(n, vector)),
  );
  for (const shift of [1, 2, 3]) {
    const shifted = new Uint8Array(block.byteLength + shift).subarray(shift);
    shifted.set(block);
    expect(visited(shifted, 0, unit(chance(9), 5))).toEqual(visited(block, 0, unit(chance(9), 5)));
    expect(getVector(shifted, 5, 1)).toEqual(getVector(block, 5, 1));
  }
  const floats = Float32Array.of(1.5, -2.25, 3e-9);
  const odd = new Uint8Array(13).subarray(1);
  odd.set(floatBytes(floats));
  expect(bytesToFloats(odd)).toEqual(floats);
});

test('the exact form loses nothing, also for a part of a larger array', () => {
  const all = Float32Array.from({ length: 20 }, Math.random);
  expect(bytesToFloats(floatBytes(all.subarray(5, 11)))).toEqual(all.slice(5, 11));
});

test('chunk numbers far beyond 32 bits fall into the right slots', () => {
  const n = 2 ** 24 * 2 ** 28 + 45;
  expect(blockOf(n)).toBe((n - (n % SLOTS)) / SLOTS);
  const block = changeBlock(null, 2, [put(n, Float32Array.of(1, 0))]);
  expect([...visited(block, blockOf(n), Float32Array.of(1, 0)).keys()]).toEqual([n]);
});
