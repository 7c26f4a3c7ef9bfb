// Random choices that are the same at every run.

export interface Chance {
  /** A whole number from 0 to one less than the limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T | undefined;
}

/** Mulberry32: neighbouring seeds have nothing in common. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (list) => list[below(list.length)] };
};
