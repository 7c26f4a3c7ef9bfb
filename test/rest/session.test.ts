// Who is asking: GET /v3/session.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const session = async (key: string): Promise<unknown> =>
  (await api.ask('GET', '/v3/session', undefined, { key })).body;

verifies('session:full:who', 'a full key hears who it is, whose, and that it may do everything', async () => {
  const { id, key } = await agentKey(api, { name: 'Everything' });
  const answer = {
    user: { id, name: 'Everything' },
    org: { id: api.memoir.memoir.orgId, name: expect.any(String) },
    plan: expect.any(String),
    role: 'owner',
    accessType: 'full',
    containerTags: null,
    scope: { type: 'full', permission: 'write' },
  };
  expect(await session(key)).toEqual(answer);
  expect(await session(api.memoir.key)).toMatchObject({ accessType: 'full', scope: answer.scope });
});

verifies('session:scoped:who', 'a bound key hears its tags, permission, rate and expiry', async () => {
  const one = await scopedKey(api, { containerTag: '日本語', rateLimitMax: 9, expiresInDays: 3 });
  expect(await session(one.key)).toMatchObject({
    user: { id: one.id, name: 'scoped_日本語' },
    role: 'member',
    accessType: 'restricted',
    containerTags: [{ containerTag: '日本語', permission: 'write' }],
    scope: {
      type: 'scoped',
      permission: 'write',
      tag: '日本語',
      tags: ['日本語'],
      rateLimit: 9,
      expires: one.expiresAt,
    },
  });
  const two = await agentKey(api, { permission: 'read', containerTags: ['a/b c@d', 'plain'] });
  const told = await session(two.key);
  expect(told).toMatchObject({
    accessType: 'restricted',
    containerTags: [
      { containerTag: 'a/b c@d', permission: 'read' },
      { containerTag: 'plain', permission: 'read' },
    ],
    scope: { type: 'scoped', permission: 'read', tags: ['a/b c@d', 'plain'], rateLimit: 500 },
  });
  expect(told, 'one tag of two would be taken for all').not.toHaveProperty('scope.tag');
});

verifies('session:either:header', 'either header will do, and a bad key gets 401', async () => {
  const ask = (headers: Record<string, string>) =>
    api.memoir.ask('GET', '/v3/session', undefined, { key: null, headers });
  const bearer = await ask({ authorization: `Bearer ${api.memoir.key}` });
  const plain = await ask({ 'x-api-key': api.memoir.key });
  expect([bearer.status, plain.status]).toEqual([200, 200]);
  expect(plain.body).toEqual(bearer.body);
  for (const bad of [{}, { 'x-api-key': 'sm_no' }, { authorization: 'Bearer sm_no' }])
    expect((await ask(bad)).status).toBe(401);
});
