// Narrows the rights that a key passes on: never more than it has itself.
import type { KeyRecord } from '../../adapters/store/ports/keys.ts';
import { badRequest, forbidden } from '../../core/errors.ts';
import { OWNER_ID, type Principal, type RateLimit } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { DAY_MS } from '../../lib/text/dates/calendar.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { rateLimitOf } from './present.ts';
import { rateInWords } from './rate-limits.ts';

export interface KeyShare {
  permission: 'read' | 'write';
  /** Null: all tags that the key may use. */
  tags: readonly string[] | null;
  expiresInDays: number;
}

export interface Shared {
  permission: 'read' | 'write';
  tags: string[] | null;
  expiresAt: number;
}

const sharedTags = (holder: Principal, tags: KeyShare['tags']): string[] | null => {
  if (tags === null) return holder.tags === null ? null : [...holder.tags];
  if (tags.length === 0) throw badRequest('Choose at least one container tag, or all that the key may use.');
  const held = holder.tags;
  const foreign = held === null ? [] : tags.filter((tag) => !held.includes(tag));
  if (held !== null && foreign.length > 0)
    throw forbidden(`This key may not use ${quotedList(foreign)}. Choose among: ${quotedList(held)}.`);
  return [...new Set(tags)];
};

const sharedPermission = (holder: Principal, permission: KeyShare['permission']): KeyShare['permission'] => {
  if (permission === 'write' && holder.permission === 'read')
    throw forbidden('This key may only read, so it cannot let others write. Choose reading alone.');
  return permission;
};

export const narrowShare = (holder: Principal, share: KeyShare, now: number): Shared => {
  const until = now + share.expiresInDays * DAY_MS;
  return {
    permission: sharedPermission(holder, share.permission),
    tags: sharedTags(holder, share.tags),
    expiresAt: Math.min(until, holder.expiresAt ?? until),
  };
};

// --- keys ------------------------------------------------------------------------------------------

const isFaster = (asked: RateLimit | null, allowed: RateLimit): boolean =>
  asked === null || asked.max / asked.windowMs > allowed.max / allowed.windowMs;

const sharedEnd = (holder: Principal, asked: number | null): number | null => {
  if (holder.expiresAt === null) return asked;
  return asked === null ? holder.expiresAt : Math.min(asked, holder.expiresAt);
};

/** The differences between the key and the request, which follow from another key; null: there are none. */
export const differenceNote = (
  asked: KeyRecord,
  made: KeyRecord,
  bound: 'the key that made it' | 'your key',
): string | null => {
  const notes = [
    ...(made.expiresAt === asked.expiresAt || made.expiresAt === null
      ? []
      : [`It expires with ${bound}, at ${isoTime(made.expiresAt)}.`]),
    ...(made.rateLimitMax === asked.rateLimitMax && made.rateLimitWindowMs === asked.rateLimitWindowMs
      ? []
      : [
          `It may make ${rateInWords({ max: made.rateLimitMax ?? 0, windowMs: made.rateLimitWindowMs ?? 0 })}, as ${bound}.`,
        ]),
  ];
  return notes.length === 0 ? null : notes.join(' ');
};

/** False: the machine itself, or a member who signed in without a key. */
const callsWithKey = ({ keyId, member }: Principal): boolean => keyId !== OWNER_ID && keyId !== member?.id;

/**
 * The new key as its maker may give it. What would last longer or be faster than the maker is shortened and slowed,
 * because a caller asks in days and requests without knowing what is left of its own key; the note says so.
 */
export const asMadeBy = (
  maker: Principal | null,
  asked: KeyRecord,
): { record: KeyRecord; note: string | null } => {
  if (maker === null) return { record: asked, note: null };
  const slower = maker.rateLimit !== null && isFaster(rateLimitOf(asked), maker.rateLimit);
  // The limits of a member hold for every key of the member, so that such a key need not repeat them.
  const isAsWide = asked.tags === null && asked.ownerId !== null && maker.inPerson === true;
  const record: KeyRecord = {
    ...asked,
    madeBy: callsWithKey(maker) ? maker.keyId : null,
    role: asked.ownerId === null && maker.role === 'admin' ? 'admin' : asked.role,
    permission: isAsWide ? asked.permission : sharedPermission(maker, asked.permission),
    tags: isAsWide ? null : sharedTags(maker, asked.tags),
    expiresAt: sharedEnd(maker, asked.expiresAt),
    ...(slower && maker.rateLimit !== null
      ? { rateLimitMax: maker.rateLimit.max, rateLimitWindowMs: maker.rateLimit.windowMs }
      : {}),
  };
  return { record, note: differenceNote(asked, record, 'the key that made it') };
};
