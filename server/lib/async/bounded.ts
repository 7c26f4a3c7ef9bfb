// Bounded concurrency with p-map. Unlike p-map, a failure is thrown only when all runs have ended.
import pMap from 'p-map';

/**
 * Runs `run` on every item, at most `limit` at a time; results in the items' order. The first failure stops the rest
 * through the signal that each run gets, and is thrown once all of them have ended.
 */
export const mapBounded = async <T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T, signal: AbortSignal) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> => {
  const failure = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const results: R[] = [];

  // p-map would end at once if the mapper rejected, while other runs are still active.
  const runQuietly = async (item: T, at: number): Promise<void> => {
    if (stop.aborted) return;
    try {
      results[at] = await run(item, stop);
    } catch (error) {
      failure.abort(error);
    }
  };

  await pMap(items, runQuietly, { concurrency: limit });
  signal?.throwIfAborted();
  failure.signal.throwIfAborted();
  return results;
};
