// Duties: work that one of several processes does at a time.
import type { AfterRound } from './worker.ts';

export interface Duties {
  /** Null: another process holds the duty. The signal aborts when the hold may have ended. */
  hold(duty: string): Promise<AbortSignal | null>;
}

/** The time until a process without the duty looks again. */
const LOOK_MS = 2000;

/** The duties of a process that is alone. */
export const allDuties: Duties = { hold: async () => new AbortController().signal };

export interface OffDuty {
  /** Called at each look at a duty that another process holds. */
  off?: () => void;
}

/** A round of a worker that runs while this process holds the duty. */
export const onDuty =
  (
    duties: Duties,
    duty: string,
    round: (signal: AbortSignal) => Promise<AfterRound>,
    { off }: OffDuty = {},
  ): ((signal: AbortSignal) => Promise<AfterRound>) =>
  async (signal) => {
    const held = await duties.hold(duty);
    if (held !== null) return round(AbortSignal.any([signal, held]));
    off?.();
    return { sleepMs: LOOK_MS };
  };
