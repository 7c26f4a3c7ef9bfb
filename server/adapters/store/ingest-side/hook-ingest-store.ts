// The duty that keeps webhooks of connections, for the thread that syncs.
import { createHandover, type HeldLease } from '../../../lib/async/background/handover.ts';
import type { HookIngestStore } from '../ports/connections/hooks.ts';
import { dueFarewell } from '../queries/connections/farewells.ts';
import { dueHooks } from '../queries/connections/hooks.ts';
import { newLease } from '../queries/memories/remembering/memory-lease.ts';
import type { IngestSideContext } from './context.ts';

export const hookIngestStore = ({ call, boot, db, now }: IngestSideContext): HookIngestStore => {
  const hooks = createHandover(({ lease, work }: HeldLease<string>) =>
    call('giveBackConnection', work, lease),
  );
  const farewells = createHandover(({ lease, work }: HeldLease<string>) =>
    call('giveBackFarewell', work, lease),
  );
  return {
    leaseHooks: (forMs) =>
      hooks.claim(
        newLease(boot),
        () => dueHooks(db, now()),
        ({ lease, work }) => call('leaseHooks', work, { lease, forMs }),
      ),
    beginHook: (held, hook) => call('beginHook', held, hook),
    endHooks: (held, end) =>
      hooks.under({ lease: held.lease, work: held.connection }, () => call('endHooks', held, end)),
    noteHookBase: (base) => call('noteHookBase', base),
    forgetOldHooks: () => call('forgetOldHooks'),
    leaseFarewell: (forMs) =>
      farewells.claim(
        newLease(boot),
        () => dueFarewell(db, now()),
        ({ lease, work }) => call('leaseFarewell', work, { lease, forMs }),
      ),
    endFarewell: (farewell, dueAt) => call('endFarewell', farewell, dueAt),
  };
};
