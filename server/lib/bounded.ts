// Doing many things at once, but not too many.

/**
 * Runs `run` on every item, at most `limit` at a time; results in the items' order. The first failure stops the rest
 * through the signal that each run is given, and is thrown once all of them have ended.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T, signal: AbortSignal) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const failure = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const results = new Array<R>(items.length);
  const queue = items.entries();

  async function work(): Promise<void> {
    for (const [at, item] of queue) {
      if (stop.aborted) return;
      results[at] = await run(item, stop);
    }
  }
  const start = () => work().catch((error: unknown) => failure.abort(error));

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, start));
  signal?.throwIfAborted();
  failure.signal.throwIfAborted();
  return results;
}
