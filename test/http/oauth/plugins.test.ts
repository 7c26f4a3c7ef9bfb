// Tests of the connect page for plugins.
import { describe, expect, test } from 'vitest';
import { type Rest, useOwnMemoir } from '../../rest/support/use-memoir.ts';
import { verifies } from '../../spec/verifies.ts';

const api = useOwnMemoir();

const CALLBACK = 'http://127.0.0.1:51999/callback?state=mine';

const pageOf = (rest: Rest, query: Record<string, string>, path = '/auth/connect') =>
  `${rest.memoir.url}${path}?${new URLSearchParams(query)}`;

const post = (url: string, fields: [string, string][]) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });

const signedIn = async (url: string, key: string): Promise<{ html: string; ticket: string }> => {
  const html = await (
    await post(url, [
      ['do', 'signIn'],
      ['key', key],
    ])
  ).text();
  return { html, ticket: /name="ticket" value="([^"]*)"/.exec(html)?.[1] ?? '' };
};

const allowed = async (rest: Rest, url: string, choice: [string, string][]): Promise<URL> => {
  const { ticket } = await signedIn(url, rest.memoir.key);
  const answer = await post(url, [['do', 'allow'], ['ticket', ticket], ['days', '30'], ...choice]);
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
};

const session = async (rest: Rest, key: string) =>
  (await rest.ask('GET', '/v3/session', undefined, { key })).body;

describe('the page for plugins', () => {
  verifies(
    'auth:plugins:callback',
    'sends a key for one tag to the callback, and keeps the parameters of the callback',
    async () => {
      const url = pageOf(api, {
        callback: CALLBACK,
        client: 'claude_code',
        hostname: 'desk <1>',
        os: 'linux',
      });
      const shown = await (await fetch(url)).text();
      expect(shown).toContain('claude_code');
      expect(shown).toContain('desk &lt;1&gt;');
      const heard = await allowed(api, url, [
        ['permission', 'read'],
        ['tag', 'ada'],
      ]);
      expect(heard.origin + heard.pathname).toBe('http://127.0.0.1:51999/callback');
      expect(Object.fromEntries(heard.searchParams)).toMatchObject({
        state: 'mine',
        api_url: api.memoir.url,
      });
      expect(await session(api, heard.searchParams.get('apikey') ?? '')).toMatchObject({
        user: { name: 'claude_code' },
        containerTags: [{ containerTag: 'ada', permission: 'read' }],
      });
    },
  );

  test('sends one key for each of several plugins', async () => {
    const url = pageOf(api, { callback: CALLBACK, clients: 'cursor,codex' });
    const heard = await allowed(api, url, [
      ['permission', 'write'],
      ['everything', 'yes'],
    ]);
    const text = Buffer.from(heard.searchParams.get('keys') ?? '', 'base64url').toString();
    const keys = JSON.parse(text) as Record<string, string>;
    expect(Object.keys(keys)).toEqual(['cursor', 'codex']);
    expect(keys.cursor).not.toBe(keys.codex);
    for (const key of Object.values(keys))
      expect(await session(api, key)).toMatchObject({ accessType: 'full' });
  });

  test('sends a key to the command line of an agent', async () => {
    const url = pageOf(api, { callback: CALLBACK }, '/auth/agent-connect');
    const heard = await allowed(api, url, [
      ['permission', 'read'],
      ['otherTags', 'ada, bob'],
    ]);
    expect(await session(api, heard.searchParams.get('apikey') ?? '')).toMatchObject({
      scope: { tags: ['ada', 'bob'] },
    });
  });

  test('reports a refusal to the plugin', async () => {
    const answer = await post(pageOf(api, { callback: CALLBACK, client: 'cursor' }), [['do', 'deny']]);
    const heard = new URL(answer.headers.get('location') ?? '');
    expect(Object.fromEntries(heard.searchParams)).toEqual({ state: 'mine', errors: 'access_denied' });
  });

  verifies(
    'auth:plugins:only-loopback',
    'sends nothing to any other place, and nothing to unknown plugins',
    async () => {
      const places = [
        'https://127.0.0.1/callback',
        'http://evil.example/callback',
        'http://127.0.0.1.evil.example/callback',
        'http://127.0.0.1@evil.example/callback',
        'http://localhost/other',
        'http://localhost/callback/../other',
        'javascript:alert(1)',
        '',
      ];
      for (const callback of places) {
        const answer = await fetch(pageOf(api, { callback, client: 'cursor' }), { redirect: 'manual' });
        expect([callback, answer.status]).toEqual([callback, 400]);
      }
      for (const client of ['', 'unknown', 'cursor,<b>']) {
        const answer = await fetch(pageOf(api, { callback: CALLBACK, client }));
        expect([client, answer.status, (await answer.text()).includes('<b>')]).toEqual([client, 400, false]);
      }
    },
  );

  verifies('auth:plugins:ticket-once', 'accepts a ticket once, also of several answers at once', async () => {
    const url = pageOf(api, { callback: CALLBACK, client: 'cursor' });
    const { ticket } = await signedIn(url, api.memoir.key);
    const answer = () =>
      post(url, [
        ['do', 'allow'],
        ['ticket', ticket],
        ['days', '1'],
        ['permission', 'read'],
        ['tag', 'ada'],
      ]);
    const statuses = (await Promise.all([answer(), answer(), answer()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 401, 401]);
    const late = await answer();
    expect([late.status, await late.text()]).toEqual([401, expect.stringContaining('already answered')]);
  });

  test('accepts a ticket for its own callback only', async () => {
    const { ticket } = await signedIn(pageOf(api, { callback: CALLBACK, client: 'cursor' }), api.memoir.key);
    const other = pageOf(api, { callback: 'http://127.0.0.1:1/callback', client: 'cursor' });
    const answer = await post(other, [
      ['do', 'allow'],
      ['ticket', ticket],
      ['days', '1'],
      ['permission', 'read'],
      ['tag', 'ada'],
    ]);
    expect(answer.status).toBe(401);
  });

  test('limits the attempts with wrong keys', async () => {
    const url = pageOf(api, { callback: CALLBACK, client: 'cursor' });
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++)
      statuses.push(
        (
          await post(url, [
            ['do', 'signIn'],
            ['key', `sm_wrong_${i}wrongwrongwrong`],
          ])
        ).status,
      );
    expect(statuses.slice(0, 10).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(10)).toEqual([429, 429]);
  });
});

test('the plugins are listed, and a full key makes a key for one without the page', async () => {
  expect((await api.ask('GET', '/v3/auth/plugins')).body).toMatchObject({
    plugins: expect.arrayContaining(['cursor']),
  });
  const { status, body } = await api.ask<{ key: string }>(
    'GET',
    `/v3/auth/key?client=cursor&callback=${encodeURIComponent(CALLBACK)}`,
  );
  expect(status).toBe(200);
  expect(await session(api, body.key)).toMatchObject({ user: { name: 'cursor' }, accessType: 'full' });
});
