// Calls an outside model for an option of a search. The search goes on without it when it fails or takes too long.
import { MemoirError } from '../../../core/errors.ts';
import { messageOf } from '../../../lib/failures.ts';
import type { SkippedOption, SkippedOptions } from '../skipped-options.ts';

export interface OptionalCallContext {
  readonly signal: AbortSignal;
  readonly skipped: SkippedOptions;
  /** Logs that a search went on without a part that failed. */
  readonly warn: (message: string, cause: unknown) => void;
}

export interface OptionalCall<T> {
  readonly option: SkippedOption['about'];
  /** The result of a failure, as the first sentence of the message to the caller. */
  readonly fallback: () => string;
  readonly timeoutMs: number;
  /** True: every search makes the call, so a late answer and a busy model are no news for the log. */
  readonly isRoutine?: boolean;
  readonly run: (signal: AbortSignal) => Promise<T>;
}

const isMomentary = (error: unknown): boolean => error instanceof MemoirError && error.status === 503;

/** Null when the call fails or takes too long: the caller gets a message, the log a warning. */
export const callOptional = async <T>(
  { signal, skipped, warn }: OptionalCallContext,
  { option, fallback, timeoutMs, isRoutine = false, run }: OptionalCall<T>,
): Promise<T | null> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await run(AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    const reason = timeout.aborted
      ? `No complete answer came within ${timeoutMs / 1000} s.`
      : messageOf(error);
    const message = `${fallback()} ${reason}`;
    skipped.add(option, message);
    if (!isRoutine || !(timeout.aborted || isMomentary(error))) warn(message, error);
    return null;
  }
};
