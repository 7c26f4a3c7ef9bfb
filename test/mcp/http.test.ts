// Tests of the tools over HTTP.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { openAgent } from './support/agents.ts';

const BASE = 'https://memory.example.org';

let memoir: OwnMemoir;
beforeAll(async () => {
  memoir = await startMemoir({ MEMOIR_BASE_URL: BASE });
});
afterAll(() => memoir.close());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** Uses plain HTTP, because fetch does not let the caller set the host header. */
const post = (headers: Record<string, string>, body: unknown = list, method = 'POST'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const sent = { 'content-type': 'application/json', accept, ...headers };
    const asked = request(`${memoir.url}/mcp`, { method, headers: sent }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => {
        text += part.toString();
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
      );
    });
    asked.on('error', reject);
    asked.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

verifies('mcp:key:challenge', 'a call without a valid key gets the address for signing in', async () => {
  const metadata = `resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp"`;
  const without = await post({});
  expect(without).toMatchObject({ status: 401, headers: { 'www-authenticate': `Bearer ${metadata}` } });
  expect(JSON.parse(without.body)).toHaveProperty('error');
  const wrong = await post(bearer('sm_this_is_no_key_at_all'));
  expect(wrong.headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${metadata}`);
});

verifies('mcp:host:guard', 'other hosts are refused, any origin may call, and no cookie is set', async () => {
  const key = bearer(memoir.key);
  for (const host of ['evil.example', 'evil.example:6767', '127.0.0.1.evil.example'])
    expect(await post({ ...key, host }), host).toMatchObject({ status: 403 });
  expect((await post({ host: 'evil.example' })).status).toBe(403);
  for (const host of ['memory.example.org', 'localhost:6767', '[::1]:6767'])
    expect(await post({ ...key, host }), host).toMatchObject({ status: 200 });
  const page = await post({ ...key, origin: 'https://page.example' });
  expect(page).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
  expect(page.headers['set-cookie']).toBeUndefined();
  const asked = {
    origin: 'https://page.example',
    'access-control-request-headers': 'authorization,mcp-method',
  };
  const preflight = await post(asked, undefined, 'OPTIONS');
  expect(preflight).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-headers': 'authorization,mcp-method' },
  });
});

test('clients that accept anything, or one of the two kinds, are answered', async () => {
  for (const accept of ['*/*', 'application/json', 'text/event-stream'])
    expect(await post({ ...bearer(memoir.key), accept }), accept).toMatchObject({ status: 200 });
});

test('a message of more than 4 MiB is refused, one of 3 MiB is taken', async () => {
  const add = (size: number) => ({
    ...list,
    method: 'tools/call',
    params: {
      name: 'add',
      arguments: { content: 'All work and no play. '.repeat(size / 22), customId: 'large' },
    },
  });
  expect((await post(bearer(memoir.key), add(5 * 1024 * 1024))).status).toBe(413);
  const taken = await post(bearer(memoir.key), add(3 * 1024 * 1024));
  expect(taken.body).toContain('queued');
  await memoir.ask('DELETE', '/v3/documents/large');
});

test('an unknown tool and an invalid message are errors of the protocol', async () => {
  const unknown = await post(bearer(memoir.key), { ...list, method: 'tools/call', params: { name: 'drop' } });
  expect(unknown.body).toContain('-32602');
  expect((await post(bearer(memoir.key), { hello: 'world' })).status).toBe(400);
});

verifies(
  'mcp:session:none',
  'each request is answered on its own, and a client goes on after a restart',
  async () => {
    expect((await post(bearer(memoir.key))).headers['mcp-session-id']).toBeUndefined();
    const before = memoir.url;
    const agents = await Promise.all(
      (['2025', '2026'] as const).map((of) => openAgent(of, { url: before, key: memoir.key })),
    );
    await memoir.restart({ PORT: new URL(before).port });
    for (const agent of agents) {
      expect((await agent.call('search', { query: 'anything' })).isError).toBe(false);
      await agent.close();
    }
  },
);

verifies('mcp:tag:default', 'content goes to the tag of the key when no tag is named', async () => {
  const tagsOf = async (key: string): Promise<unknown> => {
    const agent = await openAgent('2025', { url: memoir.url, key });
    const { data } = await agent.call('add', { content: `A note by ${key.slice(-6)}.`, wait: 20 });
    await agent.close();
    return (await memoir.ask('GET', `/v3/documents/${String(data.id)}`)).body.containerTags;
  };
  expect(await tagsOf(memoir.key)).toEqual(['sm_project_default']);
  expect(await tagsOf(await memoir.scopedKey(['only']))).toEqual(['only']);
  expect(await tagsOf(await memoir.scopedKey(['first', 'second']))).toEqual(['first']);
});

verifies(
  'mcp:load:many',
  'five hundred searches, twenty at a time, cause no error',
  async () => {
    await memoir.add({ content: 'Ada prefers tea, and meetings before noon.' });
    const agent = await openAgent('2026', { url: memoir.url, key: memoir.key });
    const wrong: string[] = [];
    const worker = async (): Promise<void> => {
      for (let call = 0; call < 25; call++) {
        const { isError, text } = await agent.call('search', { query: 'What does Ada drink?' });
        if (isError || !text.includes('tea')) wrong.push(text);
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    expect(wrong).toEqual([]);
    await agent.close();
  },
  { timeoutMs: 60_000 },
);
