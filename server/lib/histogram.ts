// Durations counted in buckets that double, so that the counts of two places add up.

/** Durations up to 1, 2, 4 … milliseconds; the last bucket takes all that are longer. Sums of two are the same over both. */
export const DURATION_BUCKETS = 16;

export const bucketOf = (ms: number): number =>
  ms <= 1 ? 0 : Math.min(DURATION_BUCKETS - 1, Math.ceil(Math.log2(ms)));

/** The duration below which this share of all lies, between the bounds of its bucket. */
export const percentile = (buckets: readonly number[], maxMs: number, share: number): number | null => {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let before = 0;
  for (const [at, count] of buckets.entries()) {
    if (count > 0 && before + count >= wanted) {
      const low = at === 0 ? 0 : 2 ** (at - 1);
      const high = at === DURATION_BUCKETS - 1 ? Math.max(maxMs, low) : 2 ** at;
      return Math.min(maxMs, low + ((wanted - before) / count) * (high - low));
    }
    before += count;
  }
  return maxMs;
};
