// Statements of a write that need not wait for each other.

/**
 * All have ended when it resolves or throws what failed first: none sends a statement after the transaction is undone. What
 * fails later fails because the transaction did.
 */
export const allAtOnce = async <Given>(
  given: readonly Given[],
  work: (each: Given) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = [];
  await Promise.all(given.map((each) => work(each).catch((error: unknown) => void failures.push(error))));
  if (failures.length > 0) throw failures[0];
};
