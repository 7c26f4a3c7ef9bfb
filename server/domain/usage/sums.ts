// Sums of counted calls, and how they are presented.
import type { CallSum } from '../../adapters/store/ports/usage/analytics.ts';
import { DURATION_BUCKETS, percentile } from '../../lib/histogram.ts';
import { isoTimeOrNull } from '../../lib/text/dates/format.ts';

export interface Totals {
  readonly count: number;
  readonly errors: number;
  readonly sumMs: number;
  readonly maxMs: number;
  readonly documents: number;
  readonly bytes: number;
  /** Null: there was no call. */
  readonly lastAt: number | null;
  readonly buckets: readonly number[];
}

/** A caller who left is no error. */
const CLIENT_LEFT = 499;

export const isFailure = (status: number): boolean => status >= 400 && status !== CLIENT_LEFT;

const NO_CALLS: Totals = {
  ...{ count: 0, errors: 0, sumMs: 0, maxMs: 0, documents: 0, bytes: 0, lastAt: null },
  buckets: new Array<number>(DURATION_BUCKETS).fill(0),
};

export const sumUp = (sums: readonly CallSum[]): Totals =>
  sums.reduce<Totals>(
    (total, sum) => ({
      count: total.count + sum.count,
      errors: total.errors + (isFailure(sum.status) ? sum.count : 0),
      sumMs: total.sumMs + sum.sumMs,
      maxMs: Math.max(total.maxMs, sum.maxMs),
      documents: total.documents + sum.documents,
      bytes: total.bytes + sum.bytes,
      lastAt: Math.max(total.lastAt ?? 0, sum.lastAt),
      buckets: total.buckets.map((count, at) => count + (sum.buckets[at] ?? 0)),
    }),
    NO_CALLS,
  );

const hundredths = (value: number): number => Math.round(value * 100) / 100;

export const averageField = ({ count, sumMs }: Pick<Totals, 'count' | 'sumMs'>): { avgDuration?: number } =>
  count === 0 ? {} : { avgDuration: hundredths(sumMs / count) };

export const percentilesOf = ({ buckets, maxMs }: Totals) => {
  const at = (share: number): number | null => {
    const value = percentile(buckets, maxMs, share);
    return value === null ? null : hundredths(value);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

export const presentTotals = (total: Totals) => ({
  count: total.count,
  ...averageField(total),
  lastUsed: isoTimeOrNull(total.lastAt),
});
