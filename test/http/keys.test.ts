// Tests of keys over HTTP: headers, tags, rates and refusals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentKey } from '../../tools/keys/create-agent.ts';
import { createScopedKey } from '../../tools/keys/create-scoped.ts';
import { disableKey } from '../../tools/keys/disable.ts';
import { listKeys } from '../../tools/keys/list.ts';
import { toggleKey } from '../../tools/keys/toggle.ts';
import { getSession } from '../../tools/session/get.ts';
import { verifies } from '../spec/verifies.ts';
import { type Api, errorOf, startApi } from '../support/api.ts';
import { notes } from '../support/notes.ts';
import { untilPast } from '../support/until.ts';

const keyOperations = [createAgentKey, createScopedKey, disableKey, listKeys, toggleKey, getSession];
let api: Api;
beforeAll(async () => {
  api = await startApi({ operations: [...notes, ...keyOperations] });
});
afterAll(() => api.close(0));

const as = (key: string | null, path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
  fetch(api.url + path, {
    method,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

interface Made {
  id: string;
  key: string;
}

const scoped = async (request: object): Promise<Made> =>
  (await (await as(api.key, '/v3/auth/scoped-key', request)).json()) as Made;

describe('without a valid key', () => {
  verifies('auth:key:missing', 'a request gets 401 and an explanation when it has no key', async () => {
    const answer = await as(null, '/v3/notes/1');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await errorOf(answer)).error).toMatch(/"Authorization: Bearer <key>" or as "x-api-key: <key>"/);
  });

  verifies('auth:key:invalid', 'a request with an invalid key gets 401', async () => {
    for (const key of ['x', 'sm_aaaaaaaaaaaaaaaaaaaaaaaaaaa', `${api.key}x`]) {
      expect((await as(key, '/v3/notes/1')).status).toBe(401);
    }
  });

  verifies('keys:scoped:disable', 'a key that was disabled gets 401 at once', async () => {
    const { id, key } = await scoped({ containerTag: 'a' });
    expect((await as(key, '/v3/session')).status).toBe(200);
    const disabled = await as(api.key, `/v3/auth/scoped-key/${id}`, undefined, 'DELETE');
    expect(await disabled.json()).toMatchObject({ success: true });
    expect((await as(key, '/v3/session')).status).toBe(401);
  });
});

describe('the address of a client', () => {
  const guess = ({ url }: Api, address: string) =>
    fetch(`${url}/v3/session`, {
      headers: { 'x-api-key': 'wrong', 'x-forwarded-for': `1.1.1.1, ${address}` },
    });
  const sixtyGuesses = async (server: Api) => {
    for (let call = 0; call < 60; call++) expect((await guess(server, '203.0.113.7')).status).toBe(401);
  };

  test('is the one that a trusted proxy names, by which wrong keys are counted', async () => {
    await using server = await startApi({ operations: keyOperations, trustedProxies: ['loopback'] });
    await sixtyGuesses(server);
    const refused = await guess(server, '203.0.113.7');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await guess(server, '203.0.113.8')).status).toBe(401);
  });

  verifies('proxy:forwarded:trusted', 'is the one of the connection when no proxy is trusted', async () => {
    await using server = await startApi({ operations: keyOperations });
    await sixtyGuesses(server);
    expect((await guess(server, '203.0.113.8')).status).toBe(429);
  });
});

