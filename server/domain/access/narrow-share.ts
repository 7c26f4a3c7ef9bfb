// Narrows the rights that a key passes on: never more than it has itself.

import { badRequest, forbidden } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { DAY_MS } from '../../lib/text/dates/calendar.ts';

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

export const narrow = (holder: Principal, share: KeyShare, now: number): Shared => {
  if (share.permission === 'write' && holder.permission === 'read')
    throw forbidden('This key may only read, so it cannot let others write. Choose reading alone.');
  const until = now + share.expiresInDays * DAY_MS;
  return {
    permission: share.permission,
    tags: sharedTags(holder, share.tags),
    expiresAt: Math.min(until, holder.expiresAt ?? until),
  };
};
