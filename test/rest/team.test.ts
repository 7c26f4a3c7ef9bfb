// Members of the organisation: their rights, their keys, and what ends with them.
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../tools/registry.generated.ts';
import { verifies } from '../spec/verifies.ts';
import { agentKey, listedKeys, statusWith } from './support/keys.ts';
import { addMember, type MadeMember, tokenOf } from './support/team.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();
const as = (key: string) => ({ key });
const VISITOR = { address: '192.0.2.1', userAgent: 'test' };

let owner: MadeMember;
let admin: MadeMember;
let member: MadeMember;
let limited: MadeMember;
beforeAll(async () => {
  owner = await addMember(api, { email: 'Owner@Example.org', role: 'owner', name: 'Olga' });
  admin = await addMember(api, { email: 'admin@example.org', role: 'admin' });
  member = await addMember(api, { email: 'member@example.org' });
  limited = await addMember(api, {
    email: 'limited@example.org',
    containerTags: [
      { containerTag: 'a', permission: 'write' },
      { containerTag: 'b', permission: 'read' },
    ],
  });
});

verifies(
  'team:members:shape',
  'the members are listed with role and limit, to those who manage',
  async () => {
    const { body } = await api.ask('GET', '/v3/auth/team/members', undefined, as(admin.key));
    expect(body).toEqual({
      members: expect.arrayContaining([
        {
          ...{ id: owner.id, name: 'Olga', email: 'owner@example.org', role: 'owner' },
          ...{ joinedAt: expect.any(String), containerTags: null, emailVerified: false },
          lastSeenAt: null,
        },
      ]),
    });
  },
);

/** What each caller gets from an operation: true if it may make the call at all. */
interface Allowed {
  owner: boolean;
  admin: boolean;
  member: boolean;
  limited: boolean;
  full: boolean;
  scoped: boolean;
  narrowed: boolean;
  plugin: boolean;
}

const nobodyBut = (allowed: Partial<Allowed>): Allowed => ({
  ...{ owner: false, admin: false, member: false, limited: false },
  ...{ full: false, scoped: false, narrowed: false, plugin: false },
  ...allowed,
});
const people = { owner: true, admin: true, member: true, limited: true };
const managers = { owner: true, admin: true, full: true };

/** The matrix: whoever may make a call of this kind. */
const matrix = {
  reset: nobodyBut({ owner: true, full: true }),
  organisation: nobodyBut(managers),
  account: nobodyBut({ ...people, full: true }),
  content: nobodyBut({ ...people, full: true, scoped: true, narrowed: true, plugin: true }),
};

const rowOf = ({ reaches, role }: (typeof operations)[number]): Allowed => {
  if (reaches === 'organisation') return role === 'owner' ? matrix.reset : matrix.organisation;
  return reaches === 'account' ? matrix.account : matrix.content;
};

/** These act on everything for which an empty input is enough. */
const COSTLY = new Set(['storage.compact', 'spaces.reindex', 'documents.uploadFile']);

