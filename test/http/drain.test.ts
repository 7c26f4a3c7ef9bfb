// Tests of the pace at which the rests of refused bodies are read.
import { expect, test } from 'vitest';
import { createDrainPace } from '../../server/http/drain.ts';

const MIB = 1024 * 1024;
const PART = 64 * 1024;

const openPace = () => {
  let now = 0;
  const pace = createDrainPace(() => now);
  return {
    pass: (ms: number) => {
      now += ms;
    },
    read: (bytes: number): number => {
      let waitMs = 0;
      for (let left = bytes; left > 0; left -= PART) waitMs = pace.waitAfter(Math.min(left, PART));
      return waitMs;
    },
  };
};

test('a refused body of usual size is read without a rest', () => {
  expect(openPace().read(4 * MIB)).toBe(0);
});

test('all refused bodies together are read at 16 MiB a second', () => {
  const { read } = openPace();
  for (let body = 0; body < 40; body++) read(MIB);
  expect(read(24 * MIB)).toBeCloseTo(3750, 0);
});

test('what was read is forgotten as time passes', () => {
  const { read, pass } = openPace();
  read(64 * MIB);
  pass(4_000);
  expect(read(4 * MIB)).toBe(0);
});
