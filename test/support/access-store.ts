// The keys of a real store in a temporary folder, counting how often one is looked up.
import type { GrantStore } from '../../server/adapters/store/ports/grants.ts';
import type { KeyStore } from '../../server/adapters/store/ports/keys.ts';
import type { MailStore } from '../../server/adapters/store/ports/team/mails.ts';
import type { TeamStore } from '../../server/adapters/store/ports/team/team.ts';
import type { UsageStore } from '../../server/adapters/store/ports/usage/usage.ts';
import { openTestStore } from './store.ts';

export interface TestKeys {
  keys: KeyStore;
  grants: GrantStore;
  usage: UsageStore;
  team: TeamStore;
  mails: MailStore;
  /** The number of look-ups of a key by its hash. */
  lookups(): number;
  close(): Promise<void>;
}

export function openTestKeys(): TestKeys {
  const { store, close } = openTestStore();
  let lookups = 0;
  const keys: KeyStore = {
    ...store.keys,
    byHash(hash) {
      lookups += 1;
      return store.keys.byHash(hash);
    },
  };
  const { grants, usage, team, mails } = store;
  return { keys, grants, usage, team, mails, lookups: () => lookups, close };
}
