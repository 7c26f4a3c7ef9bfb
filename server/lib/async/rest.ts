// Rests from a service that does not answer, so that each of its callers does not wait for it again.
import { isTimeout } from '../failures.ts';

export interface RestOptions {
  /** After a call without an answer, no other is made for this time. */
  readonly restMs: number;
  /** Afterwards one call at a time is made; its caller waits at most this long, and the call goes on by itself. */
  readonly patienceMs: number;
  /** The timeout of such a call. */
  readonly trialMs: number;
  /** A failure that came sooner costs nobody anything, so nothing rests after it. Default: 0. */
  readonly quickMs?: number;
  readonly now?: () => number;
}

export interface Rest {
  /** Rejects at once with the last failure while the service rests. */
  run<T>(call: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** True: a call would be rejected at once. */
  rests(): boolean;
  /** The service is known to be well. */
  over(): void;
}

/** Rejects when the time is over; the work goes on. */
const waitAtMost = async <T>(work: Promise<T>, ms: number, late: () => unknown): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

export const createRest = (options: RestOptions): Rest => {
  const { restMs, patienceMs, trialMs, quickMs = 0, now = () => performance.now() } = options;
  let failure: { readonly error: unknown; until: number } | null = null;
  let trial = false;

  const answered = (): void => {
    failure = null;
  };
  const failed = (error: unknown, tookMs: number): void => {
    if (tookMs >= quickMs || failure !== null) failure = { error, until: now() + restMs };
  };

  const attempt = async <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const began = now();
    try {
      const result = await call(signal);
      answered();
      return result;
    } catch (error) {
      // A caller that has left says nothing about the service.
      if (!signal.aborted || isTimeout(signal.reason)) failed(error, now() - began);
      throw error;
    }
  };

  /** The caller may leave: the trial decides for the next ones. */
  const attemptInBackground = <T>(call: (signal: AbortSignal) => Promise<T>, error: unknown): Promise<T> => {
    trial = true;
    const work = attempt(call, AbortSignal.timeout(trialMs)).finally(() => {
      trial = false;
    });
    work.catch(() => {});
    return waitAtMost(work, patienceMs, () => error);
  };

  const rests = (): boolean => failure !== null && (trial || now() < failure.until);

  return {
    run(call, signal = new AbortController().signal) {
      if (failure === null) return attempt(call, signal);
      if (rests()) return Promise.reject(failure.error);
      return attemptInBackground(call, failure.error);
    },
    rests,
    over: answered,
  };
};
