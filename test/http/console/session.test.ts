// The session of a browser: the cookie, where it counts, and what ends it.
import { beforeAll, expect, test } from 'vitest';
import { addMember, type MadeMember, tokenOf } from '../../rest/support/team.ts';
import { useMemoir } from '../../rest/support/use-memoir.ts';
import { verifies } from '../../spec/verifies.ts';

const api = useMemoir();
const OWN = { 'sec-fetch-site': 'same-origin' };
const SCRIPT = { 'x-memoir-console': '1' };

let member: MadeMember;
beforeAll(async () => {
  member = await addMember(api, { email: `${api.newTag()}@example.org` });
});

const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(api.memoir.url + path, {
    ...{ method, redirect: 'manual' },
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const cookieOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

const signedIn = async (key = member.key): Promise<string> => {
  const answer = await call('POST', '/console/session', OWN, { key });
  expect(answer.status).toBe(204);
  return cookieOf(answer);
};

verifies(
  'console:session:cookie',
  'the cookie holds no key, no script reads it, and other sites do not send it',
  async () => {
    const answer = await call('POST', '/console/session', OWN, { key: member.key });
    const port = new URL(api.memoir.url).port;
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^memoir_session_${port}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(cookieOf(answer)).not.toContain(member.key);
    expect((await call('POST', '/console/session', OWN, { key: 'sm_wrong_key_of_nobody' })).status).toBe(401);
  },
);

verifies('console:session:own-pages', 'the cookie counts in requests of own pages alone', async () => {
  const cookie = await signedIn();
  const origin = api.memoir.url;
  const statusWith = async (
    headers: Record<string, string>,
    method = 'GET',
    path = '/v3/session',
    body?: unknown,
  ) => (await call(method, path, { cookie, ...headers }, body)).status;
  expect(await statusWith(OWN)).toBe(200);
  expect(await statusWith(SCRIPT)).toBe(200);
  for (const site of ['cross-site', 'same-site', 'none'])
    expect(await statusWith({ 'sec-fetch-site': site, ...SCRIPT })).toBe(401);
  expect(await statusWith({})).toBe(401);
  const add = { content: 'Written by a page.', containerTag: api.newTag() };
  expect(await statusWith({ ...SCRIPT, origin: 'https://evil.example' }, 'POST', '/v3/documents', add)).toBe(
    401,
  );
  expect(await statusWith({ ...SCRIPT, origin }, 'POST', '/v3/documents', add)).toBe(200);
  // A key in the headers is judged alone.
  expect(await statusWith({ ...OWN, authorization: 'Bearer sm_wrong_key_of_nobody' })).toBe(401);
  const mcp = await call(
    'POST',
    '/mcp',
    { cookie, ...OWN, accept: 'application/json, text/event-stream' },
    {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  );
  expect(mcp.status).toBe(401);
});

verifies(
  'console:session:ends',
  'a session ends by signing out, with its key, and by the member in another browser',
  async () => {
    const [first, second] = [await signedIn(), await signedIn()];
    const listed = (await (await call('GET', '/v3/auth/sessions', { cookie: first, ...OWN })).json()) as {
      sessions: { id: string; current: boolean }[];
    };
    const other = listed.sessions.find(({ current }) => !current);
    expect(listed.sessions.filter(({ current }) => current)).toHaveLength(1);
    expect((await call('DELETE', `/v3/auth/sessions/${other?.id}`, { cookie: first, ...OWN })).status).toBe(
      200,
    );
    const statusOf = async (cookie: string) => (await call('GET', '/v3/session', { cookie, ...OWN })).status;
    const third = await signedIn();
    const out = await call('DELETE', '/console/session', { cookie: third, ...OWN });
    expect([out.status, out.headers.get('clear-site-data')]).toEqual([204, '"cache", "storage"']);
    expect(await statusOf(third)).toBe(401);
    const made = await api.ask<{ key: string; id: string }>(
      'POST',
      '/v3/auth/agent-key',
      { name: 'browser', permission: 'write' },
      { key: member.key },
    );
    const fourth = await signedIn(made.body.key);
    expect(await statusOf(fourth)).toBe(200);
    await api.ask('DELETE', `/v3/auth/scoped-key/${made.body.id}`, undefined, { key: member.key });
    expect(await statusOf(fourth)).toBe(401);
    expect([await statusOf(first), await statusOf(second)].sort()).toEqual([200, 401].sort());
  },
);

test('a full key signs in as well, and its session may do what the key may', async () => {
  const cookie = await signedIn(api.memoir.key);
  expect((await call('GET', '/v3/auth/team/members', { cookie, ...OWN })).status).toBe(200);
});

test('an invitation is answered by scripts as well, and other sites cannot answer it', async () => {
  const email = `${api.newTag()}@example.org`;
  const invited = await api.ask<{ link: string }>('POST', '/v3/auth/team/invite', { email });
  const token = tokenOf(invited.body.link);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await call('POST', '/console/invitation/accept', foreign, { token })).status).toBe(403);
  const shown = await call('POST', '/console/invitation', OWN, { token });
  expect(await shown.json()).toMatchObject({ email, role: 'member', containerTags: null });
  const joined = await call('POST', '/console/invitation/accept', OWN, { token, name: 'Ada' });
  expect(await joined.json()).toMatchObject({ email, name: 'Ada', key: expect.stringMatching(/^sm_/) });
  expect((await call('GET', '/v3/session', { cookie: cookieOf(joined), ...OWN })).status).toBe(200);
  expect((await call('POST', '/console/invitation', OWN, { token })).status).toBe(410);
});

test('forms of other sites, and those of another session, change nothing', async () => {
  const cookie = await signedIn();
  const post = (headers: Record<string, string>, ticket: string) =>
    fetch(`${api.memoir.url}/console/account`, {
      ...{ method: 'POST', redirect: 'manual' },
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ do: 'makeKey', name: 'stolen', permission: 'write', ticket }),
    });
  expect((await post({ 'sec-fetch-site': 'cross-site' }, 'x')).status).toBe(403);
  expect((await post(OWN, 'x')).status).toBe(403);
  const { body } = await api.ask<{ keys: { name: string }[] }>('GET', '/v3/auth/keys', undefined, {
    key: member.key,
  });
  expect(body.keys.map(({ name }) => name)).not.toContain('stolen');
});

