// Keys: a change of one, and a new one in the place of a former one with all that belongs to it.
import { describe, expect, test } from 'vitest';
import type { KeyChanges, KeyRecord } from '../../../../server/adapters/store/ports/keys.ts';
import { sha256 } from '../../../../server/lib/hash.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { type OpenStore, openWorld } from './world.ts';

const keyNamed = (name: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ id: newId(), hash: sha256(newId()), start: 'sm_start', name, permission: 'write' },
  ...{ tags: null, enabled: true, expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null },
  ...{ pluginId: null, madeBy: null, createdAt: 1_000, lastUsedAt: null },
  ...{ ownerId: null, role: null, replacedBy: null },
  ...more,
});

export const keysContract = (open: OpenStore): void => {
  describe('keys', () => {
    test('take a change as a whole, and one that is gone takes none', async () => {
      const { store, close } = await openWorld(open);
      try {
        const key = keyNamed('before');
        await store.keys.create(key);
        const changes: KeyChanges = {
          ...{ name: 'after', permission: 'read', tags: ['a', 'ä/b'], expiresAt: 5_000 },
          ...{ rateLimitMax: 7, rateLimitWindowMs: 1_000, role: null },
        };
        expect(await store.keys.change(key.id, changes)).toBe(true);
        expect(await store.keys.byId(key.id)).toEqual({ ...key, ...changes, makers: [], owner: null });
        expect(await store.keys.change(newId(), { ...changes, tags: null })).toBe(false);
      } finally {
        await close();
      }
    });

    test('that take the place of a former one take over the keys that it made', async () => {
      const { store, close } = await openWorld(open);
      try {
        const former = keyNamed('former');
        const made = keyNamed('made', { madeBy: former.id });
        const other = keyNamed('other');
        for (const key of [former, made, other]) await store.keys.create(key);
        const key = keyNamed('former', { madeBy: other.id });
        expect(await store.keys.replace({ former: former.id, endsAt: 9_000, key })).toBe(true);
        expect((await store.keys.byId(former.id))?.expiresAt).toBe(9_000);
        expect((await store.keys.byId(made.id))?.makers.map(({ id }) => id).sort()).toEqual(
          [key.id, other.id].sort(),
        );
        expect((await store.keys.byId(key.id))?.madeBy).toBe(other.id);
      } finally {
        await close();
      }
    });

    test('take their quotas with a change, and pass them on to the key that takes their place', async () => {
      const { store, close } = await openWorld(open);
      try {
        const former = keyNamed('former');
        const key = keyNamed('new');
        await store.keys.create(former);
        const { name, permission, tags, expiresAt, rateLimitMax, rateLimitWindowMs, role } = former;
        const unchanged = { name, permission, tags, expiresAt, rateLimitMax, rateLimitWindowMs, role };
        expect(await store.keys.change(former.id, { ...unchanged, quotas: { searches: 3 } })).toBe(true);
        const quotasOf = async (id: string) => (await store.quotas.list()).filter((quota) => quota.id === id);
        const quota = { of: 'key', quota: 'searches', most: 3 };
        expect(await quotasOf(former.id)).toEqual([{ ...quota, id: former.id }]);
        await store.keys.replace({ former: former.id, endsAt: 9_000, key });
        expect(await quotasOf(key.id)).toEqual([{ ...quota, id: key.id }]);
      } finally {
        await close();
      }
    });

    test('take no place of one that is disabled, and nothing is changed then', async () => {
      const { store, close } = await openWorld(open);
      try {
        const former = keyNamed('former', { enabled: false });
        await store.keys.create(former);
        const key = keyNamed('new');
        expect(await store.keys.replace({ former: former.id, endsAt: 9_000, key })).toBe(false);
        expect(await store.keys.list()).toEqual([former]);
      } finally {
        await close();
      }
    });
  });
};
