// Work that is done over and over until it is told to end.
import { timePasses } from '../../support/until.ts';

export interface Repeated<T> {
  /** The result of each time so far. */
  readonly results: readonly T[];
  /** Ends it after the time that is under way; throws what any of them threw. */
  end(): Promise<readonly T[]>;
}

/** So many at once, each again as soon as it is over. */
export const repeat = <T>(work: (turn: number) => Promise<T>, atOnce = 1, pauseMs = 0): Repeated<T> => {
  const results: T[] = [];
  let turn = 0;
  let ending = false;
  const one = async (): Promise<void> => {
    while (!ending) {
      results.push(await work(turn++));
      if (pauseMs > 0) await timePasses(pauseMs, 'other work has its turn');
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, one));
  // Thrown where it is waited for, and no unhandled rejection before.
  all.catch(() => undefined);
  return {
    results,
    async end() {
      ending = true;
      await all;
      return results;
    },
  };
};
