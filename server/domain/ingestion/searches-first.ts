// Callers who search go first: while they do, the steps of background work that keep a core busy are done one at a time. Reading
// and embedding, the commit of a share, and Chroma's work on vectors would otherwise take every core of a small machine, and a
// search waits for a core several times.
import { limitRuns } from '../../lib/async/limit-runs.ts';
import { backgroundPause } from '../../lib/async/wait.ts';

/** Further searches are expected for so long after one. */
const EXPECTED_MS = 1_000;
/** A step that takes longer waits for something, such as a Chroma that hangs, and holds up no other. */
const LONGEST_MS = 500;

export interface SearchesFirst {
  /** Callers searched a moment ago. */
  searched(): void;
  /** Searches came a moment ago, so that more are expected. */
  expected(): boolean;
  run<T>(step: () => Promise<T>): Promise<T>;
}

/** `now`: a clock in milliseconds that nobody sets. */
export const createSearchesFirst = (now: () => number): SearchesFirst => {
  const oneAtATime = limitRuns(1);
  let last = Number.NEGATIVE_INFINITY;
  const expected = () => now() - last < EXPECTED_MS;
  return {
    expected,
    searched() {
      last = now();
    },
    async run(step) {
      if (!expected()) return step();
      const { work } = await oneAtATime(async () => {
        const begun = step();
        await Promise.race([begun, backgroundPause(LONGEST_MS)]);
        return { work: begun };
      });
      return work;
    },
  };
};
