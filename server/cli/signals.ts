// The end of a server: the first signal drains it, a second one ends it at once, an unexpected error ends it with 1.
import { FAILED } from './failure.ts';

/** A server under npm receives one Ctrl-C twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;
/** The limit for a part that hangs; draining takes less. */
const LIMIT_MS = 9_500;

export interface Stopping {
  /** Resolves with the first signal. */
  readonly asked: Promise<NodeJS.Signals>;
  /** Ends the process if stopping takes too long. Acknowledged content is stored already, so nothing is lost. */
  limit(onLate: () => void): void;
}

export const onSignals = (onSecond: () => void): Stopping => {
  let first: number | null = null;
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    const receive = (signal: NodeJS.Signals) => {
      if (first === null) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > SAME_SIGNAL_MS) {
        onSecond();
        process.exit(FAILED);
      }
    };
    process.on('SIGTERM', receive).on('SIGINT', receive);
    // The launcher (an older Node) has ended, so nothing could stop this process any more.
    if (process.env.MEMOIR_LAUNCHED === '1') {
      process.once('disconnect', () => receive('SIGTERM'));
      process.channel?.unref();
      // The launcher may have ended before this line, and the event is not repeated.
      if (!process.connected) receive('SIGTERM');
    }
  });
  return {
    asked,
    limit(onLate) {
      setTimeout(() => {
        onLate();
        process.exit(0);
      }, LIMIT_MS).unref();
    },
  };
};

export const onUnexpected = (report: (error: unknown) => void): void => {
  const end = (error: unknown) => {
    report(error);
    process.exit(FAILED);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
};
