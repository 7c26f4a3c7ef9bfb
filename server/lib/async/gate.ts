// A gate that callers wait for: open, closed for now, or refused with an error.
import { orAborted } from './or-aborted.ts';

export interface Gate {
  open(): void;
  close(): void;
  /** Rejects all current waits; later waits start again, unless the refusal is `final`. */
  refuse(reason: string, final: boolean): void;
  pass(signal?: AbortSignal): Promise<void>;
}

const fresh = (): PromiseWithResolvers<void> => {
  const made = Promise.withResolvers<void>();
  // A refusal without waiters must not become an unhandled rejection.
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
