// Keys kept in memory, for tests of what stands above the store.
import type { KeyRecord, KeyStore } from '../../server/adapters/store/port.ts';

export interface MemoryKeys {
  keys: KeyStore;
  /** How often a key was looked up by its hash. */
  lookups(): number;
}

export function memoryKeys(): MemoryKeys {
  const records = new Map<string, KeyRecord>();
  let lookups = 0;

  const change = (id: string, part: Partial<KeyRecord>): boolean => {
    const record = records.get(id);
    if (record !== undefined) records.set(id, { ...record, ...part });
    return record !== undefined;
  };

  const keys: KeyStore = {
    async byHash(hash) {
      lookups += 1;
      return [...records.values()].find((record) => record.hash === hash) ?? null;
    },
    byId: async (id) => records.get(id) ?? null,
    list: async () => [...records.values()],
    async create(key) {
      records.set(key.id, { ...key });
    },
    setEnabled: async (id, enabled) => change(id, { enabled }),
    async touch(uses) {
      for (const { id, at } of uses) change(id, { lastUsedAt: at });
    },
  };
  return { keys, lookups: () => lookups };
}
