// The duty that keeps webhooks of connections, for the thread that syncs.
import type { HookIngestStore } from '../ports/connections/hooks.ts';
import { dueFarewell } from '../queries/connections/farewells.ts';
import { dueHooks } from '../queries/connections/hooks.ts';
import type { IngestSideContext } from './context.ts';

export const hookIngestStore = ({ call, boot, db, now }: IngestSideContext): HookIngestStore => ({
  // Looked for without a write, which all others would wait for.
  leaseHooks: async (forMs) =>
    (await dueHooks(db, now())) === null ? null : call('leaseHooks', { boot, forMs }),
  beginHook: (held, hook) => call('beginHook', held, hook),
  endHooks: (held, end) => call('endHooks', held, end),
  noteHookBase: (base) => call('noteHookBase', base),
  forgetOldHooks: () => call('forgetOldHooks'),
  leaseFarewell: async (forMs) =>
    (await dueFarewell(db, now())) === undefined ? null : call('leaseFarewell', forMs),
  endFarewell: (farewell, dueAt) => call('endFarewell', farewell, dueAt),
});
