// Tests of making and listing keys, and of the session of a key.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccess } from '../../../server/domain/access/access.ts';
import { makeKey } from '../../../server/domain/access/keys/make-key.ts';
import { verifies } from '../../spec/verifies.ts';
import { thrownBy } from '../../support/thrown.ts';
import { DAY, type Opened, orgId, useAccess } from './open.ts';

const current = useAccess();
let clock: Opened['clock'];
let store: Opened['store'];
let access: Opened['access'];
let open: Opened['open'];
let fullKey: Opened['fullKey'];
beforeEach(() => {
  ({ clock, store, access, open, fullKey } = current());
});

describe('new keys', () => {
  test('are scoped to the tags they are made for, and named after them', async () => {
    const one = await access.createScopedKey({ tags: ['日本語'] });
    expect(one).toMatchObject({
      name: 'scoped_日本語',
      containerTag: '日本語',
      containerTags: ['日本語'],
      permission: 'write',
      expiresAt: null,
    });
    expect(one.allowedEndpoints).toContain('/v4/search');
    const three = await access.createScopedKey({ tags: ['b', 'a', 'c'], expiresInDays: 365 });
    expect(three.name).toBe('scoped_b_and_2_more');
    expect(three.containerTags).toEqual(['b', 'a', 'c']);
    expect(three.expiresAt).toBe(new Date(clock.now() + 365 * DAY).toISOString());
  });

  test('cannot be scoped to nothing', async () => {
    for (const tags of [undefined, []]) {
      expect((await thrownBy(() => access.createScopedKey({ tags }))).status).toBe(400);
    }
  });

  test('are refused when their list of tags is empty', async () => {
    const error = await thrownBy(() => access.createAgentKey({ name: 'x', tags: [] }));
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('leave the field out') });
    expect(await store.keys.list()).toEqual([]);
  });

  test('belong to the organisation where the server itself, an owner or an admin wants that, and no member may', async () => {
    const request = { name: 'of the organisation', kind: 'service' } as const;
    const maker = await access.authenticate(await fullKey(), '::1');
    const makers = [null, maker, { ...maker, role: 'admin' as const }];
    for (const each of makers) {
      const { id } = await access.createAgentKey(request, each);
      expect(await store.keys.byId(id)).toMatchObject({ ownerId: null });
    }
    const member = { ...maker, role: 'member' as const, member: { id: 'm', name: 'Ada' } };
    expect(await thrownBy(() => access.createAgentKey(request, member))).toMatchObject({
      ...{ status: 403, message: expect.stringContaining('Only owners and admins make service keys.') },
    });
  });

  test('are stored as a hash, and no stored or listed field contains their text', async () => {
    const { key } = await access.createScopedKey({ tags: ['a'] });
    const secret = key.split('_')[2];
    expect(JSON.stringify(await store.keys.list())).not.toContain(secret);
    expect(JSON.stringify(await access.listKeys())).not.toContain(secret);
  });

  test('are listed with their permissions and the time of their last use', async () => {
    const scoped = await access.createScopedKey({ tags: ['a', 'b'], permission: 'read' });
    await access.createAgentKey({ name: 'plugin', pluginId: 'codex' });
    await access.authenticate(scoped.key, '::1');
    const { keys } = await access.listKeys();
    expect(keys[0]).toMatchObject({
      id: scoped.id,
      permission: 'read',
      containerTags: ['a', 'b'],
      isScoped: true,
      enabled: true,
      lastUsedAt: new Date(clock.now()).toISOString(),
      rateLimitMax: 500,
    });
    expect(keys[0]).not.toHaveProperty('containerTag');
    expect(keys[1]).toMatchObject({
      name: 'plugin',
      isScoped: false,
      lastUsedAt: null,
      rateLimitMax: null,
      smClient: 'codex',
    });
    expect(JSON.parse(keys[1]?.metadata ?? '')).toEqual({
      organizationId: orgId,
      sm_type: 'plugin_auth',
      sm_client: 'codex',
    });
  });

  test('cannot be disabled or switched when they do not exist', async () => {
    expect((await thrownBy(() => access.disableKey('none'))).status).toBe(404);
    expect((await thrownBy(() => access.toggleKey('none'))).status).toBe(404);
  });
});

