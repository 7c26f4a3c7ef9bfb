// Tests of tokens, programs and grants.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { choice, connect, jsonOf, postForm, REDIRECT, refresh, register } from '../../support/oauth.ts';

let memoir: OwnMemoir;
let clientId: string;
let web: ReturnType<typeof createServer>;

const KNOWN = { clientId: 'known-beforehand', name: 'Known program', redirectUris: [REDIRECT] };
const DOCUMENT = 'https://host.example/client.json';

beforeAll(async () => {
  web = createServer((_req, res) => {
    res.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        client_id: DOCUMENT,
        client_name: 'Described host',
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      }),
    );
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  memoir = await startMemoir(
    { MEMOIR_OAUTH_CLIENTS: JSON.stringify([KNOWN]) },
    { standIns: { 'https://host.example': origin } },
  );
  clientId = (await jsonOf(await register(memoir))).client_id ?? '';
});

afterAll(async () => {
  await memoir.close();
  web.close();
});

const session = (key: string) => memoir.ask('GET', '/v3/session', undefined, { key });

describe('tokens', () => {
  test('are issued to a program that is known beforehand and never registered', async () => {
    const asked = await connect(memoir, KNOWN.clientId);
    const { access_token: key = '' } = await asked.tokens(memoir.key, choice('read', ['ada']));
    expect((await session(key)).status).toBe(200);
  });

  test('are issued once for a code, and a second use revokes them', async () => {
    const asked = await connect(memoir, clientId);
    const code = (await asked.allow(memoir.key, choice('read', ['ada']))).searchParams.get('code') ?? '';
    const { access_token: key = '' } = await jsonOf(await asked.exchange(code));
    expect((await session(key)).status).toBe(200);
    const again = await asked.exchange(code);
    expect([again.status, (await jsonOf(again)).error]).toEqual([400, 'invalid_grant']);
    expect((await session(key)).status).toBe(401);
  });

  test('are issued at most once for two exchanges of one code at the same time', async () => {
    const asked = await connect(memoir, clientId);
    const code = (await asked.allow(memoir.key, choice('read', ['ada']))).searchParams.get('code') ?? '';
    const answers = await Promise.all([1, 2, 3].map(() => asked.exchange(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test('are refused for a code without its verifier', async () => {
    const asked = await connect(memoir, clientId);
    const code = (await asked.allow(memoir.key, choice('read', ['ada']))).searchParams.get('code') ?? '';
    expect((await asked.exchange(code, { code_verifier: 'x'.repeat(43) })).status).toBe(400);
  });

  verifies(
    'auth:oauth:refresh-once',
    'can be refreshed once, and a second use of a refresh token ends the whole family',
    async () => {
      const first = await (await connect(memoir, clientId)).tokens(memoir.key, choice('read', ['ada']));
      const second = await jsonOf(await refresh(memoir, clientId, first.refresh_token));
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect((await session(second.access_token ?? '')).status).toBe(200);
      const reused = await refresh(memoir, clientId, first.refresh_token);
      expect([reused.status, (await jsonOf(reused)).error]).toEqual([400, 'invalid_grant']);
      expect((await session(second.access_token ?? '')).status).toBe(401);
      expect((await refresh(memoir, clientId, second.refresh_token ?? '')).status).toBe(400);
    },
  );

  test('end with the grant when one of them is revoked', async () => {
    const { access_token: key, refresh_token: token } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('read', ['ada']),
    );
    expect((await session(key)).status).toBe(200);
    const revoked = await postForm(`${memoir.url}/oauth/revoke`, { client_id: clientId, token });
    expect(revoked.status).toBe(200);
    expect((await session(key)).status).toBe(401);
  });

  test('cannot be revoked by another program', async () => {
    const { access_token: key, refresh_token: token } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('read', ['ada']),
    );
    const { client_id: other = '' } = await jsonOf(await register(memoir));
    await postForm(`${memoir.url}/oauth/revoke`, { client_id: other, token });
    expect((await session(key)).status).toBe(200);
  });

  test('are not in the data folder, and neither are keys', async () => {
    const { access_token: key, refresh_token: token } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('read', ['ada']),
    );
    const { readFileSync, readdirSync } = await import('node:fs');
    const files = readdirSync(memoir.dir).filter((name) => name.startsWith('memoir.db'));
    for (const name of files) {
      const bytes = readFileSync(`${memoir.dir}/${name}`);
      expect([name, bytes.includes(key), bytes.includes(token)]).toEqual([name, false, false]);
    }
  });
});

describe('a program', () => {
  test('needs no registration when it describes itself at an address, and may listen on any port of the machine', async () => {
    const asked = await connect(memoir, DOCUMENT, { redirect_uri: 'http://127.0.0.1:61999/callback' });
    const page = await asked.page();
    expect(page.html).toContain('Described host');
    expect(page.html).toContain(DOCUMENT);
    const { access_token: key } = await asked.tokens(memoir.key, choice('read', ['ada']));
    expect((await session(key)).status).toBe(200);
  });

  verifies(
    'auth:oauth:foreign-scopes',
    'connects whatever else it says of itself, and gets the scopes of Memoir alone',
    async () => {
      const registered = await register(memoir, {
        scope: 'mcp:tools offline_access',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        contacts: ['nobody'],
        client_uri: '',
        logo_uri: null,
      });
      expect(registered.status).toBe(201);
      const { client_id: id = '' } = await jsonOf(registered);
      for (const [scope, granted] of [
        ['mcp:tools', 'memory:read memory:write'],
        ['openid profile', 'memory:read memory:write'],
        ['memory:read memory:write openid offline_access', 'memory:read memory:write'],
        ['memory:read openid', 'memory:read'],
      ] as const) {
        const asked = await connect(memoir, id, { scope });
        const permission = granted === 'memory:read' ? 'read' : 'write';
        expect((await asked.tokens(memoir.key, choice(permission, ['ada']))).scope, scope).toBe(granted);
      }
    },
  );

  test('whose registration is gone is told how to register again', async () => {
    const { started } = await connect(memoir, 'registered-elsewhere');
    expect(started.status).toBe(400);
    const page = await started.text();
    expect(page).toContain('This Memoir does not know the program');
    expect(page).toContain('remove this server in the program and add it again');
  });

  test('that may only read is told how it may write', async () => {
    const asked = await connect(memoir, clientId);
    const { access_token: key } = await asked.tokens(memoir.key, choice('read', ['ada']));
    const refused = await memoir.ask('POST', '/v3/documents', { content: 'x', containerTag: 'ada' }, { key });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('Connect it again') },
    });
  });

  test('gets no answer at a redirect that was not registered', async () => {
    const { started } = await connect(memoir, clientId, { redirect_uri: 'https://evil.example/callback' });
    expect([started.status, started.headers.get('location')]).toEqual([400, null]);
    expect(started.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('is refused for a resource that is not this server', async () => {
    const { started } = await connect(memoir, clientId, { resource: 'https://other.example/mcp' });
    expect(new URL(started.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target');
  });

  test('cannot connect without PKCE, nor with the plain method', async () => {
    for (const more of [{ code_challenge: '' }, { code_challenge_method: 'plain' }]) {
      const { started } = await connect(memoir, clientId, more);
      expect(new URL(started.headers.get('location') ?? '').searchParams.get('error')).toBe(
        'invalid_request',
      );
    }
  });

  test('inside the network is never asked for its description', async () => {
    const { started } = await connect(memoir, 'https://127.0.0.1/client.json');
    expect([started.status, started.headers.get('location')]).toEqual([400, null]);
  });
});

describe('the grants', () => {
  verifies('auth:oauth:grants', 'are listed with their programs, and end when they are revoked', async () => {
    const { access_token: key } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('write', ['eve'], '30'),
    );
    await session(key);
    const { body } = await memoir.ask<{ grants: { id: string; containerTags: string[] }[] }>(
      'GET',
      '/v3/oauth/grants',
    );
    const grant = body.grants.find(({ containerTags }) => containerTags?.includes('eve'));
    expect(grant).toMatchObject({
      client: { id: clientId, name: 'Test host', redirectHost: '127.0.0.1:51234' },
      permission: 'write',
      containerTags: ['eve'],
      lastUsedAt: expect.any(String),
    });
    const revoke = () => memoir.ask('DELETE', `/v3/oauth/grants/${grant?.id}`);
    expect((await revoke()).body).toEqual({ id: grant?.id, revoked: true });
    expect((await session(key)).status).toBe(401);
    expect((await revoke()).status).toBe(404);
  });

  test('survive a restart, as tokens do', async () => {
    const { access_token: key } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('read', ['ada']),
    );
    await memoir.restart();
    expect((await session(key)).status).toBe(200);
  });
});
