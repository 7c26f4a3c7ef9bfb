// Tests of recognising keys and of their rate limits.
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../server/lib/ids.ts';
import { thrownBy } from '../../support/thrown.ts';
import { untilPast } from '../../support/until.ts';
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

describe('authentication', () => {
  test('recognises a key and knows its permissions', async () => {
    const { key, id } = await access.createAgentKey({ name: 'reader', permission: 'read', tags: ['a', 'b'] });
    expect(await access.authenticate(key, '::1')).toEqual({
      keyId: id,
      keyName: 'reader',
      permission: 'read',
      tags: ['a', 'b'],
      role: 'member',
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

  test('answers a wrong key only with the way to send a key', async () => {
    const malformed = await thrownBy(() => access.authenticate('hello', '::1'));
    const unknown = await thrownBy(() => access.authenticate(`sm_${orgId}_aaaaaaaaaaaaaaaaaaaaaaaa`, '::1'));
    expect(malformed.status).toBe(401);
    expect(unknown.message).toBe(malformed.message);
  });

  test('tells the owner of a valid key that it is disabled or expired', async () => {
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

  test('drops a cached key at once when it is disabled or switched', async () => {
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

  test('get 429 from the 61st in a minute on, and other addresses do not', async () => {
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

  test('are not looked up any more, and do not block a key that was already seen there', async () => {
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

  test('is 500 a minute for a key that is bound to tags, and unlimited for any other', async () => {
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

  test('is counted for this key alone, and starts again with each window', async () => {
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
    await untilPast(Date.now() + Number(headers['retry-after-ms']));
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
