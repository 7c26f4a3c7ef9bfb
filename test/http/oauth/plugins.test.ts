// Tests of the connect page for plugins.

import { describe, expect, test } from 'vitest';
import { operations } from '../../../tools/registry.generated.ts';
import { agentKey, listedKeys, type MadeKey, statusWith } from '../../rest/support/keys.ts';
import { type Refusal, type Rest, useOwnMemoir } from '../../rest/support/use-memoir.ts';
import { verifies } from '../../spec/verifies.ts';
import { isManaging } from '../../support/managing.ts';

const api = useOwnMemoir();

/** Input comes before scope, so a refusal is told only to a valid call. */
const VALID: Readonly<Record<string, object>> = {
  'keys.createAgent': { name: 'mine', permission: 'write' },
  'keys.createScoped': { containerTag: 'ada' },
  'containerTags.merge': { containerTags: ['ada'], targetContainerTag: 'bob' },
  'settings.update': { workspacePrompt: 'Forget everything.' },
  'settings.reset': { confirmation: 'yes' },
  'connections.configure': { resources: [] },
  ...Object.fromEntries(
    ['create', 'getByTag', 'listDocuments', 'import', 'delete'].map((name) => [
      `connections.${name}`,
      { containerTags: ['ada'] },
    ]),
  ),
};

/** With a value for each parameter. */
const pathOf = (path: string): string => {
  const query = path === '/v3/auth/key' ? '?client=cursor' : '';
  return path.replace('{provider}', 'notion').replace(/\{\w+\}/g, 'none') + query;
};

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

const allowed = async (
  rest: Rest,
  url: string,
  choice: [string, string][],
  key = rest.memoir.key,
): Promise<URL> => {
  const { ticket } = await signedIn(url, key);
  const answer = await post(url, [['do', 'allow'], ['ticket', ticket], ['days', '30'], ...choice]);
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
};

const session = async (rest: Rest, key: string) =>
  (await rest.ask('GET', '/v3/session', undefined, { key })).body;

describe('the key of a plugin', () => {
  /** With everything and write, given by this key. */
  const pluginKey = async (key: string) => {
    const url = pageOf(api, { callback: CALLBACK, client: 'cursor' });
    const everything: [string, string][] = [
      ['permission', 'write'],
      ['everything', 'yes'],
    ];
    return (await allowed(api, url, everything, key)).searchParams.get('apikey') ?? '';
  };

  verifies(
    'keys:plugin:manages-nothing',
    'manages nothing though it has everything and write, and lets no other program in',
    async () => {
      const key = await pluginKey(api.memoir.key);
      const managing = operations.filter(isManaging);
      expect(managing.length).toBeGreaterThan(15);
      for (const { rest, name } of managing) {
        const body = rest.method === 'GET' ? undefined : (VALID[name] ?? {});
        const answer = await api.ask<Refusal>(rest.method, pathOf(rest.path), body, { key });
        expect([name, answer.status]).toEqual([name, 403]);
        expect(answer.body.error).toContain('The key of a plugin may not manage');
      }
      const other = pageOf(api, { callback: CALLBACK, client: 'codex' });
      const { html, ticket } = await signedIn(other, key);
      expect(html).toContain('This is the key of a plugin');
      expect(ticket).toBe('');
    },
  );

  verifies(
    'keys:plugin:preflight',
    'reads its session, its tags and the settings without secrets, and does its work',
    async () => {
      const secret = 'gho_very-secret-0123456789-wxyz';
      await api.ask('PATCH', '/v3/settings', { githubClientSecret: secret, githubCustomKeyEnabled: true });
      const url = pageOf(api, { callback: CALLBACK, client: 'opencode' });
      const bound =
        (
          await allowed(api, url, [
            ['permission', 'write'],
            ['tag', 'ada'],
          ])
        ).searchParams.get('apikey') ?? '';
      expect(JSON.stringify((await api.ask('GET', '/v3/settings')).body)).toContain('wxyz');
      for (const key of [await pluginKey(api.memoir.key), bound]) {
        expect(await session(api, key)).toMatchObject({ role: 'member', scope: { permission: 'write' } });
        const settings = await api.ask('GET', '/v3/settings', undefined, { key });
        expect([
          settings.status,
          settings.body.githubClientSecret,
          settings.body.githubCustomKeyEnabled,
        ]).toEqual([200, null, true]);
        expect((await api.ask('GET', '/v3/container-tags/list', undefined, { key })).status).toBe(200);
        expect(
          (await api.post({ content: 'A plugin adds this.', containerTag: 'ada' }, { key })).status,
        ).toBe(200);
        expect((await api.ask('POST', '/v4/profile', { containerTag: 'ada' }, { key })).status).toBe(200);
      }
    },
  );

  verifies(
    ['keys:made:end', 'keys:made:no-more', 'keys:made:listed'],
    'ends with the key that was pasted, which a key that it made could outlive before',
    async () => {
      const temporary = await agentKey(api, { name: 'temp-admin', expiresInDays: 1 });
      const shown = await signedIn(pageOf(api, { callback: CALLBACK, client: 'cursor' }), temporary.key);
      expect(shown.html).toContain(`or expires, on ${temporary.expiresAt?.slice(0, 10)} at the latest.`);
      const plugin = await pluginKey(temporary.key);
      const minted = await api.ask<MadeKey>(
        'POST',
        '/v3/auth/agent-key',
        { name: 'for ever', permission: 'write' },
        { key: temporary.key },
      );
      expect(minted.body).toMatchObject({
        expiresAt: temporary.expiresAt,
        note: expect.stringContaining('expires'),
      });
      const listed = await listedKeys(api);
      const expected = { madeBy: temporary.id, expiresAt: temporary.expiresAt };
      expect(listed.filter(({ madeBy }) => madeBy === temporary.id)).toEqual([
        expect.objectContaining({ ...expected, name: 'cursor' }),
        expect.objectContaining({ ...expected, name: 'for ever' }),
      ]);
      const statuses = () =>
        Promise.all([temporary.key, plugin, minted.body.key].map((key) => statusWith(api, key)));
      expect(await statuses()).toEqual([200, 200, 200]);
      const { body } = await api.ask('DELETE', `/v3/auth/scoped-key/${temporary.id}`);
      expect(body).toMatchObject({ success: true, note: 'What it made ended with it: 2 keys.' });
      expect(await statuses()).toEqual([401, 401, 401]);
    },
  );

  verifies('keys:made:one-rate', 'shares the rate of the key that was pasted', async () => {
    const slow = await agentKey(api, { name: 'slow', rateLimitMax: 4, rateLimitTimeWindow: 3_600_000 });
    const plugin = await pluginKey(slow.key);
    const statuses: number[] = [];
    for (const key of [plugin, slow.key, plugin, slow.key, plugin, slow.key])
      statuses.push(await statusWith(api, key));
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect(statuses[0]).toBe(200);
  });
});

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
