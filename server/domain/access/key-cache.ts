// The cache of keys and tokens: bounded and short-lived. A change of a key on this machine drops its entries at once.
import { LRUCache } from 'lru-cache';
import type { RecognisedKey } from './access-tokens.ts';

const MAX_KEYS = 10_000;
/** The longest time until a change by another machine on the same database is noticed. */
const FRESH_MS = 5_000;

interface Entry {
  record: RecognisedKey;
  freshUntil: number;
}

export interface KeyCache {
  /** The key as it was at most five seconds ago. */
  fresh(hash: string): RecognisedKey | undefined;
  /** True if this was a key lately, fresh or not. */
  knows(hash: string): boolean;
  load(hash: string, read: (hash: string) => Promise<RecognisedKey | null>): Promise<RecognisedKey | null>;
  /** Drops the key, all that it made, and every token that was issued on any of them. */
  forget(id: string): void;
  forgetGrant(id: string): void;
}

export const createKeyCache = (now: () => number): KeyCache => {
  // Only `set` counts as a use, so that the key loaded longest ago is dropped first.
  const entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  let changes = 0;

  const drop = (isMeant: (record: RecognisedKey) => boolean) => {
    changes += 1;
    for (const [hash, entry] of [...entries]) if (isMeant(entry.record)) entries.delete(hash);
  };

  return {
    fresh(hash) {
      const entry = entries.peek(hash);
      return entry !== undefined && entry.freshUntil > now() ? entry.record : undefined;
    },
    knows: (hash) => entries.has(hash),
    async load(hash, read) {
      const before = changes;
      const record = await read(hash);
      if (record === null) entries.delete(hash);
      // A key that was disabled during the read must not be cached in its former state.
      else if (before === changes) entries.set(hash, { record, freshUntil: now() + FRESH_MS });
      return record;
    },
    forget: (id) => drop(({ id: own, makers }) => own === id || makers.some((maker) => maker.id === id)),
    forgetGrant: (id) => drop((record) => record.grantId === id),
  };
};
