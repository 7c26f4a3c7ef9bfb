// The duty that keeps webhooks of connections, for the thread that syncs.
import type { HookIngestStore } from '../ports/connecting/hooks.ts';
import type { IngestSideContext } from './context.ts';

export const hookIngestStore = ({ call, boot }: IngestSideContext): HookIngestStore => ({
  leaseHooks: (forMs) => call('leaseHooks', { boot, forMs }),
  beginHook: (held, hook) => call('beginHook', held, hook),
  endHooks: (held, end) => call('endHooks', held, end),
  noteHookBase: (base) => call('noteHookBase', base),
  forgetOldHooks: () => call('forgetOldHooks'),
  leaseFarewell: (forMs) => call('leaseFarewell', forMs),
  endFarewell: (farewell, dueAt) => call('endFarewell', farewell, dueAt),
});
