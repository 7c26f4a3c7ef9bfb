// The duty that keeps webhooks of connections, for the thread that syncs.
import type { HookIngestStore } from '../ports/connections/hooks.ts';
import { dueFarewell } from '../queries/connections/farewells.ts';
import { dueHooks } from '../queries/connections/hooks.ts';
import type { IngestSideContext } from './context.ts';
import { createHandover, type LostLease } from './handover.ts';

/** What is due is looked for without a write, which all others would wait for. */
export const hookIngestStore = ({ call, boot, db, now }: IngestSideContext): HookIngestStore => {
  const hooks = createHandover(({ lease, work }: LostLease<string>) =>
    call('giveBackConnection', work, lease),
  );
  const farewells = createHandover(({ lease, work }: LostLease<string>) =>
    call('giveBackFarewell', work, lease),
  );
  return {
    async leaseHooks(forMs) {
      await hooks.recover();
      const due = await dueHooks(db, now());
      if (due === null) return null;
      return hooks.under(boot, due, (lease) => call('leaseHooks', due, { lease, forMs }));
    },
    beginHook: (held, hook) => call('beginHook', held, hook),
    endHooks: (held, end) =>
      hooks.ending({ lease: held.lease, work: held.connection }, () => call('endHooks', held, end)),
    noteHookBase: (base) => call('noteHookBase', base),
    forgetOldHooks: () => call('forgetOldHooks'),
    async leaseFarewell(forMs) {
      await farewells.recover();
      const due = await dueFarewell(db, now());
      if (due === null) return null;
      return farewells.under(boot, due, (lease) => call('leaseFarewell', due, { lease, forMs }));
    },
    endFarewell: (farewell, dueAt) => call('endFarewell', farewell, dueAt),
  };
};
