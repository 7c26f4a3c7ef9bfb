// The cache of keys and tokens: bounded and short-lived. A change of a key by this process drops its entries at once, and
// those of the other processes on the same database as soon as they hear of it.
import { LRUCache } from 'lru-cache';
import { noSignals, type Signals } from '../../../core/processes/signals.ts';
import type { RecognisedKey } from '../access-tokens.ts';

const MAX_KEYS = 10_000;
/** The longest time until a change by another process is noticed that was not heard of. */
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
  /** Drops the sessions, keys and tokens of the member. */
  forgetMember(id: string): void;
  forgetSession(id: string): void;
}

/** The entries that are void after a change, by its kind and the id of what changed. */
const VOID_WITH = {
  key:
    (id: string) =>
    ({ id: own, makers }: RecognisedKey) =>
      own === id || makers.some((maker) => maker.id === id),
  grant: (id: string) => (record: RecognisedKey) => record.grantId === id,
  member: (id: string) => (record: RecognisedKey) => record.ownerId === id,
  session: (id: string) => (record: RecognisedKey) => record.session?.id === id,
} as const;

type Kind = keyof typeof VOID_WITH;

export const createKeyCache = (now: () => number, signals: Signals = noSignals): KeyCache => {
  // Only `set` counts as a use, so that the key loaded longest ago is dropped first.
  const entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  let changes = 0;

  const drop = (isMeant: (record: RecognisedKey) => boolean) => {
    changes += 1;
    for (const [hash, entry] of [...entries]) if (isMeant(entry.record)) entries.delete(hash);
  };

  const forget = (kind: Kind) => (id: string) => {
    drop(VOID_WITH[kind](id));
    signals.tell(kind, id);
  };
  for (const kind of ['key', 'grant', 'member', 'session'] as const)
    signals.on(kind, (id) => drop(VOID_WITH[kind](id)));

  return {
    fresh(hash) {
      const entry = entries.peek(hash);
      return entry !== undefined && entry.freshUntil > now() ? entry.record : undefined;
    },
    knows: (hash) => entries.has(hash),
    async load(hash, read) {
      const before = changes;
      const freshUntil = now() + FRESH_MS;
      const record = await read(hash);
      if (record === null) entries.delete(hash);
      // A key that was disabled during the read must not be cached in its former state.
      else if (before === changes) entries.set(hash, { record, freshUntil });
      return record;
    },
    forget: forget('key'),
    forgetGrant: forget('grant'),
    forgetMember: forget('member'),
    forgetSession: forget('session'),
  };
};