test('bodies that cannot be read are refused, and never an internal error', async () => {
  const post = (path: string, body: string, headers: Record<string, string>) =>
    fetch(api.memoir.url + path, { method: 'POST', body, headers: { ...OWN, ...headers } });
  const json = { 'content-type': 'application/json' };
  const broken = await post('/console/session', '{"key":"sm_secret', json);
  expect([broken.status, await broken.text()]).toEqual([400, expect.not.stringContaining('secret')]);
  expect((await post('/console/session', '"a text"', json)).status).toBe(400);
  expect((await post('/console/session', JSON.stringify({ key: 'x'.repeat(20_000) }), json)).status).toBe(
    413,
  );
  const foreign = { 'content-type': 'application/json; charset=utf-7' };
  expect((await post('/console/session', '{}', foreign)).status).toBe(400);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const many = Array.from({ length: 400 }, (_, at) => `field${at}=1`).join('&');
  for (const [body, status, more] of [
    [`key=${'x'.repeat(70_000)}`, 413, {}],
    [many, 413, {}],
    ['key=x', 400, { 'content-encoding': 'gzip' }],
    ['key=x', 400, { 'content-encoding': 'unknown' }],
  ] as const)
    for (const path of ['/console/sign-in', '/auth/connect?client=cursor']) {
      const answer = await post(path, body, { ...form, ...more });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        ...[path, status, expect.stringContaining('text/html')],
      ]);
    }
});

test('what is not set up is said, and nothing pretends', async () => {
  const email = await call('POST', '/console/session/email', OWN, { email: 'ada@example.org' });
  expect([email.status, await email.text()]).toEqual([404, expect.stringContaining('No mail is set up')]);
  const back = await call('GET', '/console/oidc/callback?code=x&state=y', {});
  expect([back.status, await back.text()]).toEqual([404, expect.stringContaining('No provider')]);
});

test('of several addresses each is invited or told why not, and no link is lost', async () => {
  const owner = await addMember(api, { email: `${api.newTag()}@example.org`, role: 'owner' });
  const cookie = await signedIn(owner.key);
  const account = await (await call('GET', '/console/members', { cookie })).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(account)?.[1] ?? '';
  const [first, last] = [`${api.newTag()}@example.org`, `${api.newTag()}@example.org`];
  const answer = await fetch(`${api.memoir.url}/console/members`, {
    method: 'POST',
    headers: { cookie, ...OWN },
    body: new URLSearchParams({
      do: 'invite',
      role: 'member',
      emails: `${first}, ${member.email}, nobody, ${last}`,
      ticket,
    }),
  });
  const page = await answer.text();
  expect(page.match(/console\/join\?token=/g)).toHaveLength(2);
  expect(page).toContain(`${member.email} was not invited: ${member.email} is a member already.`);
  expect(page).toContain('nobody was not invited: Invalid request: email:');
});
