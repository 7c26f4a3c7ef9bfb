// Key records as holders, list items and sessions.

import type {
  AgentKeyOutput,
  KeyItem,
  RotateKeyOutput,
  ScopedKeyOutput,
  SessionOutput,
  UpdateKeyOutput,
} from '../../../tools/keys/schemas/keys.ts';
import type { KeyRecord, KeyReplacement, KeyWithMakers } from '../../adapters/store/ports/keys.ts';
import type { TokenCount } from '../../adapters/store/ports/usage/usage.ts';
import type { Caller, MemberRecord, Principal } from '../../core/principal.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';
import type { RecognisedKey } from './access-tokens.ts';
import { earliestEnd, makersStand } from './keys/key-makers.ts';
import { rightsOf } from './members/member-rights.ts';

/** A new key, and how it differs from what was asked. */
export interface MadeKey {
  record: KeyRecord;
  key: string;
  note: string | null;
}

/** For keys that are bound to tags; a full key is unlimited unless it was given a limit. */
const SCOPED_RATE = { max: 500, windowMs: 60_000 };

/** Published programs read this list; the key's tags and permission decide its real rights. */
const SCOPED_ENDPOINTS = [
  '/v3/documents',
  '/v3/memories',
  '/v4/memories',
  '/v3/search',
  '/v4/search',
  '/v4/profile',
];

export const rateLimitOf = (
  record: Pick<KeyRecord, 'rateLimitMax' | 'rateLimitWindowMs'> & { tags: readonly string[] | null },
): Principal['rateLimit'] => {
  const max = record.rateLimitMax ?? (record.tags === null ? null : SCOPED_RATE.max);
  return max === null ? null : { max, windowMs: record.rateLimitWindowMs ?? SCOPED_RATE.windowMs };
};

const makerLimitsOf = ({ makers }: RecognisedKey): NonNullable<Principal['makerLimits']> =>
  makers.flatMap((maker) => {
    const limit = rateLimitOf(maker);
    return limit === null ? [] : [{ keyId: maker.id, ...limit }];
  });

export const principalOf = (record: RecognisedKey): Principal => {
  const makerLimits = makerLimitsOf(record);
  const rights = rightsOf(record, record.owner);
  return {
    keyId: record.id,
    keyName: record.name,
    ...rights,
    expiresAt: earliestEnd(record),
    rateLimit: rateLimitOf({ ...record, tags: rights.tags }),
    ...(record.grantId === undefined ? {} : { grantId: record.grantId }),
    ...(record.session === undefined ? {} : { sessionId: record.session.id }),
    ...(record.pluginId === null ? {} : { isPlugin: true }),
    ...(record.makers.length === 0 ? {} : { makers: record.makers.map(({ id }) => id) }),
    ...(makerLimits.length === 0 ? {} : { makerLimits }),
  };
};

/** The singular field is set only for one tag: a client that reads it must not take one tag for all of them. */
const tagFields = (tags: readonly string[] | null): { containerTag?: string; containerTags?: string[] } => {
  if (tags === null) return {};
  const [first] = tags;
  return {
    ...(tags.length === 1 && first !== undefined ? { containerTag: first } : {}),
    containerTags: [...tags],
  };
};

export const noteField = (note: string | null): { note?: string } => (note === null ? {} : { note });

export const scopedKeyCreated = ({ record, key, note }: MadeKey): ScopedKeyOutput => {
  const tags = [...(record.tags ?? [])];
  return {
    id: record.id,
    name: record.name,
    key,
    permission: record.permission,
    containerTag: tags[0] ?? '',
    containerTags: tags,
    expiresAt: isoTimeOrNull(record.expiresAt),
    allowedEndpoints: [...SCOPED_ENDPOINTS],
    ...noteField(note),
  };
};

export const agentKeyCreated = ({ record, key, note }: MadeKey): AgentKeyOutput => ({
  id: record.id,
  name: record.name,
  key,
  permission: record.permission,
  ...tagFields(record.tags),
  expiresAt: isoTimeOrNull(record.expiresAt),
  ...(record.pluginId === null ? {} : { pluginId: record.pluginId }),
  ...noteField(note),
});

