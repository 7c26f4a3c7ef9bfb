// Random secrets that are the same for the same seed, in the same order.

export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
  /** A unique text, so that a search in an answer shows whether it leaked. */
  secret(): string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 16;

/** The generator known as mulberry32. */
const numbers = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const createChance = (seed: number): Chance => {
  const next = numbers(seed);
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    pick(list) {
      const one = list[below(list.length)];
      if (one === undefined) throw new Error('There is nothing to pick from.');
      return one;
    },
    secret: () => Array.from({ length: SECRET_LENGTH }, () => LETTERS[below(LETTERS.length)]).join(''),
  };
};

/** A seed of the day's own, or the one of a run that failed: MEMOIR_TEST_SEED=… npm test. */
export const testSeed = (): number => Number(process.env.MEMOIR_TEST_SEED ?? Date.now() % 2 ** 31);
