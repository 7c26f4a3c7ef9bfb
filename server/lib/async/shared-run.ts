/** Runs the work once at a time: a call during a run waits for that run. */
export const sharedRun = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
};
