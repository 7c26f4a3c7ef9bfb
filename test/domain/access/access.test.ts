import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyStore } from '../../../server/adapters/store/port.ts';
import { type Access, createAccess } from '../../../server/domain/access/access.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestKeys, type TestKeys } from '../../support/access-store.ts';
import { type Clock, createClock } from '../../support/clock.ts';
import { thrownBy } from '../../support/thrown.ts';

const DAY = 86_400_000;
const orgId = newId();
let clock: Clock;
let store: TestKeys;
let access: Access;
let opened: Access[];

const open = (keys: KeyStore = store.keys): Access => {
  const one = createAccess({ store: { keys }, orgId, now: clock.now });
  opened.push(one);
  return one;
};

beforeEach(() => {
  clock = createClock();
  store = openTestKeys();
  opened = [];
  access = open();
  return async () => {
    await Promise.all(opened.map((one) => one.close()));
    await store.close();
  };
});

const fullKey = async () => (await access.createAgentKey({ name: 'full' })).key;

describe('authentication', () => {
  test('recognises a key and says what it may do', async () => {
    const { key, id } = await access.createAgentKey({ name: 'reader', permission: 'read', tags: ['a', 'b'] });
    expect(await access.authenticate(key, '::1')).toEqual({
      keyId: id,
      keyName: 'reader',
      permission: 'read',
      tags: ['a', 'b'],
      expiresAt: null,
      rateLimit: { max: 500, windowMs: 60_000 },
    });
  });

  test.each([null, ''])('asks for a key in either header when there is none', async (nothing) => {
    const error = await thrownBy(() => access.authenticate(nothing, '::1'));
    expect(error.status).toBe(401);
    expect(error.message).toContain('"Authorization: Bearer <key>"');
    expect(error.message).toContain('"x-api-key: <key>"');
    expect(error.headers['www-authenticate']).toBe('Bearer');
  });

  test('tells nothing about a wrong key but how to send one', async () => {
    const malformed = await thrownBy(() => access.authenticate('hello', '::1'));
    const unknown = await thrownBy(() => access.authenticate(`sm_${orgId}_aaaaaaaaaaaaaaaaaaaaaaaa`, '::1'));
    expect(malformed.status).toBe(401);
    expect(unknown.message).toBe(malformed.message);
  });

  test('tells the owner of the right key that it is disabled or expired', async () => {
    const disabled = await access.createAgentKey({ name: 'x' });
    await access.disableKey(disabled.id);
    const short = await access.createScopedKey({ tags: ['a'], expiresInDays: 1 });
    expect((await access.authenticate(short.key, '::1')).expiresAt).toBe(clock.now() + DAY);
    clock.pass(DAY);
    expect(await thrownBy(() => access.authenticate(disabled.key, '::1'))).toMatchObject({
      status: 401,
      message: expect.stringContaining('disabled'),
    });
    expect(await thrownBy(() => access.authenticate(short.key, '::1'))).toMatchObject({
      status: 401,
      message: expect.stringContaining('expired at 2026-03-02T00:00:00.000Z'),
    });
  });

  test('looks a key up once in five seconds', async () => {
    const key = await fullKey();
    for (let call = 0; call < 20; call++) await access.authenticate(key, '::1');
    expect(store.lookups()).toBe(1);
    clock.pass(5_001);
    await access.authenticate(key, '::1');
    expect(store.lookups()).toBe(2);
  });

  test('forgets at once what it knew of a key that is disabled or switched', async () => {
    const { key, id } = await access.createAgentKey({ name: 'x' });
    await access.authenticate(key, '::1');
    expect(await access.disableKey(id)).toEqual({ success: true, id });
    expect((await thrownBy(() => access.authenticate(key, '::1'))).status).toBe(401);
    expect(await access.toggleKey(id)).toEqual({ id, enabled: true });
    expect((await access.authenticate(key, '::1')).keyId).toBe(id);
    expect(await access.toggleKey(id)).toEqual({ id, enabled: false });
    expect((await thrownBy(() => access.authenticate(key, '::1'))).status).toBe(401);
  });

  test('does not bring back a key that was disabled while it was being looked up', async () => {
    const { key, id } = await access.createAgentKey({ name: 'x' });
    const { byHash } = store.keys;
    const reading = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    const slow = open({
      ...store.keys,
      byHash: async (hash) => {
        const record = await byHash(hash);
        reading.resolve();
        await mayAnswer.promise;
        return record;
      },
    });
    const first = slow.authenticate(key, '::1');
    await reading.promise;
    await slow.disableKey(id);
    mayAnswer.resolve();
    await first;
    expect((await thrownBy(() => slow.authenticate(key, '::1'))).message).toContain('disabled');
  });
});

describe('wrong keys from one address', () => {
  const guess = (address: string) =>
    thrownBy(() => access.authenticate(`sm_${newId()}aaaaaaaaaaaaaaa`, address)).then(({ status }) => status);

  test('get 429 from the 61st in a minute on, other addresses do not', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 62; call++) statuses.push(await guess('10.0.0.1'));
    expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(60)).toEqual([429, 429]);
    expect(await guess('10.0.0.2')).toBe(401);
  });

  test('count together when their addresses are of one IPv6 network', async () => {
    for (let call = 0; call < 60; call++) await guess(`2001:db8:0:1::${call.toString(16)}`);
    expect(await guess('2001:db8:0:1:ffff::1')).toBe(429);
    expect(await guess('2001:db8:0:2::1')).toBe(401);
  });

  test('are not looked up any more, and do not lock out a key that was seen there', async () => {
    const key = await fullKey();
    await access.authenticate(key, '10.0.0.1');
    for (let call = 0; call < 61; call++) await guess('10.0.0.1');
    const before = store.lookups();
    expect(await guess('10.0.0.1')).toBe(429);
    expect(store.lookups()).toBe(before);
    clock.pass(6_000);
    expect((await access.authenticate(key, '10.0.0.1')).keyName).toBe('full');
  });
});

