// The pace of one account of a source: how many requests a second and at once, and the silence that the source asked for.
// All connections of an account share it.
import { limitRuns } from '../../../lib/async/limit-runs.ts';

export interface AccountPaceOptions {
  readonly perSecond: number;
  readonly parallel: number;
  readonly now: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Called with the end of each silence, which must outlive the process. */
  readonly silenced?: (until: number) => void;
}

interface Turn {
  readonly signal: AbortSignal;
  /** At least this long after the end of the request before. */
  readonly pauseMs: number;
}

export interface AccountPace {
  /** Runs when it is its turn; resolves with the milliseconds of waiting too. */
  inTurn<T>(turn: Turn, run: () => Promise<T>): Promise<{ result: T; waitedMs: number }>;
  /** No request begins before the end of the silence, which is returned. Without a time it grows with each call in a row. */
  silence(forMs: number | null): number;
  /** The end of the last silence. */
  silentUntil(): number;
  /** A request succeeded, so the next silence without a time is short again. */
  answered(): void;
}

const FIRST_SILENCE_MS = 2_000;
const LONGEST_GROWN_SILENCE_MS = 10 * 60_000;

export const createAccountPace = (options: AccountPaceOptions, silentUntil = 0): AccountPace => {
  const { perSecond, parallel, now, pause, random, silenced } = options;
  const limit = limitRuns(parallel);
  let quietUntil = silentUntil;
  let nextSlot = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let silences = 0;

  const waitForTurn = async ({ signal, pauseMs }: Turn): Promise<number> => {
    const began = now();
    const slot = Math.max(nextSlot, endedAt + pauseMs, began);
    nextSlot = slot + 1000 / perSecond;
    // A silence may begin while this request waits.
    for (let at = now(); at < Math.max(slot, quietUntil); at = now()) {
      await pause(Math.max(slot, quietUntil) - at, signal);
      signal.throwIfAborted();
    }
    return now() - began;
  };

  return {
    inTurn: (turn, run) =>
      limit(async () => {
        turn.signal.throwIfAborted();
        const waitedMs = await waitForTurn(turn);
        try {
          return { result: await run(), waitedMs };
        } finally {
          endedAt = now();
        }
      }),
    silence(forMs) {
      silences += 1;
      const grown = Math.min(LONGEST_GROWN_SILENCE_MS, FIRST_SILENCE_MS * 2 ** (silences - 1));
      const wait = forMs ?? Math.round(grown * (0.75 + random() * 0.5));
      quietUntil = Math.max(quietUntil, now() + wait);
      silenced?.(quietUntil);
      return quietUntil;
    },
    silentUntil: () => quietUntil,
    answered() {
      silences = 0;
    },
  };
};
