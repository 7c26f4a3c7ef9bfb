// A burst: many writes of callers wait for each other. They are stored first, and what they brought is read a moment later,
// because both want the same processor. A burst that goes on is not waited for any longer, so that imports are searchable soon.

/** Reading begins again when nobody has waited for so long. */
const CALM_MS = 50;
/** The longest time that a burst is waited for. */
const LONGEST_MS = 2_000;
/** After so long without one, the next burst is waited for again. */
const BETWEEN_MS = 1_000;

export interface Bursts {
  /** Several writes of callers waited at once a moment ago. */
  seen(): void;
  /** The time until documents may be read; zero: now. */
  waitMs(): number;
}

/** `now`: a clock in milliseconds that nobody sets. */
export const createBursts = (now: () => number): Bursts => {
  let began = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    seen() {
      const at = now();
      if (at - last > BETWEEN_MS) began = at;
      last = at;
    },
    waitMs: () => Math.max(0, Math.min(last + CALM_MS, began + LONGEST_MS) - now()),
  };
};