verifies('team:rights:matrix', 'every operation is open to the roles and keys of the matrix', async () => {
  const bound = { containerTags: ['a'] };
  const [scoped, plugin] = await Promise.all([agentKey(api, bound), agentKey(api, { pluginId: 'cursor' })]);
  const narrowed = await api.ask<{ key: string }>(
    'POST',
    '/v3/auth/agent-key',
    { name: 'narrowed', permission: 'write', ...bound },
    as(owner.key),
  );
  const keys: Record<keyof Allowed, string> = {
    ...{ owner: owner.key, admin: admin.key, member: member.key, limited: limited.key },
    ...{ full: api.memoir.key, scoped: scoped.key, plugin: plugin.key, narrowed: narrowed.body.key },
  };
  const wrong: string[] = [];
  for (const operation of operations.filter(({ name }) => !COSTLY.has(name))) {
    const { method } = operation.rest;
    const path = operation.rest.path
      .replace('{containerTag}', 'a')
      .replace('{provider}', 'notion')
      .replace(/\{\w+\}/, 'nobody');
    for (const [who, allowed] of Object.entries(rowOf(operation))) {
      const key = keys[who as keyof Allowed];
      const { status, body } = await api.ask<Refusal>(
        method,
        path,
        method === 'GET' ? undefined : {},
        as(key),
      );
      const managing = status === 403 && /manage|role is member|Only an owner/.test(body.error);
      if (status === 401 || managing === allowed)
        wrong.push(`${operation.name} by ${who}: ${status} ${body.error}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe('an admin', () => {
  const path = () => `/v3/auth/team/members/${owner.id}`;

  verifies('team:rights:matrix', 'removes, limits and demotes no owner, and makes none', async () => {
    const calls = [
      ['DELETE', path(), undefined],
      ['PUT', `${path()}/role`, { role: 'member' }],
      ['PUT', `${path()}/access`, { containerTags: [{ containerTag: 'a' }] }],
      ['PUT', `/v3/auth/team/members/${member.id}/role`, { role: 'owner' }],
      ['POST', '/v3/settings/reset', { confirmation: 'everything' }],
    ] as const;
    for (const [method, at, body] of calls) {
      const answer = await api.ask<Refusal>(method, at, body, as(admin.key));
      expect([at, answer.status]).toEqual([at, 403]);
      expect(answer.body.error).toMatch(/owner/);
    }
  });

  verifies(
    'team:keys:never-exceed',
    'makes keys of the organisation that are below an owner as well',
    async () => {
      const made = await api.ask<{ key: string; id: string }>(
        'POST',
        '/v3/auth/agent-key',
        { name: 'job', permission: 'write', kind: 'service' },
        as(admin.key),
      );
      const service = as(made.body.key);
      expect((await api.ask('GET', '/v3/auth/team/members', undefined, service)).status).toBe(200);
      expect((await api.ask('DELETE', path(), undefined, service)).status).toBe(403);
      const more = { name: 'more', permission: 'write' };
      const second = await api.ask<{ key: string }>('POST', '/v3/auth/agent-key', more, service);
      expect((await api.ask('DELETE', path(), undefined, as(second.body.key))).status).toBe(403);
      const first = (await listedKeys(api)).find(({ name }) => name === 'First key');
      for (const change of ['rotate', 'toggle']) {
        const method = change === 'toggle' ? 'PUT' : 'POST';
        const answer = await api.ask(method, `/v3/auth/keys/${first?.id}/${change}`, {}, as(admin.key));
        expect([change, answer.status]).toEqual([change, 403]);
      }
      expect(
        (await api.ask('DELETE', `/v3/auth/scoped-key/${first?.id}`, undefined, as(admin.key))).status,
      ).toBe(403);
    },
  );
});

describe('a member', () => {
  verifies(
    'team:member:tags',
    'with a limit reads in both tags, writes in one, and reaches no other',
    async () => {
      for (const containerTag of ['a', 'b', 'c'])
        await api.add({ content: `The word of ${containerTag} is ${containerTag}word.`, containerTag });
      const search = async (containerTag?: string) => {
        const { status, body } = await api.ask<{ results: object[] }>(
          'POST',
          '/v3/search',
          {
            q: 'word',
            chunkThreshold: 0,
            ...(containerTag === undefined ? {} : { containerTags: [containerTag] }),
          },
          as(limited.key),
        );
        return [status, JSON.stringify(body)] as const;
      };
      expect((await search('b'))[1]).toContain('bword');
      expect((await search('c'))[0]).toBe(403);
      const [, everything] = await search();
      expect([/aword/, /bword/, /cword/].map((word) => word.test(everything))).toEqual([true, true, false]);
      const add = async (containerTag: string) =>
        (await api.post({ content: 'New.', containerTag }, as(limited.key))).status;
      expect([await add('a'), await add('b'), await add('c')]).toEqual([200, 403, 403]);
      const own = (await api.list({ containerTags: ['b'] })).memories[0];
      expect((await api.remove(own?.id ?? '', as(limited.key))).status).toBe(403);
      expect((await api.patch(own?.id ?? '', { content: 'Changed.' }, as(limited.key))).status).toBe(403);
      const session = await api.ask('GET', '/v3/session', undefined, as(limited.key));
      expect(session.body).toMatchObject({
        user: { id: limited.id, email: 'limited@example.org', name: 'limited' },
        role: 'member',
        accessType: 'restricted',
        containerTags: [
          { containerTag: 'a', permission: 'write' },
          { containerTag: 'b', permission: 'read' },
        ],
      });
    },
  );

  verifies(
    'team:keys:never-exceed',
    'makes keys that share the limit, also one that comes later',
    async () => {
      const someone = await addMember(api, { email: 'someone@example.org' });
      const request = { name: 'mine', permission: 'write' };
      const mine = await api.ask<{ key: string }>('POST', '/v3/auth/agent-key', request, as(someone.key));
      expect((await api.post({ content: 'Free.', containerTag: 'c' }, as(mine.body.key))).status).toBe(200);
      await api.ask('PUT', `/v3/auth/team/members/${someone.id}/access`, {
        containerTags: [{ containerTag: 'a', permission: 'read' }],
      });
      expect((await api.post({ content: 'No.', containerTag: 'c' }, as(mine.body.key))).status).toBe(403);
      expect((await api.post({ content: 'No.', containerTag: 'a' }, as(mine.body.key))).status).toBe(403);
      const service = { ...request, kind: 'service' };
      expect((await api.ask('POST', '/v3/auth/agent-key', service, as(someone.key))).status).toBe(403);
      const wide = { ...request, containerTags: ['c'] };
      expect((await api.ask('POST', '/v3/auth/agent-key', wide, as(someone.key))).status).toBe(403);
    },
  );

  verifies('team:rights:matrix', 'sees and ends their own keys alone', async () => {
    const listed = await api.ask<{ keys: { owner?: { id: string } }[] }>(
      'GET',
      '/v3/auth/keys',
      undefined,
      as(member.key),
    );
    expect(listed.body.keys.map(({ owner: whose }) => whose?.id)).toEqual([member.id]);
    const foreign = (await listedKeys(api)).find(
      ({ owner: whose }) => (whose as { id: string } | undefined)?.id === limited.id,
    );
    const disabled = await api.ask('DELETE', `/v3/auth/scoped-key/${foreign?.id}`, undefined, as(member.key));
    expect(disabled.status).toBe(404);
    expect(
      (await api.ask('DELETE', `/v3/auth/team/members/${limited.id}`, undefined, as(member.key))).status,
    ).toBe(404);
  });
});

verifies(['team:remove:shape', 'team:remove:ends'], 'what is a member’s ends with the member', async () => {
  const gone = await addMember(api, { email: 'gone@example.org', role: 'admin' });
  const request = { name: 'mine', permission: 'write' };
  const [mine, plugin, service] = await Promise.all([
    api.ask<{ key: string }>('POST', '/v3/auth/agent-key', request, as(gone.key)),
    api.ask<{ key: string }>('GET', '/v3/auth/key?client=cursor', undefined, as(gone.key)),
    api.ask<{ key: string }>('POST', '/v3/auth/agent-key', { ...request, kind: 'service' }, as(gone.key)),
  ]);
  const cookie = await api.memoir.memoir.service.access.sessions.begin(
    { memberId: gone.id, keyId: null, userAgent: 'test' },
    null,
  );
  const { access } = api.memoir.memoir.service;
  expect((await access.resume(cookie, '::1')).member?.id).toBe(gone.id);
  for (const { body } of [mine, plugin, service]) expect(await statusWith(api, body.key)).toBe(200);
  const removed = await api.ask('DELETE', `/v3/auth/team/members/${gone.id}`);
  expect(removed.body).toEqual({ success: true, id: gone.id, ended: { sessions: 1, keys: 3, grants: 0 } });
  for (const key of [gone.key, mine.body.key, plugin.body.key]) expect(await statusWith(api, key)).toBe(401);
  await expect(access.resume(cookie, '::1')).rejects.toMatchObject({ status: 401 });
  expect(await statusWith(api, service.body.key)).toBe(200);
});

verifies(['team:owner:last', 'team:role:shape'], 'the last owner stays one', async () => {
  const path = `/v3/auth/team/members/${owner.id}`;
  expect((await api.ask('DELETE', path)).status).toBe(409);
  expect((await api.ask('PUT', `${path}/role`, { role: 'admin' }, as(owner.key))).status).toBe(409);
  const second = await api.ask(
    'PUT',
    `/v3/auth/team/members/${admin.id}/role`,
    { role: 'owner' },
    as(owner.key),
  );
  expect(second.body).toEqual({ success: true, id: admin.id, role: 'owner' });
  expect((await api.ask('PUT', `${path}/role`, { role: 'admin' }, as(admin.key))).status).toBe(200);
  expect((await api.ask('PUT', `${path}/role`, { role: 'owner' }, as(owner.key))).status).toBe(403);
  await api.ask('PUT', `${path}/role`, { role: 'owner' });
  await api.ask('PUT', `/v3/auth/team/members/${admin.id}/role`, { role: 'admin' });
});

test('who lost every key gets back in by being added again, and no member adds another by hand', async () => {
  const again = await addMember(api, { email: 'member@example.org', role: 'member' });
  expect(again.id).toBe(member.id);
  expect(await statusWith(api, again.key)).toBe(200);
  const byOwner = await api.ask<Refusal>(
    'POST',
    '/v3/auth/team/members',
    { email: 'x@example.org' },
    as(owner.key),
  );
  expect([byOwner.status, byOwner.body.error]).toEqual([403, expect.stringContaining('Invite')]);
});

test('who is added several times at once is one member, and every key that was shown works', async () => {
  const request = { email: 'at-once@example.org' };
  const added = await Promise.all([1, 2, 3].map(() => addMember(api, request)));
  expect(new Set(added.map(({ id }) => id)).size).toBe(1);
  for (const { key } of added) expect(await statusWith(api, key)).toBe(200);
});

test('who is added again with container tags is limited to them', async () => {
  const email = 'narrowed@example.org';
  await addMember(api, { email, role: 'admin' });
  const containerTags = [{ containerTag: 'office', permission: 'read' }];
  const { body } = await api.ask('POST', '/v3/auth/team/members', { email, role: 'member', containerTags });
  expect(body).toMatchObject({ existed: true, role: 'member', containerTags });
});

describe('an invitation', () => {
  const joining = () => api.memoir.memoir.service.team.joining;
  const invite = async (body: object, key = owner.key) =>
    api.ask<{ id: string; link?: string } & Refusal>('POST', '/v3/auth/team/invite', body, as(key));
  const statusOf = async (call: Promise<unknown>): Promise<number> =>
    call.then(
      () => 200,
      (error: { status: number }) => error.status,
    );

  verifies(
    ['team:members:managed', 'team:invite:shape', 'team:invite:once', 'team:invitations:shape'],
    'is accepted once, for the address and the role that were invited',
    async () => {
      const { body } = await invite({ email: 'New@Example.org', role: 'admin' });
      expect(body).toEqual({
        ...{ success: true, email: 'new@example.org', role: 'admin', id: expect.any(String) },
        ...{
          expiresAt: expect.any(String),
          delivery: 'none',
          link: expect.stringContaining('/console/join?token='),
        },
      });
      const token = tokenOf(body.link);
      // A mail scanner looks, and uses nothing up.
      for (let at = 0; at < 3; at++)
        expect(await joining().look(token, VISITOR)).toMatchObject({ role: 'admin', inviterName: 'Olga' });
      const joined = await joining().accept(token, 'Nora', VISITOR);
      expect(joined.member).toMatchObject({ email: 'new@example.org', role: 'admin', emailVerified: false });
      expect(await statusWith(api, joined.key)).toBe(200);
      expect(await statusOf(joining().accept(token, 'Eve', VISITOR))).toBe(410);
      expect((await invite({ email: 'new@example.org' })).status).toBe(409);
      const listed = await api.ask<{ invitations: object[] }>('GET', '/v3/auth/team/invitations');
      expect(listed.body.invitations[0]).toMatchObject({
        ...{ email: 'new@example.org', role: 'admin', status: 'accepted', invitedBy: 'Olga' },
        invitedAt: expect.any(String),
      });
    },
  );

  verifies('team:invite:once', 'that is canceled, sent again or declined is void', async () => {
    const first = (await invite({ email: 'guest@example.org' })).body;
    const path = `/v3/auth/team/invitations/${first.id}`;
    const again = await api.ask<{ link: string }>('POST', `${path}/resend`, {}, as(admin.key));
    expect(await statusOf(joining().look(tokenOf(first.link), VISITOR))).toBe(404);
    expect(await statusOf(joining().look(tokenOf(again.body.link), VISITOR))).toBe(200);
    expect((await api.ask('DELETE', path, undefined, as(admin.key))).body).toEqual({
      success: true,
      id: first.id,
    });
    expect(await statusOf(joining().accept(tokenOf(again.body.link), undefined, VISITOR))).toBe(410);
    expect((await api.ask('POST', `${path}/resend`, {}, as(admin.key))).status).toBe(409);
    const declined = (await invite({ email: 'guest@example.org' })).body;
    await joining().decline(tokenOf(declined.link), VISITOR);
    expect(await statusOf(joining().accept(tokenOf(declined.link), undefined, VISITOR))).toBe(410);
  });

  verifies(
    'team:invite:once',
    'cannot be guessed: wrong links are slowed by 429',
    async () => {
      const visitor = { address: '192.0.2.77', userAgent: 'guesser' };
      const statuses = new Map<number, number>();
      for (let at = 0; at < 10_000; at++) {
        const status = await statusOf(joining().look(`guess-${at}`, visitor));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      expect([...statuses.keys()].sort()).toEqual([404, 429]);
      expect(statuses.get(404)).toBeLessThanOrEqual(60);
    },
    { timeoutMs: 120_000 },
  );

  test('gives an admin no limit to tags', async () => {
    const tags = [{ containerTag: 'a', permission: 'read' }];
    const answer = await invite({ email: 'x@example.org', role: 'admin', containerTags: tags });
    expect(answer.status).toBe(409);
    expect((await invite({ email: 'no address' })).status).toBe(400);
  });
});
