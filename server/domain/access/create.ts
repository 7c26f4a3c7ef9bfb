// Makes new keys: fills what was not asked for, and gives the text that is shown once.
import type { KeyRecord } from '../../adapters/store/key-port.ts';
import { badRequest } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { hashKey, newKey, startOf } from './keys.ts';

/** What may be said about a new key; the ranges are checked where requests are read. */
export interface KeyRequest {
  name?: string | undefined;
  /** Undefined: full access, which a scoped key may not have. */
  tags?: readonly string[] | undefined;
  permission?: 'read' | 'write' | undefined;
  expiresInDays?: number | undefined;
  rateLimitMax?: number | undefined;
  /** Milliseconds. */
  rateLimitTimeWindow?: number | undefined;
  pluginId?: string | undefined;
}

const DAY_MS = 86_400_000;

export interface NewKey {
  key: string;
  record: KeyRecord;
}

export interface MakeKey {
  orgId: string;
  now: number;
  request: KeyRequest;
  name: string;
  /** A text that its owner chose; otherwise one is made. */
  given?: string;
}

/**
 * The tags a key is bound to; null: it has full access. An empty list most likely is one that failed to be filled, and
 * must not open everything.
 */
export function tagsOf({ tags }: KeyRequest): string[] | null {
  if (tags === undefined) return null;
  if (tags.length > 0) return [...new Set(tags)];
  throw badRequest(
    'Invalid request: containerTags: name at least one container tag, or leave the field out for a key that may use all',
  );
}

export function makeKey({ orgId, now, request, name, given }: MakeKey): NewKey {
  const key = given ?? newKey(orgId);
  const days = request.expiresInDays;
  return {
    key,
    record: {
      id: newId(),
      hash: hashKey(key),
      start: startOf(key),
      name,
      permission: request.permission ?? 'write',
      tags: tagsOf(request),
      enabled: true,
      expiresAt: days === undefined ? null : now + days * DAY_MS,
      rateLimitMax: request.rateLimitMax ?? null,
      rateLimitWindowMs: request.rateLimitTimeWindow ?? null,
      pluginId: request.pluginId ?? null,
      createdAt: now,
      lastUsedAt: null,
    },
  };
}
