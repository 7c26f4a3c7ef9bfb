// The hooks of a source that has one for each place: all of them are made, or none stays.
import type { Watch } from '../port.ts';

interface EachPlace<Place> {
  /** Null: there can be none. */
  watch(place: Place): Promise<Watch | null>;
  unwatch(watch: Watch, signal: AbortSignal): Promise<void>;
}

/** Shorter than what is left of the lease after the longest attempt. */
const UNDO_MS = 45_000;

/** Null: no place can have one. After a failure the next attempt makes all anew, so those that stayed would pile up. */
export const watchEach = async <Place>(
  places: readonly Place[],
  { watch, unwatch }: EachPlace<Place>,
): Promise<readonly Watch[] | null> => {
  const watches: Watch[] = [];
  try {
    for (const place of places) {
      const made = await watch(place);
      if (made !== null) watches.push(made);
    }
  } catch (error) {
    const signal = AbortSignal.timeout(UNDO_MS);
    // The address of one that cannot be ended is refused.
    await Promise.allSettled(watches.map((each) => unwatch(each, signal)));
    throw error;
  }
  return watches.length === 0 ? null : watches;
};
