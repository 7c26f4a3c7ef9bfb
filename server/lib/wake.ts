// A loop's alarm clock: sleep until somebody calls or the time is over, whichever comes first.

export interface Wake {
  call(): void;
  sleep(ms: number): Promise<void>;
}

export const createWake = (): Wake => {
  let called = false;
  let finish: (() => void) | null = null;
  return {
    call() {
      called = true;
      finish?.();
    },
    sleep(ms) {
      if (called) {
        called = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => finish?.(), ms);
        finish = () => {
          clearTimeout(timer);
          finish = null;
          called = false;
          resolve();
        };
      });
    },
  };
};

/** Lets everything that waits on this thread have its turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits, but not past the signal. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
  });
