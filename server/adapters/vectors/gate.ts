// A promise that can be asked for again and again: open, closed for now, or refused with a reason.

export interface Gate {
  open(): void;
  close(): void;
  /** Turns away those who wait; who comes later waits anew, unless the refusal is `final`. */
  refuse(reason: string, final: boolean): void;
  pass(signal?: AbortSignal): Promise<void>;
}

const orAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

const fresh = (): PromiseWithResolvers<void> => {
  const made = Promise.withResolvers<void>();
  // Nobody may be waiting when it is refused, and that is no unhandled rejection.
  made.promise.catch(() => {});
  return made;
};

export const createGate = (): Gate => {
  let current = fresh();
  return {
    open: () => current.resolve(),
    close() {
      current = fresh();
    },
    refuse(reason, final) {
      current.reject(new Error(reason));
      if (final) return;
      current = fresh();
    },
    pass: (signal) => (signal === undefined ? current.promise : orAborted(current.promise, signal)),
  };
};
