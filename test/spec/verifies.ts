// `verifies` registers a test of one or several promises, once for each way in that they name.
import { test } from 'vitest';
import { type PromiseRow, type Way, ways } from './promise.ts';
import { type PromiseId, promises } from './promises.ts';

export interface VerifyContext {
  /** The way in that the body has to take. */
  readonly way: Way;
  /** Aborted when the test's time is up. */
  readonly signal: AbortSignal;
  /** Ends the test and shows the reason why it cannot run on this machine. */
  readonly skip: (reason: string) => never;
}

export interface VerifyOptions {
  readonly timeoutMs?: number;
}

const byId = new Map<string, PromiseRow>(promises.map((row) => [row.id, row]));

const citable = (id: PromiseId): PromiseRow => {
  const row = byId.get(id);
  if (!row) throw new Error(`"${id}" is no promise: add its row under test/spec/promises/.`);
  return row;
};

/**
 * Ids are written out at the call, so that test/spec/coverage.test.ts can read them:
 * `verifies('documents:add:queued', 'an add answers before it is processed', async ({ way }) => …)`.
 */
export const verifies = (
  ids: PromiseId | readonly PromiseId[],
  sentence: string,
  body: (context: VerifyContext) => Promise<void>,
  options: VerifyOptions = {},
): void => {
  const cited = typeof ids === 'string' ? [ids] : ids;
  const named = new Set(cited.map(citable).flatMap((row) => row.ways));
  for (const way of ways.filter((candidate) => named.has(candidate)))
    test(
      `[${cited.join(', ')}] ${sentence} (${way})`,
      ({ signal, skip }) => body({ way, signal, skip: (reason) => skip(reason) }),
      options.timeoutMs,
    );
};
