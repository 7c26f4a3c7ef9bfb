// Usage: what is recorded of every call, how long it is kept, and who reads it.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { AnalyticsStore, UsageKeeping } from '../../adapters/store/ports/usage/analytics.ts';
import type { QuotaStore } from '../../adapters/store/ports/usage/quotas.ts';
import { tooMany } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { daily } from '../../lib/async/background/daily.ts';
import { DAY_MS, startOfHour } from '../../lib/text/dates/calendar.ts';
import { type Analytics, createAnalytics, HOURS_KEPT_MS } from './analytics.ts';
import { createQuotas, type Quotas, type QuotasDeps } from './quotas.ts';
import { createUsageRecorder, FLUSH_MS, type UsageRecorder } from './recorder.ts';
import type { RequestLogMode } from './request-log.ts';

export interface Usage extends Analytics, UsageRecorder {
  readonly quotas: Quotas;
  /** Turns old hours into days and drops what is too old; now and once a day. */
  keep(): Promise<void>;
}

export interface UsageDeps {
  store: AnalyticsStore & UsageKeeping;
  quotas: QuotaStore;
  checkMayLimit: QuotasDeps['checkMayLimit'];
  documents(): Promise<number>;
  keyNames(): Promise<ReadonlyMap<string, string>>;
  /** Other processes write to the same database. */
  shared: boolean;
  requestLog: RequestLogMode;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

const DAYS_KEPT_MS = 2 * 365 * DAY_MS;
const REQUESTS_KEPT_MS = 7 * DAY_MS;
const MOST_REQUESTS = 100_000;
/** The limit for all readers of /v3/analytics together, because each call sums up many rows. */
const READS_A_MINUTE = 100;

const createReadLimit = () => {
  const reads = new RateLimiterMemory({ points: READS_A_MINUTE, duration: 60 });
  return async (): Promise<void> => {
    try {
      await reads.consume('analytics');
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooMany(
        `Analytics answer ${READS_A_MINUTE} requests per minute for the whole organisation.`,
        refused.msBeforeNext,
      );
    }
  };
};

const pruneUsage = async ({ store, now, log }: UsageDeps): Promise<void> => {
  const at = now();
  const pruning = {
    hoursBefore: startOfHour(at - HOURS_KEPT_MS),
    daysBefore: at - DAYS_KEPT_MS,
    requestsBefore: at - REQUESTS_KEPT_MS,
    mostRequests: MOST_REQUESTS,
  };
  await store.prune(pruning).catch((err) => log.warn({ err }, 'Old usage was not pruned.'));
};

export const createUsage = (deps: UsageDeps): Usage => {
  const { shared, now } = deps;
  const recorder = createUsageRecorder(deps);
  const analytics = createAnalytics({
    ...deps,
    async upToNow() {
      const at = now();
      await recorder.flush();
      return shared ? at - FLUSH_MS : at;
    },
  });
  const admit = createReadLimit();
  const keeping = daily(() => pruneUsage(deps));
  const limited =
    <Args extends unknown[], Answer>(read: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      await admit();
      return read(...args);
    };
  return {
    ...recorder,
    quotas: createQuotas({
      ...{ store: deps.quotas, checkMayLimit: deps.checkMayLimit, flush: recorder.flush, now },
    }),
    usage: limited(analytics.usage),
    errors: limited(analytics.errors),
    logs: limited(analytics.logs),
    requests: limited(analytics.requests),
    memory: limited(analytics.memory),
    keep: keeping.begin,
    async close() {
      keeping.stop();
      await recorder.close();
    },
  };
};
