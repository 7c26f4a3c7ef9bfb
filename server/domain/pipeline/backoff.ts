// When to try again what may pass.

const FIRST_MS = 1000;
const LONGEST_MS = 10 * 60_000;
export const ATTEMPTS = 8;

/** Doubling, with a little chance so that many documents do not come back at once; a provider's own word counts more. */
export const retryDelay = (attempts: number, askedMs: number | undefined, random: () => number): number => {
  const doubling = Math.min(FIRST_MS * 2 ** attempts, LONGEST_MS);
  return Math.max(askedMs ?? 0, doubling * (0.75 + random() / 2));
};
