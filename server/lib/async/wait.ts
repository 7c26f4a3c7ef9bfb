// The one way to wait: for a time, or for the next turn of this thread.

/** Ends early, without an error, when the signal is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });

/** Does not keep the process alive. */
export const backgroundPause = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** Lets all other work that waits on this thread run first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
