// What is counted of a call, and for how long a time.

/** The words of the published API for kinds of calls; the others of that API never occur here. */
export type UsageType = 'add' | 'search' | 'search_v4' | 'update' | 'delete' | 'request';

export const USAGE_TYPES = [
  'add',
  'search',
  'search_v4',
  'update',
  'delete',
  'request',
] as const satisfies UsageType[];

/** What a call turned out to be about, as far as it got. */
export interface CallFacts {
  readonly tags: readonly string[];
  /** Documents that it adds. */
  readonly documents: number;
  /** The size of their content. */
  readonly bytes: number;
  readonly input: unknown;
  /** Undefined: it gave no answer. */
  readonly output?: unknown;
}

export const HOUR_MS = 3_600_000;

export const startOfHour = (at: number): number => at - (at % HOUR_MS);

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