describe('the header of a key', () => {
  verifies('auth:header:x-api-key', 'may be x-api-key in place of Authorization', async () => {
    const answer = await fetch(`${api.url}/v3/session`, { headers: { 'x-api-key': api.key } });
    expect(answer.status).toBe(200);
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('may spell the scheme as %s', async (scheme) => {
    const answer = await fetch(`${api.url}/v3/session`, {
      headers: { authorization: `${scheme} ${api.key}` },
    });
    expect(answer.status).toBe(200);
  });

  test('may be x-api-key beside the Authorization header of a proxy with another scheme', async () => {
    const headers = { authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': api.key };
    expect((await fetch(`${api.url}/v3/session`, { headers })).status).toBe(200);
  });

  verifies(
    'auth:header:informational',
    'may come with the other headers of the published client',
    async () => {
      const headers = {
        'x-api-key': api.key,
        'user-agent': 'Supermemory/JS 4.25.4',
        'x-stainless-retry-count': '2',
        'x-sm-source': 'x',
      };
      expect((await fetch(`${api.url}/v3/session`, { headers })).status).toBe(200);
    },
  );
});

describe('a key that is bound to tags', () => {
  const tags = ['a/b c@d', '日本語'];

  test('sees its own tags when it names none', async () => {
    const { key } = await scoped({ containerTags: tags });
    const answer = await as(key, '/v3/notes', { text: 'x' });
    expect(await answer.json()).toMatchObject({ scope: { reads: tags, holds: tags } });
  });

  test('is refused a foreign tag with 403 that names its own', async () => {
    const { key } = await scoped({ containerTags: tags });
    const answer = await as(key, '/v3/notes', { text: 'x', tags: ['日本語', 'other'] });
    expect(answer.status).toBe(403);
    expect((await errorOf(answer)).error).toBe(
      'This key may not use the container tag "other". It may use: "a/b c@d", "日本語".',
    );
  });

  verifies(
    'auth:order:input-before-scope',
    'gets 400 for an invalid body though its tag is foreign',
    async () => {
      const { key } = await scoped({ containerTag: 'a' });
      expect((await as(key, '/v3/notes', { text: '', tags: ['other'] })).status).toBe(400);
    },
  );

  verifies('keys:scoped:cannot-mint', 'gets 403 when it creates, lists or disables keys', async () => {
    const { key, id } = await scoped({ containerTag: 'a' });
    const calls = [
      as(key, '/v3/auth/scoped-key', { containerTag: 'a' }),
      as(key, '/v3/auth/agent-key', { name: 'x', permission: 'write' }),
      as(key, '/v3/auth/keys'),
      as(key, `/v3/auth/scoped-key/${id}`, undefined, 'DELETE'),
      as(key, `/v3/auth/keys/${id}/toggle`, {}, 'PUT'),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(403);
  });
});

verifies('keys:agent:read-only', 'a read-only key gets 403 when it writes', async () => {
  const answer = await as(api.key, '/v3/auth/agent-key', { name: 'reader', permission: 'read' });
  const { key } = (await answer.json()) as Made;
  expect((await as(key, '/v3/notes/1')).status).toBe(200);
  expect((await as(key, '/v3/notes', { text: 'x' })).status).toBe(403);
});

describe('a key that calls too often', () => {
  verifies(
    ['rate:exceeded:429', 'rate:exceeded:retry-after', 'rate:exceeded:then-success'],
    'gets 429 with a short Retry-After, and succeeds once it has waited',
    async () => {
      const { key } = await scoped({ containerTag: 'a', rateLimitMax: 2, rateLimitTimeWindow: 300 });
      const statuses = [];
      for (let call = 0; call < 2; call++) statuses.push((await as(key, '/v3/session')).status);
      const refused = await as(key, '/v3/session');
      expect([...statuses, refused.status]).toEqual([200, 200, 429]);
      expect(refused.headers.get('retry-after')).toBe('1');
      const wait = Number(refused.headers.get('retry-after-ms'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(300);
      await untilPast(Date.now() + wait);
      expect((await as(key, '/v3/session')).status).toBe(200);
    },
  );

  verifies('rate:per-key:own', 'slows down no other key', async () => {
    const one = await scoped({ containerTag: 'a', rateLimitMax: 1 });
    const other = await scoped({ containerTag: 'a', rateLimitMax: 1 });
    await as(one.key, '/v3/session');
    expect((await as(one.key, '/v3/session')).status).toBe(429);
    expect((await as(other.key, '/v3/session')).status).toBe(200);
  });

  verifies('auth:order:rate-before-input', 'gets 429 even for an invalid body', async () => {
    const { key } = await scoped({ containerTag: 'a', rateLimitMax: 1 });
    await as(key, '/v3/session');
    const answer = await as(key, '/v3/notes', { text: '' });
    expect(answer.status).toBe(429);
    expect((await errorOf(answer)).error).toMatch(
      /^This key may make 1 request per 60 seconds\. Try again in /,
    );
  });
});

test('no key and no part of one reaches the log', async () => {
  const { key } = await scoped({ containerTag: 'a' });
  await as(key, '/v3/session');
  for (const secret of [key, api.key]) expect(api.logged()).not.toContain(secret.split('_')[2]);
});