describe('the rate of a key', () => {
  const spend = async (key: string) => access.admit(await access.authenticate(key, '::1'));

  test('is 500 a minute when it is bound to tags, and unlimited when it is not', async () => {
    const bound = await access.createScopedKey({ tags: ['a'] });
    for (let call = 0; call < 500; call++) await spend(bound.key);
    expect(await thrownBy(() => spend(bound.key))).toMatchObject({
      status: 429,
      message: expect.stringMatching(
        /^This key may make 500 requests per 60 seconds\. Try again in \d+ seconds\.$/,
      ),
    });
    const full = await fullKey();
    for (let call = 0; call < 1_000; call++) await spend(full);
  });

  test('is its own, and passes with its window', async () => {
    const one = await access.createScopedKey({ tags: ['a'], rateLimitMax: 2, rateLimitTimeWindow: 150 });
    const other = await access.createAgentKey({ name: 'x', rateLimitMax: 1, rateLimitTimeWindow: 60_000 });
    await spend(one.key);
    await spend(one.key);
    await spend(other.key);
    const { status, headers } = await thrownBy(() => spend(one.key));
    expect({ status, after: headers['retry-after'] }).toEqual({ status: 429, after: '1' });
    expect(Number(headers['retry-after-ms'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after-ms'])).toBeLessThanOrEqual(150);
    expect(headers['x-should-retry']).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 170));
    await spend(one.key);
    expect((await thrownBy(() => spend(other.key))).status).toBe(429);
  });

  test('advises against a retry when the wait is longer than a minute', async () => {
    const { key } = await access.createScopedKey({
      tags: ['a'],
      rateLimitMax: 1,
      rateLimitTimeWindow: 3_600_000,
    });
    await spend(key);
    const { headers } = await thrownBy(() => spend(key));
    expect(headers['x-should-retry']).toBe('false');
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
  });
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

  test('are stored as a hash, and their text is in nothing that is stored or listed', async () => {
    const { key } = await access.createScopedKey({ tags: ['a'] });
    const secret = key.split('_')[2];
    expect(JSON.stringify(await store.keys.list())).not.toContain(secret);
    expect(JSON.stringify(await access.listKeys())).not.toContain(secret);
  });

  test('are listed with what they may do and when they were last used', async () => {
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

  test('that do not exist cannot be disabled or switched', async () => {
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

  test('may be given, also later', async () => {
    await access.ensureFirstKey({});
    const given = 'sm_chosen-by-its-owner-1';
    expect(await access.ensureFirstKey({ given })).toBe(given);
    expect(await access.ensureFirstKey({ given })).toBeNull();
    expect((await access.authenticate(given, '::1')).tags).toBeNull();
  });

  test('stays disabled when its owner disabled it, though it is given again', async () => {
    const given = 'sm_chosen-by-its-owner-1';
    await access.ensureFirstKey({ given });
    await access.disableKey((await access.authenticate(given, '::1')).keyId);
    expect(await access.ensureFirstKey({ given })).toBeNull();
    expect((await thrownBy(() => access.authenticate(given, '::1'))).message).toContain('disabled');
  });

  test('that is too short is refused with the name of the setting', async () => {
    expect((await thrownBy(() => access.ensureFirstKey({ given: 'sm_short' }))).message).toContain(
      'MEMOIR_API_KEY',
    );
  });
});

describe('a session', () => {
  const sessionOf = async (key: string) => {
    const holder = await access.authenticate(key, '::1');
    return access.session(access.enter(holder, { permission: 'read', reaches: 'self' }));
  };

  test('tells a full key that it has full access', async () => {
    expect(await sessionOf(await fullKey())).toMatchObject({
      org: { id: orgId },
      role: 'owner',
      accessType: 'full',
      containerTags: null,
      scope: { type: 'full', permission: 'write' },
    });
  });

  test('tells a bound key its tags, permission, rate and expiry', async () => {
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

describe('when a key was last used', () => {
  test('is written together about a second later, not at each call', async () => {
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

  test('is written on close, and kept for the next time when writing fails', async () => {
    const { key, id } = await access.createAgentKey({ name: 'x' });
    const touch = vi.spyOn(store.keys, 'touch').mockRejectedValueOnce(new Error('the disk is full'));
    const closing = open();
    await closing.authenticate(key, '::1');
    await expect(closing.flush()).rejects.toThrow('the disk is full');
    await closing.close();
    expect(touch).toHaveBeenCalledTimes(2);
    expect((await store.keys.byId(id))?.lastUsedAt).toBe(clock.now());
  });

  test('holds up no stop when it cannot be written', async () => {
    const { key } = await access.createAgentKey({ name: 'x' });
    const stopping = open({ ...store.keys, touch: () => Promise.reject(new Error('the disk is full')) });
    await stopping.authenticate(key, '::1');
    await stopping.close();
  });
});
