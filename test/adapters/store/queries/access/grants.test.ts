// Tests of grants and tokens in the store: what has ended is erased, and with a grant its tokens.
import { expect, test } from 'vitest';
import type { GrantRecord, TokenRecord } from '../../../../../server/adapters/store/ports/grants.ts';
import { createClock } from '../../../../support/clock.ts';
import { openTestStore } from '../../../../support/store.ts';

const HOUR = 3_600_000;
const clock = createClock();

const grant = (id: string, expiresAt = clock.now() + HOUR): GrantRecord => ({
  ...{ id, keyId: 'k', clientId: 'c', clientName: 'C', redirectHost: 'localhost' },
  ...{ permission: 'read', tags: ['a'], createdAt: 1, expiresAt, lastUsedAt: null },
});

const token = (hash: string, more: Partial<TokenRecord> = {}) => ({
  ...{ kind: 'AccessToken', hash, grantId: 'one', uid: null, payload: { hash } },
  ...{ expiresAt: clock.now() + HOUR, ...more },
});

const open = () => openTestStore({ now: clock.now });

test('what has ended is erased before the next token is stored, however much it is', async () => {
  const { store, close } = open();
  const { grants } = store;
  await grants.create(grant('one'));
  await grants.create(grant('ended', clock.now() + 1));
  for (let at = 0; at < 40; at++) await grants.tokens.keep(token(`t${at}`, { expiresAt: clock.now() + 1 }));
  await grants.tokens.keep(token('stays'));
  clock.pass(2);
  await grants.tokens.keep(token('new'));
  for (let at = 39; at >= 0; at--) expect(await grants.tokens.find('AccessToken', `t${at}`)).toBeNull();
  expect(await grants.tokens.find('AccessToken', 'stays')).toMatchObject({ payload: { hash: 'stays' } });
  expect((await grants.list()).map(({ id }) => id)).toEqual(['one']);
  await close();
});

test('a revoked grant is gone with its tokens of every kind, and no others', async () => {
  const { store, close } = open();
  const { grants } = store;
  for (const id of ['one', 'two']) {
    await grants.create(grant(id));
    for (const kind of ['AccessToken', 'RefreshToken'])
      await grants.tokens.keep(token(`${kind} of ${id}`, { kind, grantId: id }));
  }
  expect(await grants.revoke('one')).toBe(true);
  expect(await grants.revoke('one')).toBe(false);
  expect((await grants.list()).map(({ id }) => id)).toEqual(['two']);
  for (const kind of ['AccessToken', 'RefreshToken']) {
    expect(await grants.tokens.find(kind, `${kind} of one`)).toBeNull();
    expect(await grants.tokens.find(kind, `${kind} of two`)).not.toBeNull();
  }
  await close();
});

test('a token that is stored again replaces the former one and can be consumed once more', async () => {
  const { store, close } = open();
  const { tokens } = store.grants;
  await tokens.keep(token('one'));
  expect([await tokens.consume('AccessToken', 'one'), await tokens.consume('AccessToken', 'one')]).toEqual([
    true,
    false,
  ]);
  await tokens.keep(token('one', { uid: 'u' }));
  expect(await tokens.findByUid('AccessToken', 'u')).toMatchObject({ hash: 'one', consumedAt: null });
  expect(await tokens.consume('AccessToken', 'one')).toBe(true);
  await tokens.drop('AccessToken', 'one');
  expect(await tokens.find('AccessToken', 'one')).toBeNull();
  await close();
});

test('uses are noted for the grants that were used, and for no other', async () => {
  const { store, close } = open();
  for (const id of ['one', 'two', 'three']) await store.grants.create(grant(id));
  await store.grants.touch([
    { id: 'one', at: 5 },
    { id: 'three', at: 7 },
  ]);
  const uses = (await store.grants.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt]);
  expect(Object.fromEntries(uses)).toEqual({ one: 5, two: null, three: 7 });
  await close();
});
