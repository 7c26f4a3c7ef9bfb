// How a server ends: a signal drains it, a second one ends it at once, and what nobody expected ends it with 1.
import { FAILED } from './failure.ts';

/** One Ctrl-C reaches a server under npm twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;
/** Draining is done sooner; this is for a part that hangs. */
const LIMIT_MS = 9_500;

export interface Stopping {
  /** Resolves with the first signal. */
  readonly asked: Promise<NodeJS.Signals>;
  /** Ends the process if what is left takes too long: whatever is acknowledged is stored, so nothing is lost. */
  limit(onLate: () => void): void;
}

export function onSignals(onSecond: () => void): Stopping {
  let first: number | null = null;
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    const heard = (signal: NodeJS.Signals) => {
      if (first === null) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > SAME_SIGNAL_MS) {
        onSecond();
        process.exit(FAILED);
      }
    };
    process.on('SIGTERM', heard).on('SIGINT', heard);
    // The launcher of an older Node is gone, however it died: nobody could reach this process any more.
    if (process.env.MEMOIR_LAUNCHED === '1') {
      process.once('disconnect', () => heard('SIGTERM'));
      process.channel?.unref();
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
}

export function onUnexpected(tell: (error: unknown) => void): void {
  const end = (error: unknown) => {
    tell(error);
    process.exit(FAILED);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
}
