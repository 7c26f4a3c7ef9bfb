// Subscriptions to the changes of drives: an alarm clock that Microsoft winds for at most a month.
import { z } from 'zod';
import { sameSecret } from '../hooks/signature.ts';
import { watchEach } from '../hooks/watch-each.ts';
import type { Choice, HookDelivery, HookVerdict, Watch } from '../port.ts';
import { askGraph, type Graph } from './graph.ts';
import { driveOf } from './items.ts';

const LONGEST_MS = 42_300 * 60_000;

const SUBSCRIPTION = z.object({ id: z.string(), expirationDateTime: z.string() });
const DELIVERY = z.object({
  value: z
    .array(z.object({ clientState: z.string().nullish(), lifecycleEvent: z.string().nullish() }))
    .min(1),
});

export const watchDrives = (
  graph: Graph,
  choice: Choice,
  own: string | null,
  { address, secret, now }: { address: string; secret: string; now: number },
): Promise<readonly Watch[] | null> => {
  const drives = [...new Set((choice ?? []).map(({ id }) => `/drives/${driveOf(id)}`))];
  return watchEach(drives.length > 0 ? drives : own === null ? [] : [own], {
    async watch(drive) {
      const made = await askGraph(graph, '/subscriptions', {
        ...{ shape: SUBSCRIPTION, what: 'a subscription', template: '/subscriptions', missing: [400, 403] },
        body: {
          ...{ changeType: 'updated', resource: `${drive}/root`, clientState: secret },
          ...{ notificationUrl: address, lifecycleNotificationUrl: address },
          expirationDateTime: new Date(now + LONGEST_MS).toISOString(),
        },
      });
      return made === null ? null : { id: made.id, endsAt: Date.parse(made.expirationDateTime) };
    },
    unwatch: (watch, signal) => unwatchDrive({ ...graph, signal }, watch),
  });
};

export const unwatchDrive = async (graph: Graph, { id }: Watch): Promise<void> => {
  const answer = await graph.ask(
    `${graph.origin}/v1.0/subscriptions/${encodeURIComponent(id)}`,
    { method: 'DELETE', accept: [403, 404], template: '/subscriptions/{id}' },
    graph.signal,
  );
  answer.discard();
};

const driveDelivery = (body: Buffer): z.output<typeof DELIVERY> | null => {
  try {
    return DELIVERY.parse(JSON.parse(body.toString('utf8')));
  } catch {
    // Microsoft sends nothing like this, so it is refused.
    return null;
  }
};

export const checkDriveHook = ({ query, body, secret }: HookDelivery): HookVerdict => {
  if (query.validationToken !== undefined) return { kind: 'answer', text: query.validationToken };
  const delivery = driveDelivery(body);
  if (delivery === null || !delivery.value.every(({ clientState }) => sameSecret(clientState ?? '', secret)))
    return { kind: 'refuse' };
  // The subscription is renewed at half of its time, so nothing is to be done for its life cycle.
  return delivery.value.every(({ lifecycleEvent }) => lifecycleEvent != null)
    ? { kind: 'ignore' }
    : { kind: 'wake', delivery: null };
};
