// The work besides runs: webhooks of connections that are due, and the farewells of removed ones, one piece at a time.
import type { HookIngestStore } from '../../../adapters/store/ports/connections/hooks.ts';
import type { HookDuty } from '../syncing/context.ts';
import { type FarewellDeps, sayFarewell } from './farewells.ts';
import { type KeepHooksDeps, keepHooks } from './keep-hooks.ts';

export interface HookDutyDeps extends KeepHooksDeps, FarewellDeps {
  readonly store: HookIngestStore;
}

const LEASE_MS = 5 * 60_000;
/** Before the lease ends. */
const MOST_MS = 4 * 60_000;
const FORGET_EVERY_MS = 60 * 60_000;

export const createHookDuty = (deps: HookDutyDeps): HookDuty => {
  const { store, base, now } = deps;
  let toldBase = false;
  let forgotAt = Number.NEGATIVE_INFINITY;
  const keepStored = async (): Promise<void> => {
    if (!toldBase) await store.noteHookBase(base);
    toldBase = true;
    if (now() - forgotAt < FORGET_EVERY_MS) return;
    await store.forgetOldHooks();
    forgotAt = now();
  };
  return {
    async next(stopping) {
      await keepStored();
      const bounded = () => AbortSignal.any([stopping, AbortSignal.timeout(MOST_MS)]);
      const leased = await store.leaseHooks(LEASE_MS);
      if (leased !== null) return () => keepHooks(deps, leased, bounded());
      const farewell = await store.leaseFarewell(LEASE_MS);
      return farewell === null ? null : () => sayFarewell(deps, farewell, bounded());
    },
  };
};
