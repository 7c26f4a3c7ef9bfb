// Counts for the rate limits: in memory, or together with other processes.
import type { RateLimiterRes } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { DatabaseUnavailableError } from '../../core/errors.ts';
import type { RateCount, RateCounts } from '../../core/processes/rate-counts.ts';

const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): RateCount => ({
  count: consumedPoints,
  waitMs: msBeforeNext,
});

export const createMemoryCounts = (): RateCounts => {
  // Each name has a limit of its own, so the limiter only counts and the comparison is ours.
  const limiter = new RateLimiterMemory({ keyPrefix: '', points: Number.MAX_SAFE_INTEGER, duration: 60 });
  return {
    add: async (name, windowMs) =>
      countOf(await limiter.consume(name, 1, { customDuration: windowMs / 1000 })),
    async look(name) {
      const used = await limiter.get(name);
      return used === null ? null : countOf(used);
    },
  };
};

/** While the database is away or busy each process counts for itself. */
export const insuredCounts = (shared: RateCounts, own: RateCounts = createMemoryCounts()): RateCounts => {
  const orOwn = async <T>(ask: (counts: RateCounts) => Promise<T>): Promise<T> => {
    try {
      return await ask(shared);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return ask(own);
    }
  };
  return {
    add: (name, windowMs) => orOwn((counts) => counts.add(name, windowMs)),
    look: (name) => orOwn((counts) => counts.look(name)),
  };
};