describe('the first key', () => {
  test('is made once, and found again after a restart', async () => {
    const key = await access.ensureFirstKey({});
    expect(key).toMatch(new RegExp(`^sm_${orgId}_`));
    const restarted = open();
    expect(await restarted.ensureFirstKey({})).toBeNull();
    expect(await restarted.authenticate(key, '::1')).toMatchObject({ tags: null, permission: 'write' });
  });

  test('can be given by the settings, also later', async () => {
    await access.ensureFirstKey({});
    const chosenKey = 'sm_chosen-7q4cApmgfFf2E7zducccwtXJuGLZ';
    expect(await access.ensureFirstKey({ chosenKey })).toBe(chosenKey);
    expect(await access.ensureFirstKey({ chosenKey })).toBeNull();
    expect((await access.authenticate(chosenKey, '::1')).tags).toBeNull();
  });

  test('stays disabled when its owner disabled it, though it is given again', async () => {
    const chosenKey = 'sm_chosen-7q4cApmgfFf2E7zducccwtXJuGLZ';
    await access.ensureFirstKey({ chosenKey });
    await access.disableKey((await access.authenticate(chosenKey, '::1')).keyId);
    expect(await access.ensureFirstKey({ chosenKey })).toBeNull();
    expect((await thrownBy(() => access.authenticate(chosenKey, '::1'))).message).toContain('disabled');
  });

  verifies(
    'keys:given:guessable',
    'is refused when it is easy to guess, with a command that makes a good one',
    async () => {
      for (const chosenKey of ['sm_aaaaaaaaaaaaaaaaa', 'sm_my-own-memory-key', 'sm_12345678901234567890']) {
        const { status, message } = await thrownBy(() => access.ensureFirstKey({ chosenKey }));
        expect([status, message]).toEqual([400, expect.stringContaining('too easy to guess')]);
        expect(message).toContain('openssl rand -hex 24');
        expect(message).not.toContain(chosenKey);
      }
    },
  );

  test('stays valid when an earlier start stored it, with a warning', async () => {
    const chosenKey = 'sm_aaaaaaaaaaaaaaaaa';
    const { record } = makeKey({ orgId, now: clock.now(), request: {}, name: 'old', chosenKey });
    await store.keys.create(record);
    const warned: string[] = [];
    const log = { info: () => undefined, warn: (_fields: object, sentence: string) => warned.push(sentence) };
    const later = createAccess({ store, orgId, now: Date.now, log, isOwnResource: () => true });
    expect(await later.ensureFirstKey({ chosenKey })).toBeNull();
    expect(warned).toEqual([expect.stringContaining('too easy to guess')]);
  });

  test('is refused with the name of the setting when it is too short', async () => {
    expect((await thrownBy(() => access.ensureFirstKey({ chosenKey: 'sm_short' }))).message).toContain(
      'MEMOIR_API_KEY',
    );
  });
});

describe('the session of a key', () => {
  const sessionOf = async (key: string) => {
    const holder = await access.authenticate(key, '::1');
    return access.session(
      access.enter(holder, { permission: 'read', reaches: 'self', signal: new AbortController().signal }),
    );
  };

  test('shows a full key that it has full access', async () => {
    expect(await sessionOf(await fullKey())).toMatchObject({
      org: { id: orgId },
      role: 'owner',
      accessType: 'full',
      containerTags: null,
      scope: { type: 'full', permission: 'write' },
    });
  });

  test('shows a bound key its tags, permission, rate and expiry', async () => {
    const { key } = await access.createScopedKey({
      tags: ['a'],
      permission: 'read',
      rateLimitMax: 7,
      expiresInDays: 2,
    });
    const expires = new Date(clock.now() + 2 * DAY).toISOString();
    expect(await sessionOf(key)).toMatchObject({
      accessType: 'restricted',
      containerTags: [{ containerTag: 'a', permission: 'read' }],
      scope: { type: 'scoped', permission: 'read', tag: 'a', tags: ['a'], rateLimit: 7, expires },
    });
  });
});

describe('the time of the last use of a key', () => {
  test('is written in a batch about a second later, not at each call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const touch = vi.spyOn(store.keys, 'touch');
      const noting = open();
      const [one, two] = [
        await noting.createAgentKey({ name: '1' }),
        await noting.createAgentKey({ name: '2' }),
      ];
      for (const { key } of [one, two, one, one]) await noting.authenticate(key, '::1');
      expect(touch).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(touch).toHaveBeenCalledTimes(1);
      expect(touch.mock.calls[0]?.[0].map(({ id }) => id)).toEqual([one.id, two.id]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is written on close, and kept for the next attempt when writing fails', async () => {
    const { key, id } = await access.createAgentKey({ name: 'x' });
    const touch = vi.spyOn(store.keys, 'touch').mockRejectedValueOnce(new Error('the disk is full'));
    const closing = open();
    await closing.authenticate(key, '::1');
    await expect(closing.flush()).rejects.toThrow('the disk is full');
    await closing.close();
    expect(touch).toHaveBeenCalledTimes(2);
    expect((await store.keys.byId(id))?.lastUsedAt).toBe(clock.now());
  });

  test('does not delay a stop when it cannot be written', async () => {
    const { key } = await access.createAgentKey({ name: 'x' });
    const stopping = open({ ...store.keys, touch: () => Promise.reject(new Error('the disk is full')) });
    await stopping.authenticate(key, '::1');
    await stopping.close();
  });
});
