// A time limit that can be paused and raised while it runs.

export interface Stopwatch {
  /** Replaces the limit, counted from the start. */
  allow(ms: number): void;
  pause(): void;
  go(): void;
  /** For good. */
  stop(): void;
}

/** Runs at once; `over` is called with the limit. */
export const createStopwatch = (allowedMs: number, over: (allowedMs: number) => void): Stopwatch => {
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
};
