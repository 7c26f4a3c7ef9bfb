// The statistics of a measurement, and the format of its numbers.

/** Fewer samples say nothing about one call in a hundred. */
export const LEAST_SAMPLES_OF_P99 = 2000;

/** Expects sorted values. */
export const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** The median of the results of the rounds, so that a disturbed round does not distort it. */
export const medianRatio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] ?? Number.NaN)));

/** The spread of the rounds: (largest − smallest) / median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values);

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** Microseconds by the name of a thread; what takes less than one is left out. */
export const byThread = (threads: Iterable<readonly [string, number]>): string =>
  [...threads]
    .filter(([, microseconds]) => microseconds >= 1)
    .sort(([, a], [, b]) => b - a)
    .map(([name, microseconds]) => `${name} ${whole(microseconds)} µs`)
    .join(', ');

export const times = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)}×`;
export const percent = (value: number): string => `${Math.round(value * 100)} %`;

/** A bound on the median that holds for 95 of 100 samples, from the order of the values alone. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The chance that at most `successes` of `count` throws of a fair coin show heads. */
const fairCoin = (count: number, successes: number): number => {
  let chance = 0.5 ** count;
  let sum = chance;
  for (let at = 1; at <= successes; at++) {
    chance *= (count - at + 1) / at;
    sum += chance;
  }
  return sum;
};

/** The 95 % interval of the median: with fewer than six values it is as wide as the values. */
export const medianInterval = (values: readonly number[]): Interval => {
  const sorted = [...values].sort((a, b) => a - b);
  let skipped = 0;
  while (fairCoin(sorted.length, skipped) <= 0.025) skipped += 1;
  const first = Math.max(0, skipped - 1);
  return { from: sorted[first] ?? Number.NaN, to: sorted.at(-1 - first) ?? Number.NaN };
};
