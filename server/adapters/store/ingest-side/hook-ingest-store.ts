// The duty that keeps webhooks of connections, for the thread that syncs.
import { createHandover, type HeldLease } from '../../../lib/async/background/handover.ts';
import type { HookIngestStore } from '../ports/connections/hooks.ts';
import { dueFarewell } from '../queries/connections/farewells.ts';
import { dueHooks } from '../queries/connections/hooks.ts';
import { newLease } from '../queries/memories/remembering/memory-lease.ts';
import type { IngestSideContext } from './context.ts';

/** Due hooks are looked for without a write, which all others would wait for. */
export const hookIngestStore = ({ call, boot, db, now }: IngestSideContext): HookIngestStore => {
  const hooks = createHandover(({ lease, work }: HeldLease<string>) =>
    call('giveBackConnection', work, lease),
  );
  const farewells = createHandover(({ lease, work }: HeldLease<string>) =>
    call('giveBackFarewell', work, lease),
  );
  return {
    async leaseHooks(forMs) {
      await hooks.recover();
      const due = await dueHooks(db, now());
      if (due === null) return null;
      const lease = newLease(boot);
      return hooks.under({ lease, work: due }, () => call('leaseHooks', due, { lease, forMs }));
    },
    beginHook: (held, hook) => call('beginHook', held, hook),
    endHooks: (held, end) =>
      hooks.under({ lease: held.lease, work: held.connection }, () => call('endHooks', held, end)),
    noteHookBase: (base) => call('noteHookBase', base),
    forgetOldHooks: () => call('forgetOldHooks'),
    async leaseFarewell(forMs) {
      await farewells.recover();
      const due = await dueFarewell(db, now());
      if (due === null) return null;
      const lease = newLease(boot);
      return farewells.under({ lease, work: due }, () => call('leaseFarewell', due, { lease, forMs }));
    },
    endFarewell: (farewell, dueAt) => call('endFarewell', farewell, dueAt),
  };
};
