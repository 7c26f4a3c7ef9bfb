// A loop in the background: works in rounds, rests until it is woken, waits after a failure, ends on stop.
import { growingWait, type RetryWaits } from '../retry.ts';
import { pause } from '../wait.ts';
import { createWake } from './wake.ts';

/** After a round: start the next at once, rest until a wake, or rest until a wake or a time. */
export type AfterRound = 'again' | 'rest' | { readonly sleepMs: number };

export interface WorkerOptions {
  round(signal: AbortSignal): Promise<AfterRound>;
  /** Called for an error that the round did not handle. After stop an error counts as the end of the work. */
  failed(error: unknown, waitMs: number): void;
  /** The waits after failures in a row. */
  waits: RetryWaits;
  /** True: a wake ends the wait after a failure. Otherwise the wake counts when the wait is over. */
  retriesOnWake?: boolean;
  /** For other work that must end together with this loop. */
  stopping?: AbortController;
}

export interface BackgroundWorker {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Aborts the signal; resolves when the round under way has ended. */
  stop(): Promise<void>;
}

export const createWorker = (options: WorkerOptions): BackgroundWorker => {
  const { round, failed, waits, retriesOnWake = false, stopping = new AbortController() } = options;
  const { signal } = stopping;
  const wake = createWake();
  let running: Promise<void> | null = null;
  let failures = 0;

  const recover = async (error: unknown): Promise<void> => {
    const waitMs = growingWait(waits, ++failures);
    failed(error, waitMs);
    await (retriesOnWake ? wake.sleep(waitMs) : pause(waitMs, signal));
  };

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const next = await round(signal);
        failures = 0;
        if (next !== 'again' && !signal.aborted) await wake.sleep(next === 'rest' ? undefined : next.sleepMs);
      } catch (error) {
        if (!signal.aborted) await recover(error);
      }
    }
  };

  return {
    start() {
      running ??= loop();
    },
    wake: wake.call,
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      wake.call();
      await running;
    },
  };
};
