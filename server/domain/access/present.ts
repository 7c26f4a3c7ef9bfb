// Key records as holders, list items and sessions.
import type { AgentKeyOutput, KeyItem, ScopedKeyOutput, SessionOutput } from '../../../tools/shared/keys.ts';
import type { KeyRecord } from '../../adapters/store/key-port.ts';
import type { TokenCount } from '../../adapters/store/usage-port.ts';
import type { Caller, KeyHolder } from './caller.ts';
import type { Recognised } from './tokens.ts';

/** For keys that are bound to tags; a full key is unlimited unless it was given a limit. */
const SCOPED_RATE = { max: 500, windowMs: 60_000 };

/** Published programs read this list; what a key may really do is decided by its tags and permission. */
const SCOPED_ENDPOINTS = [
  '/v3/documents',
  '/v3/memories',
  '/v4/memories',
  '/v3/search',
  '/v4/search',
  '/v4/profile',
];

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

export function rateLimitOf(
  record: Pick<KeyRecord, 'tags' | 'rateLimitMax' | 'rateLimitWindowMs'>,
): KeyHolder['rateLimit'] {
  const max = record.rateLimitMax ?? (record.tags === null ? null : SCOPED_RATE.max);
  return max === null ? null : { max, windowMs: record.rateLimitWindowMs ?? SCOPED_RATE.windowMs };
}

export const holderOf = (record: Recognised): KeyHolder => ({
  keyId: record.id,
  keyName: record.name,
  permission: record.permission,
  tags: record.tags,
  expiresAt: record.expiresAt,
  rateLimit: rateLimitOf(record),
  ...(record.grantId === undefined ? {} : { grantId: record.grantId }),
});

/** Singular only where there is one: a reader of the singular must not take one tag for all of them. */
function tagFields(tags: readonly string[] | null): { containerTag?: string; containerTags?: string[] } {
  if (tags === null) return {};
  const [first] = tags;
  return {
    ...(tags.length === 1 && first !== undefined ? { containerTag: first } : {}),
    containerTags: [...tags],
  };
}

export function scopedKeyCreated(record: KeyRecord, key: string): ScopedKeyOutput {
  const tags = [...(record.tags ?? [])];
  return {
    id: record.id,
    name: record.name,
    key,
    permission: record.permission,
    containerTag: tags[0] ?? '',
    containerTags: tags,
    expiresAt: iso(record.expiresAt),
    allowedEndpoints: [...SCOPED_ENDPOINTS],
  };
}

export function agentKeyCreated(record: KeyRecord, key: string): AgentKeyOutput {
  return {
    id: record.id,
    name: record.name,
    key,
    permission: record.permission,
    ...tagFields(record.tags),
    expiresAt: iso(record.expiresAt),
    ...(record.pluginId === null ? {} : { pluginId: record.pluginId }),
  };
}

export const NO_USAGE: TokenCount = { inputTokens: 0, outputTokens: 0 };

export function keyItem(
  record: KeyRecord,
  orgId: string,
  lastUsedAt: number | null,
  usage: TokenCount = NO_USAGE,
): KeyItem {
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
    createdAt: new Date(record.createdAt).toISOString(),
    expiresAt: iso(record.expiresAt),
    lastUsedAt: iso(lastUsedAt),
    rateLimitMax: rate?.max ?? null,
    rateLimitTimeWindow: rate?.windowMs ?? null,
    usage,
    ...(plugin === null ? {} : { smType: 'plugin_auth', smClient: plugin }),
    metadata: JSON.stringify({
      organizationId: orgId,
      ...(plugin === null ? {} : { sm_type: 'plugin_auth', sm_client: plugin }),
    }),
  };
}

function sessionScope({ tags, permission, rateLimit, expiresAt }: KeyHolder): SessionOutput['scope'] {
  const { containerTag: tag, containerTags } = tagFields(tags);
  const expires = iso(expiresAt);
  return {
    type: tags === null ? 'full' : 'scoped',
    permission,
    ...(tag === undefined ? {} : { tag }),
    ...(containerTags === undefined ? {} : { tags: containerTags }),
    ...(rateLimit === null ? {} : { rateLimit: rateLimit.max }),
    ...(expires === null ? {} : { expires }),
  };
}

/** The service knows keys, not people: the user of a session is its key. */
export function sessionOf(caller: Caller, orgId: string): SessionOutput {
  const full = caller.tags === null && caller.permission === 'write';
  return {
    user: { id: caller.keyId, name: caller.keyName },
    org: { id: orgId, name: 'Memoir' },
    plan: 'self-hosted',
    role: full ? 'owner' : 'member',
    accessType: caller.tags === null ? 'full' : 'restricted',
    containerTags:
      caller.tags?.map((containerTag) => ({ containerTag, permission: caller.permission })) ?? null,
    scope: sessionScope(caller),
  };
}
