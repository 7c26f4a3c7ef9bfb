// Tests of what a key makes: it never exceeds the key, and ends with it.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '../../../server/core/principal.ts';
import { thrownBy } from '../../support/thrown.ts';
import { DAY, type Opened, useAccess } from './open.ts';

const current = useAccess();
let clock: Opened['clock'];
let store: Opened['store'];
let access: Opened['access'];
beforeEach(() => {
  ({ clock, store, access } = current());
});

const holderOf = (key: string): Promise<Principal> => access.authenticate(key, '::1');

const statusOf = async (key: string): Promise<number> => {
  try {
    await holderOf(key);
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
};

/** A key, one that it made, and one that this one made in turn. */
const line = async (request: { expiresInDays?: number } = {}) => {
  const first = await access.createAgentKey({ name: 'first', ...request });
  const second = await access.createAgentKey({ name: 'second' }, await holderOf(first.key));
  const third = await access.createScopedKey({ tags: ['a'] }, await holderOf(second.key));
  return { first, second, third };
};

describe('a key that another made', () => {
  test('expires with it at the latest, and the answer says so', async () => {
    const first = await access.createAgentKey({ name: 'temporary', expiresInDays: 1 });
    const maker = await holderOf(first.key);
    const end = new Date(clock.now() + DAY).toISOString();
    const note = `It expires with the key that made it, at ${end}.`;
    expect(await access.createAgentKey({ name: 'for ever' }, maker)).toMatchObject({ expiresAt: end, note });
    expect(await access.createScopedKey({ tags: ['a'], expiresInDays: 30 }, maker)).toMatchObject({
      expiresAt: end,
      note,
    });
    clock.pass(DAY / 2);
    const longer = await access.createAgentKey({ name: 'a day', expiresInDays: 1 }, maker);
    expect(longer.expiresAt).toBe(end);
    const lasting = await holderOf((await access.createAgentKey({ name: 'lasting' })).key);
    const shorter = await access.createAgentKey({ name: 'shorter', expiresInDays: 1 }, lasting);
    expect(shorter.expiresAt).toBe(new Date(clock.now() + DAY).toISOString());
    expect(shorter).not.toHaveProperty('note');
  });

  test('that expires before it keeps its own end', async () => {
    const lasting = await access.createAgentKey({ name: 'a month', expiresInDays: 30 });
    const made = await access.createAgentKey(
      { name: 'a day', expiresInDays: 1 },
      await holderOf(lasting.key),
    );
    expect(await holderOf(made.key)).toMatchObject({ expiresAt: clock.now() + DAY });
  });

  test('is never faster than it, and the answer says so', async () => {
    const slow = await access.createAgentKey({ name: 'slow', rateLimitMax: 10, rateLimitTimeWindow: 1_000 });
    const maker = await holderOf(slow.key);
    const note = 'It may make 10 requests per second, as the key that made it.';
    const limits = async (request: object) => {
      const made = await access.createAgentKey({ name: 'made', ...request }, maker);
      return { rate: (await holderOf(made.key)).rateLimit, note: made.note };
    };
    expect(await limits({})).toEqual({ rate: { max: 10, windowMs: 1_000 }, note });
    expect(await limits({ rateLimitMax: 601, rateLimitTimeWindow: 60_000 })).toEqual({
      rate: { max: 10, windowMs: 1_000 },
      note,
    });
    expect(await limits({ rateLimitMax: 600, rateLimitTimeWindow: 60_000 })).toEqual({
      rate: { max: 600, windowMs: 60_000 },
      note: undefined,
    });
  });

  test('shares its rate with it and with all that it made', async () => {
    const slow = await access.createAgentKey({ name: 'slow', rateLimitMax: 3, rateLimitTimeWindow: 60_000 });
    const maker = await holderOf(slow.key);
    const keys = [slow.key];
    for (let made = 0; made < 3; made++)
      keys.push((await access.createAgentKey({ name: 'made' }, maker)).key);
    for (const key of keys.slice(0, 3)) await access.admit(await holderOf(key));
    expect(await thrownBy(async () => access.admit(await holderOf(keys[3] ?? '')))).toMatchObject({
      status: 429,
      message: expect.stringMatching(
        /^The key that made this one may make 3 requests per 60 seconds, with all that it made\./,
      ),
    });
  });

  test('reaches no tag and no permission that it lacks', async () => {
    const bound: Principal = {
      ...{ keyId: 'k', keyName: 'bound', permission: 'read', tags: ['a'] },
      ...{ role: 'member', expiresAt: null, rateLimit: null },
    };
    const refused = async (request: object) =>
      (await thrownBy(() => access.createAgentKey({ name: 'x', ...request }, bound))).status;
    expect(await refused({ permission: 'read', tags: ['a', 'b'] })).toBe(403);
    expect(await refused({ permission: 'write', tags: ['a'] })).toBe(403);
    expect(await access.createAgentKey({ name: 'x', permission: 'read' }, bound)).toMatchObject({
      containerTags: ['a'],
    });
  });
});

describe('what a key made', () => {
  test('ends at once when the key is disabled, and begins again with it', async () => {
    const { first, second, third } = await line();
    expect([await statusOf(second.key), await statusOf(third.key)]).toEqual([200, 200]);
    expect(await access.disableKey(first.id)).toEqual({
      ...{ success: true, id: first.id },
      note: 'What it made ended with it: 2 keys.',
    });
    expect([await statusOf(second.key), await statusOf(third.key)]).toEqual([401, 401]);
    expect((await thrownBy(() => holderOf(third.key))).message).toContain(
      'This API key ended with the key that made it, which is disabled or has expired.',
    );
    await access.toggleKey(first.id);
    expect([await statusOf(second.key), await statusOf(third.key)]).toEqual([200, 200]);
  });

  test('ends in the middle of a line, and what made it does not', async () => {
    const { first, second, third } = await line();
    await access.toggleKey(second.id);
    expect([await statusOf(first.key), await statusOf(second.key), await statusOf(third.key)]).toEqual([
      200, 401, 401,
    ]);
    await access.disableKey(first.id);
    expect((await access.toggleKey(second.id)).note).toContain('Enable that one too.');
    expect(await statusOf(second.key)).toBe(401);
  });

  test('ends when the key expires, though it was in use', async () => {
    const { first, second, third } = await line({ expiresInDays: 1 });
    clock.pass(DAY - 1);
    expect(await statusOf(third.key)).toBe(200);
    clock.pass(1);
    for (const key of [first, second, third]) expect(await statusOf(key.key)).toBe(401);
  });

  test('is useless when the key is gone', async () => {
    const { third } = await line();
    const gone = await store.keys.byId(third.id);
    if (gone === null) throw new Error('The key was just made.');
    const orphan = { ...gone, id: 'orphan', hash: 'another hash', madeBy: 'nobody' };
    await store.keys.create(orphan);
    expect(await access.asker('orphan', undefined)).toBeNull();
    expect(await access.asker(third.id, undefined)).not.toBeNull();
  });

  test('is listed with the key that made it', async () => {
    const { first, second, third } = await line();
    const listed = async () =>
      (await access.listKeys()).keys.map(({ id, enabled, madeBy, endedWithMaker }) => ({
        ...{ id, enabled, madeBy, endedWithMaker },
      }));
    const shown = { enabled: true, madeBy: undefined, endedWithMaker: undefined };
    expect(await listed()).toEqual(
      expect.arrayContaining([
        { ...shown, id: first.id },
        { ...shown, id: second.id, madeBy: first.id },
        { ...shown, id: third.id, madeBy: second.id },
      ]),
    );
    await access.disableKey(first.id);
    expect(await listed()).toEqual(
      expect.arrayContaining([
        { ...shown, id: first.id, enabled: false },
        { ...shown, id: second.id, madeBy: first.id, endedWithMaker: true },
        { ...shown, id: third.id, madeBy: second.id, endedWithMaker: true },
      ]),
    );
  });

  test('is made by no key when the owner of the machine makes it', async () => {
    const owned = current().open();
    const key = await owned.createAgentKey(
      { name: 'lasting' },
      {
        ...{ keyId: 'local', keyName: 'This machine', permission: 'write' as const, tags: null },
        ...{ role: 'owner', expiresAt: null, rateLimit: null },
      },
    );
    expect((await store.keys.byId(key.id))?.madeBy).toBeNull();
  });
});

describe('a grant', () => {
  const share = {
    ...{ permission: 'write' as const, tags: null, expiresInDays: 30 },
    ...{ clientId: 'c', clientName: 'C', redirectHost: 'localhost' },
  };

  test('ends with the maker of the key that gave it, is listed as ended, and counts where that is disabled', async () => {
    const { first, third } = await line();
    const grant = await access.grants.give(await holderOf(third.key), share);
    expect(await access.asker(third.id, grant.id)).not.toBeNull();
    expect((await access.grants.list()).grants[0]).not.toHaveProperty('endedWithKey');
    expect((await access.disableKey(first.id)).note).toBe('What it made ended with it: 2 keys and 1 grant.');
    expect(await access.asker(third.id, grant.id)).toBeNull();
    expect((await access.grants.list()).grants[0]).toMatchObject({ keyId: third.id, endedWithKey: true });
    expect(await access.grants.giver(third.id)).toBeNull();
  });

  test('ends with its key as the key of a plugin does, and is never given by the key of a plugin', async () => {
    const first = await access.createAgentKey({ name: 'first', expiresInDays: 1 });
    const holder = await holderOf(first.key);
    const plugin = await access.grants.giveKey(holder, share, 'cursor');
    expect(await holderOf(plugin.key)).toMatchObject({ isPlugin: true, expiresAt: clock.now() + DAY });
    const refusal = await thrownBy(() => access.grants.signIn(plugin.key, '::1'));
    expect(refusal).toMatchObject({ status: 403, message: expect.stringContaining('key of a plugin') });
    await access.disableKey(first.id);
    expect(await statusOf(plugin.key)).toBe(401);
  });
});
