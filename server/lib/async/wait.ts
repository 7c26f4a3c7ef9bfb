// The one way to wait: for a time, for the next turn of this thread, or for what was sent to it.

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

/**
 * At its end every message has been heard that was sent to this thread before the call, whichever port it came through: a
 * port that always has a next message is read on before the others.
 */
export const whenAllIsHeard = async (): Promise<void> => {
  // The first turn ends the present look at the ports; the second is a whole look at all of them.
  await nextTurn();
  await nextTurn();
};
