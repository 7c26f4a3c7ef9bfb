// Ends the webhooks and the access of a removed connection at its source. Nobody waits
// for it, and after some attempts it is given up: the secret is erased in any case.
import type { Farewell, HookIngestStore } from '../../../adapters/store/ports/connections/hooks.ts';
import type { Logger } from '../../../core/log.ts';
import { growingWait, type RetryWaits } from '../../../lib/async/retry.ts';
import type { OpenedConnection, SourceFailure } from '../syncing/context.ts';
import { sourceWatch } from './keep-hooks.ts';

export interface FarewellDeps {
  readonly store: Pick<HookIngestStore, 'endFarewell'>;
  readonly openRemoved: (farewell: Farewell) => Promise<OpenedConnection>;
  readonly failureOf: (error: unknown) => SourceFailure | null;
  readonly now: () => number;
  readonly log: Logger;
}

const MOST_ATTEMPTS = 8;
const WAITS: RetryWaits = { firstWaitMs: 60_000, longestWaitMs: 6 * 60 * 60_000 };
/** There is no access any more, so there is nothing to end. */
const OVER = new Set(['auth_expired', 'bad_options']);

const endAtSource = async (
  { openRemoved }: FarewellDeps,
  farewell: Farewell,
  signal: AbortSignal,
): Promise<void> => {
  const { source, revoke } = await openRemoved(farewell);
  for (const watch of farewell.watches) await source.unwatch?.(sourceWatch(watch), signal);
  if (farewell.revokes) await revoke(signal);
};

export const sayFarewell = async (
  deps: FarewellDeps,
  farewell: Farewell,
  signal: AbortSignal,
): Promise<void> => {
  const { store, failureOf, log, now } = deps;
  try {
    await endAtSource(deps, farewell, signal);
    await store.endFarewell(farewell, null);
  } catch (error) {
    const failure = failureOf(error);
    const isOver = failure !== null && OVER.has(failure.code);
    const isGivenUp = farewell.attempts >= MOST_ATTEMPTS;
    if (!isOver)
      log.warn(
        { err: error, connection: farewell.id },
        `The access of a removed connection could not be ended at ${farewell.provider}${isGivenUp ? ', and this is given up' : ' yet'}.`,
      );
    const wait = failure?.retryAfterMs ?? growingWait(WAITS, farewell.attempts);
    await store.endFarewell(farewell, isOver || isGivenUp ? null : now() + wait);
  }
};
