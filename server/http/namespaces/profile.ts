// The profile of one namespace and its buckets.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { profileBuckets } from '../../../tools/shared/buckets.ts';
import { conflict } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { namespace } from './fields.ts';
import { filter } from './filter.ts';
import { insideNamespace } from './row.ts';

const entries = z.array(z.object({ id: z.string(), memory: z.string() }));

const bucketName = profileBuckets.element.shape.key;

export const profileOfNamespace = insideNamespace({
  name: 'namespaces.profile',
  summary: 'client.profile',
  rest: { method: 'POST', path: '/ns/{namespace}/profile', status: 200 },
  permission: 'read',
  input: z.object({ namespace, filter, buckets: z.array(bucketName).max(50).optional() }),
  output: z.object({
    profile: z.object({ static: entries, dynamic: entries, buckets: z.record(z.string(), entries) }),
  }),
  run: async (service, { namespace: tag, filter: filters, buckets }, caller) => ({
    profile: await service.profile.entries(caller, { tag, filters, buckets }),
  }),
});

// --- buckets -----------------------------------------------------------------------------------------

const bucketsAnswer = z.object({ buckets: z.record(z.string(), z.string()) });

const effectiveBuckets = async (service: Service, caller: Caller, tag: string) => {
  const { buckets } = await service.profile.buckets(caller, tag);
  return { buckets: Object.fromEntries(buckets.map(({ key, description }) => [key, description])) };
};

/** The buckets of the namespace alone. The organisation's are for all namespaces, so they are not changed through one. */
const ownBuckets = async (service: Service, caller: Caller, tag: string, changed: readonly string[]) => {
  const { profileBuckets: own } = await service.tags.get(caller, tag);
  const { buckets } = await service.profile.buckets(caller, tag);
  const ownKeys = new Set(own.map(({ key }) => key));
  const shared = buckets.filter(({ key }) => !ownKeys.has(key) && changed.includes(key));
  if (shared.length > 0)
    throw conflict(
      `The organisation has the profile buckets ${quotedList(shared.map(({ key }) => key))}, so nothing was changed. Change them with PATCH /v3/settings.`,
    );
  return own;
};

export const bucketsOfNamespace = insideNamespace({
  name: 'namespaces.profiles.getBuckets',
  summary: 'client.profiles.get_buckets',
  rest: { method: 'GET', path: '/ns/{namespace}/profile/buckets', status: 200 },
  permission: 'read',
  input: z.object({ namespace }),
  output: bucketsAnswer,
  run: (service, { namespace: tag }, caller) => effectiveBuckets(service, caller, tag),
});

export const setBucketsOfNamespace = insideNamespace({
  name: 'namespaces.profiles.setBuckets',
  summary: 'client.profiles.set_buckets',
  rest: { method: 'PUT', path: '/ns/{namespace}/profile/buckets', status: 200 },
  permission: 'write',
  input: z.object({ namespace, buckets: z.record(bucketName, z.string().max(2000)) }),
  output: bucketsAnswer,
  async run(service, { namespace: containerTag, buckets }, caller) {
    const own = await ownBuckets(service, caller, containerTag, Object.keys(buckets));
    const all = new Map([
      ...own.map(({ key, description }) => [key, description] as const),
      ...Object.entries(buckets),
    ]);
    const united = [...all].map(([key, description]) => ({ key, description }));
    await service.tags.update(caller, { containerTag, profileBuckets: united });
    return effectiveBuckets(service, caller, containerTag);
  },
});

export const deleteBucketsOfNamespace = insideNamespace({
  name: 'namespaces.profiles.deleteBuckets',
  summary: 'client.profiles.delete_buckets',
  rest: { method: 'DELETE', path: '/ns/{namespace}/profile/buckets', status: 200, fields: 'body' },
  permission: 'write',
  input: z.object({ namespace, buckets: z.array(bucketName).min(1).max(50) }),
  output: bucketsAnswer,
  async run(service, { namespace: containerTag, buckets }, caller) {
    const own = await ownBuckets(service, caller, containerTag, buckets);
    const left = own.filter(({ key }) => !buckets.includes(key));
    await service.tags.update(caller, { containerTag, profileBuckets: left });
    return effectiveBuckets(service, caller, containerTag);
  },
});
