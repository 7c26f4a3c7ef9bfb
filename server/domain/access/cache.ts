// Keys and tokens that were looked up lately: bounded, short-lived, and emptied at once when a key changes here.
import type { Recognised } from './tokens.ts';

const MAX_KEYS = 10_000;
/** How long a change made by another machine on the same database may go unnoticed. */
const FRESH_MS = 5_000;

interface Entry {
  record: Recognised;
  freshUntil: number;
}

export interface KeyCache {
  /** The key as it was at most five seconds ago. */
  fresh(hash: string): Recognised | undefined;
  /** Whether this was a key lately, fresh or not. */
  knows(hash: string): boolean;
  load(hash: string, read: (hash: string) => Promise<Recognised | null>): Promise<Recognised | null>;
  /** The key, and every token that stands on it. */
  forget(id: string): void;
  forgetGrant(id: string): void;
}

export function createKeyCache(now: () => number): KeyCache {
  const entries = new Map<string, Entry>();
  let changes = 0;

  const keep = (hash: string, entry: Entry) => {
    entries.delete(hash);
    entries.set(hash, entry);
    if (entries.size <= MAX_KEYS) return;
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  };

  const drop = (isMeant: (record: Recognised) => boolean) => {
    changes += 1;
    for (const [hash, entry] of entries) if (isMeant(entry.record)) entries.delete(hash);
  };

  return {
    fresh(hash) {
      const entry = entries.get(hash);
      return entry !== undefined && entry.freshUntil > now() ? entry.record : undefined;
    },
    knows: (hash) => entries.has(hash),
    async load(hash, read) {
      const before = changes;
      const record = await read(hash);
      if (record === null) entries.delete(hash);
      // A key that was disabled while it was being read must not come back as it was.
      else if (before === changes) keep(hash, { record, freshUntil: now() + FRESH_MS });
      return record;
    },
    forget: (id) => drop((record) => record.id === id),
    forgetGrant: (id) => drop((record) => record.grantId === id),
  };
}
