// What a key may give away: nothing that it does not hold itself.
import { badRequest, forbidden } from '../../errors.ts';
import type { KeyHolder } from './caller.ts';

const DAY_MS = 86_400_000;

export interface Share {
  permission: 'read' | 'write';
  /** Null: all that the key may use. */
  tags: readonly string[] | null;
  expiresInDays: number;
}

export interface Shared {
  permission: 'read' | 'write';
  tags: string[] | null;
  expiresAt: number;
}

const quoted = (tags: readonly string[]): string => tags.map((tag) => JSON.stringify(tag)).join(', ');

function sharedTags(holder: KeyHolder, tags: Share['tags']): string[] | null {
  if (tags === null) return holder.tags === null ? null : [...holder.tags];
  if (tags.length === 0) throw badRequest('Choose at least one container tag, or all that the key may use.');
  const held = holder.tags;
  const foreign = held === null ? [] : tags.filter((tag) => !held.includes(tag));
  if (held !== null && foreign.length > 0)
    throw forbidden(`This key may not use ${quoted(foreign)}. Choose among: ${quoted(held)}.`);
  return [...new Set(tags)];
}

export function narrow(holder: KeyHolder, share: Share, now: number): Shared {
  if (share.permission === 'write' && holder.permission === 'read')
    throw forbidden('This key may only read, so it cannot let others write. Choose reading alone.');
  const until = now + share.expiresInDays * DAY_MS;
  return {
    permission: share.permission,
    tags: sharedTags(holder, share.tags),
    expiresAt: Math.min(until, holder.expiresAt ?? until),
  };
}
