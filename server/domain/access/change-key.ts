// Changes a key or puts a new one in its place. Neither gives a caller more than its own key has.
import type { RotateKeyInput, UpdateKeyInput } from '../../../tools/keys/schemas/keys.ts';
import type { KeyRecord, KeyReplacement, KeyWithMakers } from '../../adapters/store/ports/keys.ts';
import { conflict, forbidden } from '../../core/errors.ts';
import { OWNER_ID, type Principal } from '../../core/principal.ts';
import { newId } from '../../lib/ids.ts';
import { DAY_MS, HOUR_MS } from '../../lib/text/dates/calendar.ts';
import { isUsable, ownerStands } from './keys/key-makers.ts';
import { hashKey, keyStart, newKey } from './keys/key-text.ts';
import { asMadeBy, differenceNote } from './narrow-share.ts';

export interface KeyTarget {
  readonly caller: Principal;
  /** The key of the caller; null: it is the owner of the machine. */
  readonly callerKey: KeyWithMakers | null;
  readonly key: KeyWithMakers;
  readonly now: number;
}

const isMadeBy = (key: KeyWithMakers | null, maker: string): boolean =>
  key?.makers.some(({ id }) => id === maker) === true;

/** Throws for its own key, and for one that it owes its own to. */
export const checkChangesOther = ({ caller, callerKey, key }: KeyTarget): void => {
  if (key.id !== caller.keyId && !isMadeBy(callerKey, key.id)) return;
  throw forbidden(
    'A key changes neither itself nor a key that made it. Use another key with full access, or "memoir keys change" on the machine of the server.',
  );
};

/** A key that made others has full access; less would leave them with more than their maker. */
const checkStaysAboveMade = (changed: KeyRecord, made: number): void => {
  if (made === 0 || (changed.tags === null && changed.permission === 'write')) return;
  throw conflict(
    `This key made ${made === 1 ? 'another key' : `${made} other keys`}, which would then exceed it. Create a new key with fewer rights instead.`,
  );
};

/** The rate limit after a change: the window counts only with a maximum. */
const changedRate = (key: KeyRecord, { rateLimitMax, rateLimitTimeWindow }: UpdateKeyInput) => {
  const max = rateLimitMax === undefined ? key.rateLimitMax : rateLimitMax;
  const window = rateLimitTimeWindow ?? key.rateLimitWindowMs;
  return { rateLimitMax: max, rateLimitWindowMs: max === null ? null : window };
};

const changedEnd = (key: KeyRecord, days: number | null | undefined, now: number): number | null => {
  if (days === undefined) return key.expiresAt;
  return days === null ? null : now + days * DAY_MS;
};

/** `made`: the number of keys that it made. */
export const changedKey = (
  target: KeyTarget,
  change: UpdateKeyInput,
  made: number,
): { record: KeyRecord; note: string | null } => {
  checkChangesOther(target);
  const { caller, key, now } = target;
  const asked: KeyRecord = {
    ...key,
    name: change.name ?? key.name,
    permission: change.permission ?? key.permission,
    tags:
      change.containerTags === undefined
        ? key.tags
        : change.containerTags && [...new Set(change.containerTags)],
    expiresAt: changedEnd(key, change.expiresInDays, now),
    ...changedRate(key, change),
  };
  checkStaysAboveMade(asked, made);
  // A field that stays as it is may exceed the caller.
  const { record: allowed } = asMadeBy(caller, asked);
  const rate =
    change.rateLimitMax === undefined && change.rateLimitTimeWindow === undefined ? asked : allowed;
  const record: KeyRecord = {
    ...asked,
    expiresAt: change.expiresInDays === undefined ? asked.expiresAt : allowed.expiresAt,
    ...{ rateLimitMax: rate.rateLimitMax, rateLimitWindowMs: rate.rateLimitWindowMs },
    role: allowed.role,
  };
  return { record, note: differenceNote(asked, record, 'your key') };
};

export interface Rotation {
  readonly replacement: KeyReplacement;
  /** The text of the new key. */
  readonly text: string;
  readonly note: string | null;
}

export const rotatedKey = (target: KeyTarget, { overlapHours }: RotateKeyInput, orgId: string): Rotation => {
  const { caller, callerKey, key, now } = target;
  if (isMadeBy(callerKey, key.id))
    throw forbidden(
      'A key cannot rotate a key that made it. Use another key with full access, or "memoir keys rotate" on the machine of the server.',
    );
  if (!ownerStands(key))
    throw conflict('This key ended with its member, who was removed. Create a new key instead.');
  if (!isUsable(key, now))
    throw conflict(
      'This key is disabled or has expired, or the key that made it is. Enable it first, or create a new key.',
    );
  const text = newKey(orgId);
  const { makers: _, owner: __, ...former } = key;
  const asked: KeyRecord = {
    ...former,
    ...{ id: newId(), hash: hashKey(text), start: keyStart(text) },
    ...{ createdAt: now, lastUsedAt: null },
  };
  const isOwn = caller.keyId === key.id || caller.keyId === OWNER_ID;
  // The caller learns the new key, and must not keep it longer than its own.
  const record = isOwn ? asked : asMadeBy(caller, asked).record;
  const endsAt = Math.min(key.expiresAt ?? Number.POSITIVE_INFINITY, now + overlapHours * HOUR_MS);
  return {
    text,
    note: differenceNote(asked, record, 'your key'),
    replacement: { former: key.id, endsAt, key: record },
  };
};
