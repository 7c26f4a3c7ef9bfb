// Work that many callers ask for at nearly the same time, and that is worth doing for all of them together.

/** Works at the first call, and for all later ones together when the time is over. */
export const createSpaced = (ms: number, work: () => void): (() => void) => {
  let isOver = true;
  let asked = false;
  const start = (): void => {
    isOver = false;
    asked = false;
    work();
    setTimeout(() => {
      isOver = true;
      if (asked) start();
    }, ms).unref();
  };
  return () => {
    asked = true;
    if (isOver) start();
  };
};
