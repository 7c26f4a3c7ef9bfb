// Unit vectors that are the same at every run.

/** Numbers from 0 to below 1. */
export const chance = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

export const ofUnitLength = (numbers: readonly number[]): Float32Array => {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (x) => x / length);
};

export const unit = (random: () => number, dimensions: number): Float32Array =>
  ofUnitLength(Array.from({ length: dimensions }, () => random() * 2 - 1));
