// Creates new keys: fills missing properties with defaults, and returns the text that is shown once.

import type { KeyRecord } from '../../../adapters/store/ports/keys.ts';
import { badRequest } from '../../../core/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { DAY_MS } from '../../../lib/text/dates/calendar.ts';
import { hashKey, keyStart, newKey } from './key-text.ts';

/** The properties of a new key; the ranges are checked where requests are read. */
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
  /** Personal: it ends with the member who makes it. Default: personal if a member makes it. */
  kind?: 'personal' | 'service' | undefined;
}

export interface NewKey {
  key: string;
  record: KeyRecord;
}

export interface MakeKey {
  orgId: string;
  now: number;
  request: KeyRequest;
  name: string;
  /** A text that the owner chose; otherwise one is generated. */
  chosenKey?: string;
}

/**
 * The tags that a key is bound to; null: full access. An empty list is most likely a mistake of the caller, and
 * must not give full access.
 */
const requestedTags = ({ tags }: KeyRequest): string[] | null => {
  if (tags === undefined) return null;
  if (tags.length > 0) return [...new Set(tags)];
  throw badRequest(
    'Invalid request: containerTags: name at least one container tag, or leave the field out for a key that may use all',
  );
};

export const makeKey = ({ orgId, now, request, name, chosenKey }: MakeKey): NewKey => {
  const key = chosenKey ?? newKey(orgId);
  const days = request.expiresInDays;
  return {
    key,
    record: {
      id: newId(),
      hash: hashKey(key),
      start: keyStart(key),
      name,
      permission: request.permission ?? 'write',
      tags: requestedTags(request),
      enabled: true,
      expiresAt: days === undefined ? null : now + days * DAY_MS,
      rateLimitMax: request.rateLimitMax ?? null,
      rateLimitWindowMs: request.rateLimitTimeWindow ?? null,
      pluginId: request.pluginId ?? null,
      madeBy: null,
      ownerId: null,
      role: null,
      replacedBy: null,
      createdAt: now,
      lastUsedAt: null,
    },
  };
};
