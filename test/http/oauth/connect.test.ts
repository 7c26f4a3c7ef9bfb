// Tests of the connect page and of the access tokens that it leads to.
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../spec/verifies.ts';
import { choice, connect, jsonOf, REDIRECT, register } from '../../support/oauth.ts';
import { useServer } from '../../support/use-server.ts';

const memoir = useServer();
let clientId: string;

beforeAll(async () => {
  clientId = (await jsonOf(await register(memoir))).client_id ?? '';
});

const session = (key: string) => memoir.ask('GET', '/v3/session', undefined, { key });

describe('discovery', () => {
  verifies(
    'auth:open:later-routes',
    'both paths of the resource metadata name the resource, its server and its scopes',
    async () => {
      for (const [path, resource] of [
        ['/mcp', `${memoir.url}/mcp`],
        ['', memoir.url],
      ]) {
        const { body } = await memoir.ask('GET', `/.well-known/oauth-protected-resource${path}`, undefined, {
          key: null,
        });
        expect(body).toMatchObject({
          resource,
          authorization_servers: [memoir.url],
          scopes_supported: ['memory:read', 'memory:write'],
        });
      }
    },
  );

  test('the server metadata names its endpoints, S256 alone, and client id metadata documents', async () => {
    const { status, body } = await memoir.ask('GET', '/.well-known/oauth-authorization-server', undefined, {
      key: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      issuer: memoir.url,
      authorization_endpoint: `${memoir.url}/oauth/authorize`,
      token_endpoint: `${memoir.url}/oauth/token`,
      registration_endpoint: `${memoir.url}/oauth/register`,
      revocation_endpoint: `${memoir.url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(body.token_endpoint_auth_methods_supported).toContain('none');
  });

  test('the metadata are refused for a host name that is not this server', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const url = new URL(`${memoir.url}/.well-known/oauth-protected-resource`);
      request(url, { headers: { host: 'evil.example' } }, (res) => resolve(res.resume().statusCode)).end();
    });
    expect(status).toBe(403);
  });
});

describe('the connect page', () => {
  test('shows the name of the program, cannot be framed, and submits its form to no other place', async () => {
    const { client_id: id = '' } = await jsonOf(
      await register(memoir, { client_name: '<script>x</script>' }),
    );
    const page = await (await connect(memoir, id)).page();
    expect(page.status).toBe(200);
    expect(page.html).toContain('&lt;script&gt;x&lt;/script&gt;');
    expect(page.html).not.toContain('<script');
    expect(page.html).toContain('127.0.0.1:51234');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:51234;");
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('reports a wrong key, and opens nothing', async () => {
    const page = await (await connect(memoir, clientId)).signIn('sm_wrong_wrongwrongwrong');
    expect([page.status, page.ticket]).toEqual([401, '']);
    expect(page.problem).toContain('This API key cannot be used');
  });

  test('grants nothing when nothing is chosen', async () => {
    const asked = await connect(memoir, clientId);
    const { ticket } = await asked.signIn(memoir.key);
    const page = await asked.answer([['do', 'allow'], ['ticket', ticket], ...choice('read', [])]);
    expect([page.status, page.problem]).toEqual([
      400,
      'This choice is not valid: choose at least one container tag, or everything',
    ]);
  });

  test('asks for the key again when the ticket is forged or foreign', async () => {
    const { ticket } = await (await connect(memoir, clientId)).signIn(memoir.key);
    const other = await connect(memoir, clientId);
    for (const given of [ticket, 'x.9999999999999.x', '']) {
      const page = await other.answer([
        ['do', 'allow'],
        ['ticket', given],
        ...choice('read', ['connect-ada']),
      ]);
      expect([page.status, page.html.includes('name="key"')]).toEqual([401, true]);
    }
  });

  test('reports a refusal to the program', async () => {
    const heard = await (await connect(memoir, clientId)).deny();
    expect(heard.origin + heard.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(heard.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'mine',
      iss: memoir.url,
    });
  });

  test('rejects an answer from another browser', async () => {
    const asked = await connect(memoir, clientId);
    const path = new URL(asked.started.headers.get('location') ?? '').pathname;
    const answer = await fetch(memoir.url + path);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('no such request open'),
    ]);
  });
});

describe('an access token', () => {
  verifies(
    ['auth:plugins:connect-page', 'auth:oauth:tokens'],
    'can only read, and only the one tag that was chosen',
    async () => {
      const { id } = await memoir.add({ content: 'Ada likes tea.', containerTag: 'connect-ada' });
      await memoir.add({ content: 'Bob likes coffee.', containerTag: 'connect-bob' });
      const { access_token: key, scope } = await (await connect(memoir, clientId)).tokens(
        memoir.key,
        choice('read', ['connect-ada']),
      );
      expect(scope).toBe('memory:read');
      expect((await session(key)).body).toMatchObject({
        accessType: 'restricted',
        containerTags: [{ containerTag: 'connect-ada', permission: 'read' }],
        user: { name: 'Test host' },
      });
      const read = (path: string) => memoir.ask('GET', path, undefined, { key });
      expect((await read(`/v3/documents/${id}`)).status).toBe(200);
      const search = (containerTag: string) =>
        memoir.ask<{ results?: unknown[] }>('POST', '/v4/search', { q: 'likes', containerTag }, { key });
      expect((await search('connect-ada')).status).toBe(200);
      expect((await search('connect-bob')).status).toBe(403);
      const write = await memoir.ask(
        'POST',
        '/v3/documents',
        { content: 'x', containerTag: 'connect-ada' },
        { key },
      );
      expect(write.status).toBe(403);
    },
  );

  test('gives access to the tools for agents', async () => {
    const { access_token: key } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('write', ['connect-ada']),
    );
    const answer = await memoir.ask(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      {
        key,
        headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      },
    );
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.stringContaining('search')]);
  });

  verifies(
    'auth:oauth:manages-nothing',
    'can manage nothing, even where everything was granted',
    async () => {
      const everything = [...choice('write', []), ['everything', 'yes'] as const];
      const { access_token: key } = await (await connect(memoir, clientId)).tokens(memoir.key, everything);
      expect((await session(key)).body).toMatchObject({ accessType: 'full' });
      for (const [method, path, body] of [
        ['POST', '/v3/auth/agent-key', { name: 'mine', permission: 'write' }],
        ['GET', '/v3/auth/keys'],
        ['GET', '/v3/oauth/grants'],
        ['PATCH', '/v3/settings', { chunkSize: 500 }],
      ] as const)
        expect([path, (await memoir.ask(method, path, body, { key })).status]).toEqual([path, 403]);
    },
  );

  verifies(
    'auth:oauth:no-more-than-key',
    'grants no more than the key that granted it, and ends with it',
    async () => {
      const { body } = await memoir.ask<Record<'id' | 'key', string>>('POST', '/v3/auth/scoped-key', {
        containerTag: 'connect-ada',
        permission: 'read',
      });
      const asked = await connect(memoir, clientId);
      const { ticket, html } = await asked.signIn(body.key);
      expect(html).toContain('value="connect-ada"');
      expect(html).not.toContain('value="write"');
      const foreign = await asked.answer([
        ['do', 'allow'],
        ['ticket', ticket],
        ...choice('read', ['connect-bob']),
      ]);
      expect([foreign.status, foreign.html]).toEqual([403, expect.stringContaining('may not use')]);
      const again = await asked.signIn(body.key);
      const written = await asked.answer([
        ['do', 'allow'],
        ['ticket', again.ticket],
        ...choice('write', ['connect-ada']),
      ]);
      expect(written.status).toBe(403);
      const { access_token: key } = await asked.tokens(body.key, choice('read', ['connect-ada']));
      expect((await session(key)).status).toBe(200);
      await memoir.ask('DELETE', `/v3/auth/scoped-key/${body.id}`);
      expect((await session(key)).status).toBe(401);
    },
  );

  test('cannot be entered on the page in the place of a key', async () => {
    const { access_token: token } = await (await connect(memoir, clientId)).tokens(
      memoir.key,
      choice('read', ['connect-ada']),
    );
    expect((await (await connect(memoir, clientId)).signIn(token)).status).toBe(401);
  });
});
