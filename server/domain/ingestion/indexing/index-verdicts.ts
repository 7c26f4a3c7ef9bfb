// The state of the index's copy of each space: complete or not, and the time of the next comparison.

/** Must be read in this order, so that a vector written in between counts as pending. */
export interface Counts {
  /** The number of vectors in the index. */
  held: number;
  /** The number of vectors in SQL. */
  vectors: number;
  /** The number of outbox entries that the index has not taken yet. */
  pending: number;
}

/**
 * `hopeless`: the space was filled again shortly before and differs again. `stale`: the index was restarted during the
 * count, so the counts are worthless.
 */
export type Verdict = 'whole' | 'lost' | 'hopeless' | 'stale';

export interface Verdicts {
  isDue(space: number): boolean;
  /** Must be called before counting. */
  look(space: number): (counts: Counts) => Verdict;
  /** Requests a comparison; until then the former verdict stays. */
  forget(space: number): void;
  /** The index failed or was restarted: no search relies on it until the next comparison. */
  forgetAll(): void;
}

/** Pending vectors can hide a loss, so a space with pending vectors is compared again soon. */
const MOVING_MS = 1000;
/** An external server, which others may empty, is compared at this interval. */
const RESTING_MS = 60_000;
const REBUILT_MS = 3_600_000;

export const createVerdicts = (deps: {
  now: () => number;
  whole: (spaces: readonly number[]) => void;
}): Verdicts => {
  const due = new Map<number, number>();
  const whole = new Set<number>();
  const rebuilt = new Map<number, number>();
  let generation = 0;
  const tell = (): void => deps.whole([...whole]);

  const conclude = (space: number, isWhole: boolean, nextMs: number): void => {
    due.set(space, deps.now() + nextMs);
    if (whole.has(space) === isWhole) return;
    if (isWhole) whole.add(space);
    else whole.delete(space);
    tell();
  };

  const judge = (space: number, { held, vectors, pending }: Counts): Verdict => {
    if (Math.abs(held - vectors) <= pending) {
      conclude(space, true, pending === 0 ? RESTING_MS : MOVING_MS);
      return 'whole';
    }
    conclude(space, false, RESTING_MS);
    if (deps.now() - (rebuilt.get(space) ?? Number.NEGATIVE_INFINITY) < REBUILT_MS) return 'hopeless';
    rebuilt.set(space, deps.now());
    due.delete(space);
    return 'lost';
  };

  return {
    isDue: (space) => (due.get(space) ?? 0) <= deps.now(),
    look: (space) => {
      const seen = generation;
      return (counts) => (seen === generation ? judge(space, counts) : 'stale');
    },
    forget: (space) => void due.delete(space),
    forgetAll() {
      generation += 1;
      due.clear();
      rebuilt.clear();
      if (whole.size === 0) return;
      whole.clear();
      tell();
    },
  };
};
