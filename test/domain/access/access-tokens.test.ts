// Tests of access tokens: one may do what its grant, its key and its scope all allow, and no more.
import { describe, expect, test } from 'vitest';
import type { GrantRecord, TokenRecord } from '../../../server/adapters/store/ports/grants.ts';
import type { KeyRecord } from '../../../server/adapters/store/ports/keys.ts';
import { createTokens } from '../../../server/domain/access/access-tokens.ts';
import { DAY, useAccess } from './open.ts';

const opened = useAccess();
const HASH = 'hash of the token';

interface Rights {
  grant?: Partial<GrantRecord>;
  key?: Partial<KeyRecord>;
  token?: Partial<TokenRecord>;
}

/** The holders of the tokens: all three may write and end after a day, unless said otherwise. */
const recognised = async ({ grant = {}, key = {}, token = {} }: Rights) => {
  const { store } = opened();
  // The store goes by the clock of the machine.
  const expiresAt = Date.now() + DAY;
  await store.keys.create({
    ...{ id: 'key', hash: 'hash', start: 'sm_', name: 'key', permission: 'write', tags: null, enabled: true },
    ...{ expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null, createdAt: 1 },
    ...{ lastUsedAt: null, madeBy: null, ownerId: null, role: null, replacedBy: null, ...key },
  });
  await store.grants.create({
    ...{ id: 'grant', keyId: 'key', clientId: 'client', clientName: 'A program', redirectHost: 'localhost' },
    ...{ permission: 'write', tags: null, createdAt: 1, expiresAt, lastUsedAt: null, ...grant },
  });
  await store.grants.tokens.keep({
    ...{ kind: 'AccessToken', hash: HASH, grantId: 'grant', uid: null, expiresAt },
    ...{ payload: { aud: 'http://here/mcp', scope: 'memory:read memory:write' }, ...token },
  });
  const isOwnResource = (resource: string) => resource === 'http://here/mcp';
  return createTokens({ grants: store.grants, keys: store.keys, isOwnResource })(HASH);
};

describe('an access token', () => {
  test('may write if its grant, its key and its scope may', async () => {
    expect(await recognised({})).toMatchObject({ permission: 'write', grantId: 'grant', name: 'A program' });
  });

  test.each<[string, Rights]>([
    ['grant', { grant: { permission: 'read' } }],
    ['key', { key: { permission: 'read' } }],
    ['scope', { token: { payload: { aud: 'http://here/mcp', scope: 'memory:read' } } }],
  ])('may only read if its %s may only read', async (_what, rights) => {
    expect(await recognised(rights)).toMatchObject({ permission: 'read' });
  });

  test('reaches the tags that both its grant and its key reach', async () => {
    expect(await recognised({ grant: { tags: ['a', 'b'] }, key: { tags: ['b', 'c'] } })).toMatchObject({
      tags: ['b'],
    });
  });

  test.each<[string, Rights]>([
    ['grant', { grant: { expiresAt: 5 } }],
    ['key', { key: { expiresAt: 5 } }],
    ['own time', { token: { expiresAt: 5 } }],
  ])('ends with its %s', async (_what, rights) => {
    expect((await recognised(rights))?.expiresAt ?? 5).toBe(5);
  });

  test('of another server is nobody', async () => {
    const payload = { aud: ['http://elsewhere/mcp', 7], scope: 'memory:write' };
    expect(await recognised({ token: { payload } })).toBeNull();
  });
});

test('a sign-in is refused after too many wrong keys from one address, also with a valid key', async () => {
  const { access, fullKey } = opened();
  const key = await fullKey();
  for (let wrong = 0; wrong < 10; wrong++)
    await expect(access.grants.signIn(`sm_wrong_wrong_wrong_${wrong}`, '10.0.0.1')).rejects.toMatchObject({
      status: 401,
    });
  await expect(access.grants.signIn(key, '10.0.0.1')).rejects.toMatchObject({ status: 429 });
  expect(await access.grants.signIn(key, '10.9.0.1')).toMatchObject({ permission: 'write' });
});
