// Keys over a real store, with a clock that tests turn; opened before each test and closed after it.
import { beforeEach } from 'vitest';
import type { KeyStore } from '../../../server/adapters/store/ports/keys.ts';
import { type Access, createAccess } from '../../../server/domain/access/access.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestKeys, type TestKeys } from '../../support/access-store.ts';
import { type Clock, createClock } from '../../support/clock.ts';

export const DAY = 86_400_000;
export const orgId = newId();

export interface Opened {
  readonly clock: Clock;
  readonly store: TestKeys;
  readonly access: Access;
  /** One more over the same keys, or over keys that a test has changed. */
  open(keys?: KeyStore): Access;
  /** The text of a key with full access. */
  fullKey(): Promise<string>;
}

interface Parts {
  clock: Clock;
  store: TestKeys;
  opened: Access[];
}

const openedOver = ({ clock, store, opened }: Parts): Opened => {
  const open = (keys: KeyStore = store.keys): Access => {
    const one = createAccess({
      store: { ...store, keys },
      orgId,
      now: clock.now,
      isOwnResource: () => true,
    });
    opened.push(one);
    return one;
  };
  const access = open();
  const fullKey = async () => (await access.createAgentKey({ name: 'full' })).key;
  return { clock, store, access, open, fullKey };
};

/** The opened resources of the running test. */
export const useAccess = (): (() => Opened) => {
  let current: Opened | undefined;
  beforeEach(() => {
    const store = openTestKeys();
    const opened: Access[] = [];
    current = openedOver({ clock: createClock(), store, opened });
    return async () => {
      await Promise.all(opened.map((one) => one.close()));
      await store.close();
    };
  });
  return () => {
    if (!current) throw new Error('Access is open inside tests only.');
    return current;
  };
};
