// Key records as holders, list items and sessions.

import type {
  AgentKeyOutput,
  KeyItem,
  ScopedKeyOutput,
  SessionOutput,
} from '../../../tools/keys/schemas/keys.ts';
import type { KeyRecord } from '../../adapters/store/ports/keys.ts';
import type { TokenCount } from '../../adapters/store/ports/usage.ts';
import type { Caller, Principal } from '../../core/principal.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';
import type { RecognisedKey } from './access-tokens.ts';

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
  record: Pick<KeyRecord, 'tags' | 'rateLimitMax' | 'rateLimitWindowMs'>,
): Principal['rateLimit'] => {
  const max = record.rateLimitMax ?? (record.tags === null ? null : SCOPED_RATE.max);
  return max === null ? null : { max, windowMs: record.rateLimitWindowMs ?? SCOPED_RATE.windowMs };
};

export const principalOf = (record: RecognisedKey): Principal => ({
  keyId: record.id,
  keyName: record.name,
  permission: record.permission,
  tags: record.tags,
  expiresAt: record.expiresAt,
  rateLimit: rateLimitOf(record),
  ...(record.grantId === undefined ? {} : { grantId: record.grantId }),
});

/** The singular field is set only for one tag: a client that reads it must not take one tag for all of them. */
const tagFields = (tags: readonly string[] | null): { containerTag?: string; containerTags?: string[] } => {
  if (tags === null) return {};
  const [first] = tags;
  return {
    ...(tags.length === 1 && first !== undefined ? { containerTag: first } : {}),
    containerTags: [...tags],
  };
};

export const scopedKeyCreated = (record: KeyRecord, key: string): ScopedKeyOutput => {
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
  };
};

export const agentKeyCreated = (record: KeyRecord, key: string): AgentKeyOutput => ({
  id: record.id,
  name: record.name,
  key,
  permission: record.permission,
  ...tagFields(record.tags),
  expiresAt: isoTimeOrNull(record.expiresAt),
  ...(record.pluginId === null ? {} : { pluginId: record.pluginId }),
});

export const NO_USAGE: TokenCount = { inputTokens: 0, outputTokens: 0 };

export const keyItem = (
  record: KeyRecord,
  orgId: string,
  lastUsedAt: number | null,
  usage: TokenCount = NO_USAGE,
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
    rateLimitMax: rate?.max ?? null,
    rateLimitTimeWindow: rate?.windowMs ?? null,
    usage,
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

/** The service knows keys, not people: the user of a session is its key. */
export const presentSession = (caller: Caller, orgId: string): SessionOutput => {
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
};
