// Retries: how long to wait after failures, and calls that are repeated within bounds.
import { pause } from './wait.ts';

/** Waits double from the first to the longest. */
export interface RetryWaits {
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

export interface RetryPlan extends RetryWaits {
  /** The number of attempts, the first included. */
  readonly attempts: number;
}

/** The advice of an error on retries; null: the error is permanent. */
export type RetryVerdict = (error: unknown) => { afterMs?: number | undefined } | null;

/** `failures` in a row, from 1. */
export const growingWait = ({ firstWaitMs, longestWaitMs }: RetryWaits, failures: number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));

/** Adds jitter, so that callers that failed together do not retry together. */
const spreadOut = (waitMs: number, width: number, random: () => number): number =>
  waitMs * (0.75 + random() * width);

const CALL_SPREAD = 0.25;
const JOB_SPREAD = 0.5;

/** A longer wait that the service requested is respected. */
const waitBeforeCall = (plan: RetryPlan, failures: number, askedMs: number | undefined): number =>
  Math.max(askedMs ?? 0, spreadOut(growingWait(plan, failures), CALL_SPREAD, Math.random));

/** A wait that a service asks for is respected up to the longest of the plan: nobody waits a day for a mistaken answer. */
export const respectedWait = (
  { longestWaitMs }: RetryWaits,
  askedMs: number | undefined,
  waitMs: number,
): number => Math.max(waitMs, Math.min(askedMs ?? 0, longestWaitMs));

/** The wait before a stored job runs again, at most the longest of the plan; null: that was its last attempt. */
export const waitBeforeJob = (
  plan: RetryPlan,
  failures: number,
  askedMs: number | undefined,
  random: () => number,
): number | null => {
  if (failures >= plan.attempts) return null;
  return Math.round(respectedWait(plan, askedMs, spreadOut(growingWait(plan, failures), JOB_SPREAD, random)));
};

/**
 * The result of the first attempt that succeeds, else the error of the last attempt. A wait longer than the longest of
 * the plan is left to the caller.
 */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  plan: RetryPlan,
  judge: RetryVerdict,
  signal?: AbortSignal,
): Promise<T> => {
  for (let made = 1; ; made++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const verdict = judge(error);
      if (!verdict || made >= plan.attempts) throw error;
      const waitMs = waitBeforeCall(plan, made, verdict.afterMs);
      if (waitMs > plan.longestWaitMs) throw error;
      await pause(waitMs, signal);
    }
  }
};
