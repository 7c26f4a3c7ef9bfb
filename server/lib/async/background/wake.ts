// The alarm of a loop: it waits until it is called or until a time has passed.

export interface Wake {
  call(): void;
  /** Without a time it waits until it is called. */
  sleep(ms?: number): Promise<void>;
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
        const timer = ms === undefined ? undefined : setTimeout(() => finish?.(), ms);
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
