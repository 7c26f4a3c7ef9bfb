// A limit of time that stands still while somebody else is at work, and that may be raised while it runs.

export interface Stopwatch {
  /** From the start on, so much is allowed instead. */
  allow(ms: number): void;
  pause(): void;
  go(): void;
  /** For good. */
  stop(): void;
}

/** Runs at once; `over` is told how much was allowed. */
export function createStopwatch(allowedMs: number, over: (allowedMs: number) => void): Stopwatch {
  let allowed = allowedMs;
  let spent = 0;
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const pause = (): void => {
    clearTimeout(timer);
    if (since !== null) spent += performance.now() - since;
    since = null;
  };
  const go = (): void => {
    if (stopped || since !== null) return;
    since = performance.now();
    timer = setTimeout(() => over(allowed), Math.max(0, allowed - spent));
  };

  go();
  return {
    allow(ms) {
      const running = since !== null;
      pause();
      allowed = ms;
      if (running) go();
    },
    pause,
    go,
    stop() {
      pause();
      stopped = true;
    },
  };
}
