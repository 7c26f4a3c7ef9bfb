// Tests of keys in the store: when each was last used.
import { expect, test } from 'vitest';
import type { KeyRecord } from '../../../../../server/adapters/store/ports/keys.ts';
import { openTestStore } from '../../../../support/store.ts';

const key = (id: string): KeyRecord => ({
  ...{ id, hash: `hash of ${id}`, start: 'sm_', name: id, permission: 'write', tags: null, enabled: true },
  ...{ expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null },
  ...{ createdAt: 1, lastUsedAt: null, madeBy: null, ownerId: null, role: null, replacedBy: null },
});

test('a use is noted for the key that was used, and for no other', async () => {
  const { store, close } = openTestStore();
  for (const id of ['one', 'two', 'three']) await store.keys.create(key(id));
  await store.keys.touch([
    { id: 'one', at: 5 },
    { id: 'two', at: 7 },
  ]);
  const uses = (await store.keys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt]);
  expect(Object.fromEntries(uses)).toEqual({ one: 5, two: 7, three: null });
  await close();
});
