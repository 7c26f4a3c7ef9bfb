// What is known of the index's copy of each space: whether searches may rely on it, and when to look again.

/** To be read in this order: then whatever comes in between is counted among what is on its way. */
export interface Counts {
  /** By the index. */
  held: number;
  /** By SQL. */
  vectors: number;
  /** Words about them that the index has not taken yet. */
  pending: number;
}

/**
 * `hopeless`: it was filled anew a short while ago and differs again. `stale`: the index was started anew while it was
 * counted, so the counts say nothing.
 */
export type Verdict = 'whole' | 'lost' | 'hopeless' | 'stale';

export interface Verdicts {
  isDue(space: number): boolean;
  /** To be called before counting. */
  look(space: number): (counts: Counts) => Verdict;
  /** To be compared again, and nothing is said about it until then that was not said before. */
  forget(space: number): void;
  /** The index failed or was started anew: no search relies on it until it is compared. */
  forgetAll(): void;
}

/** While it moves a loss may hide in what is on its way, so it is looked at again soon. */
const MOVING_MS = 1000;
/** A server that others may empty is looked at from time to time. */
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