export const keyChanged = (record: KeyRecord, note: string | null): UpdateKeyOutput => {
  const rate = rateLimitOf(record);
  return {
    id: record.id,
    name: record.name,
    permission: record.permission,
    containerTags: record.tags,
    expiresAt: isoTimeOrNull(record.expiresAt),
    rateLimitMax: rate?.max ?? null,
    rateLimitTimeWindow: rate?.windowMs ?? null,
    ...noteField(note),
  };
};

export const keyRotated = (
  { former, endsAt, key }: KeyReplacement,
  text: string,
  note: string | null,
): RotateKeyOutput => ({
  id: key.id,
  key: text,
  name: key.name,
  expiresAt: isoTimeOrNull(key.expiresAt),
  replaces: former,
  formerEndsAt: isoTime(endsAt),
  ...noteField(note),
});

export const NO_USAGE: TokenCount = { inputTokens: 0, outputTokens: 0 };

interface ListedWith {
  orgId: string;
  now: number;
  lastUsedAt: number | null;
  /** The last mail about its end. */
  notifiedAt: number | null;
  usage: TokenCount | undefined;
}

export const keyItem = (
  record: KeyWithMakers,
  { orgId, now, lastUsedAt, notifiedAt, usage = NO_USAGE }: ListedWith,
): KeyItem => {
  const rate = rateLimitOf(record);
  const plugin = record.pluginId;
  return {
    id: record.id,
    name: record.name,
    start: record.start,
    permission: record.permission,
    ...tagFields(record.tags),
    isScoped: record.tags !== null,
    enabled: record.enabled,
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
    notifiedAt: isoTimeOrNull(notifiedAt),
    rateLimitMax: rate?.max ?? null,
    rateLimitTimeWindow: rate?.windowMs ?? null,
    usage,
    kind: record.ownerId === null ? 'service' : 'personal',
    ...(record.ownerId === null
      ? {}
      : {
          owner: {
            id: record.ownerId,
            ...(record.owner === null ? {} : { name: record.owner.name, email: record.owner.email }),
          },
        }),
    ...(record.madeBy === null ? {} : { madeBy: record.madeBy }),
    ...(makersStand(record, now) ? {} : { endedWithMaker: true }),
    ...(plugin === null ? {} : { smType: 'plugin_auth', smClient: plugin }),
    metadata: JSON.stringify({
      organizationId: orgId,
      ...(plugin === null ? {} : { sm_type: 'plugin_auth', sm_client: plugin }),
    }),
  };
};

const sessionScope = ({ tags, permission, rateLimit, expiresAt }: Principal): SessionOutput['scope'] => {
  const { containerTag: tag, containerTags } = tagFields(tags);
  const expires = isoTimeOrNull(expiresAt);
  return {
    type: tags === null ? 'full' : 'scoped',
    permission,
    ...(tag === undefined ? {} : { tag }),
    ...(containerTags === undefined ? {} : { tags: containerTags }),
    ...(rateLimit === null ? {} : { rateLimit: rateLimit.max }),
    ...(expires === null ? {} : { expires }),
  };
};

/** The user of a key that belongs to nobody is the key. */
export const presentSession = (caller: Caller, orgId: string, member: MemberRecord | null): SessionOutput => {
  const written = caller.writeTags ?? caller.tags;
  const permissionIn = (tag: string) => (written?.includes(tag) === false ? 'read' : caller.permission);
  return {
    user:
      member === null
        ? { id: caller.keyId, name: caller.keyName }
        : { id: member.id, email: member.email, name: member.name },
    org: { id: orgId, name: 'Memoir' },
    plan: 'self-hosted',
    role: member?.role ?? (caller.permission === 'write' ? caller.role : 'member'),
    accessType: caller.tags === null ? 'full' : 'restricted',
    containerTags:
      caller.tags?.map((containerTag) => ({ containerTag, permission: permissionIn(containerTag) })) ?? null,
    scope: sessionScope(caller),
  };
};
