// Ends a call to a server that hangs: a call may take long, but a server that works answers /health meanwhile.
import { pause } from '../../lib/async/wait.ts';
import { CommandFailure } from '../failure.ts';

export interface SilenceLimits {
  /** The time until the server is asked for its health during a call, and between two such questions. */
  readonly everyMs: number;
  /** The longest wait for the answer about its health. */
  readonly answerMs: number;
}

const LIMITS: SilenceLimits = { everyMs: 5_000, answerMs: 5_000 };

const hangs = (url: string): CommandFailure =>
  new CommandFailure(
    `The Memoir server at ${url} takes the connection and does not answer: it hangs, or its process is suspended. End its process and start it again. What it had accepted is kept; the call of this command may have been executed.`,
  );

/** Any answer counts, because a server that refuses works. */
const answers = async (url: string, ms: number): Promise<boolean> => {
  try {
    await fetch(`${url}/health`, { signal: AbortSignal.timeout(ms) });
    return true;
  } catch (error) {
    return !(error instanceof Error && error.name === 'TimeoutError');
  }
};

/** Runs a call to the server; its signal is aborted when the server hangs. */
export const untilSilent = async <T>(
  url: string,
  call: (signal: AbortSignal) => Promise<T>,
  { everyMs, answerMs }: SilenceLimits = LIMITS,
): Promise<T> => {
  const over = new AbortController();
  const silent = new AbortController();
  const watch = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, over.signal);
      if (over.signal.aborted) return;
      if (!(await answers(url, answerMs)) && !over.signal.aborted) return silent.abort(hangs(url));
    }
  };
  void watch();
  try {
    return await call(silent.signal);
  } catch (error) {
    silent.signal.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
};
