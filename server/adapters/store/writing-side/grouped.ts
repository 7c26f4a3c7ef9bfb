// Callers that wait at the same time share a transaction, where each would need one of its own: its beginning and its commit cost
// as much as storing a document.

import { DatabaseUnavailableError } from '../../../core/errors.ts';

/** Two groups under way: one is stored while the other waits for the disk. */
const MOST_GROUPS = 2;
/** Fewer callers wait for the group under way, and the next one takes them together: a group of one costs as much as a large one. */
const LEAST_BESIDE_ANOTHER = 8;
const MOST_OF_A_GROUP = 64;

interface Waiting<Given, Answer> {
  readonly given: Given;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** `run` answers all or throws; then each runs again alone, so that only the one at fault is refused. */
export const createGrouped = <Given, Answer>(
  run: (all: readonly Given[]) => Promise<readonly Answer[]>,
): ((given: Given) => Promise<Answer>) => {
  const waiting: Waiting<Given, Answer>[] = [];
  let groups = 0;

  const runAlone = async ({ given, resolve, reject }: Waiting<Given, Answer>): Promise<void> => {
    try {
      const [answer] = await run([given]);
      resolve(answer as Answer);
    } catch (error) {
      reject(error);
    }
  };

  const runGroup = async (group: readonly Waiting<Given, Answer>[]): Promise<void> => {
    const [only] = group;
    if (only !== undefined && group.length === 1) return runAlone(only);
    try {
      const answers = await run(group.map(({ given }) => given));
      for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      // A second request would wait as long once more.
      if (error instanceof DatabaseUnavailableError) for (const { reject } of group) reject(error);
      else for (const each of group) await runAlone(each);
    }
  };

  const next = (): void => {
    const least = groups === 0 ? 1 : LEAST_BESIDE_ANOTHER;
    if (groups === MOST_GROUPS || waiting.length < least) return;
    groups += 1;
    void runGroup(waiting.splice(0, MOST_OF_A_GROUP)).finally(() => {
      groups -= 1;
      next();
    });
  };

  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject });
      next();
    });
};
