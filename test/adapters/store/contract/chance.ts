// Chance that is the same at every run.

export interface Chance {
  /** A whole number from 0 to one less than the limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T | undefined;
}

export const chanceOf = (seed: number): Chance => {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: (list) => list[below(list.length)] };
};
