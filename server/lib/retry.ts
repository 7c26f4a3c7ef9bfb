// Trying again what may pass later: growing waits, a service's own wish honoured, everything bounded and abortable.
import { setTimeout as wait } from 'node:timers/promises';

export interface RetryPlan {
  /** How often in all. */
  readonly attempts: number;
  readonly firstWaitMs: number;
  /** A longer wait is left to whoever called. */
  readonly longestWaitMs: number;
}

/** What an error says about trying again; null: it is final. */
export type Judge = (error: unknown) => { afterMs?: number | undefined } | null;

function waitBefore(nextAttempt: number, plan: RetryPlan, afterMs: number | undefined): number {
  const growing = Math.min(plan.longestWaitMs, plan.firstWaitMs * 2 ** (nextAttempt - 2));
  // Spread out, so that callers that failed together do not return together.
  const spread = growing * (0.75 + Math.random() / 4);
  return Math.max(afterMs ?? 0, spread);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** The result of the first attempt that succeeds, else the error of the last. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  plan: RetryPlan,
  judge: Judge,
  signal?: AbortSignal,
): Promise<T> {
  for (let made = 1; ; made++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const verdict = judge(error);
      if (!verdict || made >= plan.attempts) throw error;
      const waitMs = waitBefore(made + 1, plan, verdict.afterMs);
      if (waitMs > plan.longestWaitMs) throw error;
      await pause(waitMs, signal);
    }
  }
}
