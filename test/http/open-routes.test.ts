// Tests of the routes that need no key.
import { describe, expect, test } from 'vitest';
import type { Health } from '../../server/core/health.ts';
import { verifies } from '../spec/verifies.ts';
import { errorOf, healthy, startApi } from '../support/api.ts';
import { notes } from '../support/notes.ts';

const notReady = async (): Promise<Health> => ({
  ready: false,
  version: '1.2.3',
  parts: { store: { status: 'ok' }, vectors: { status: 'starting', detail: 'Chroma is starting.' } },
});

describe('GET /health', () => {
  verifies(
    'health:parts:state',
    'answers 200 with each part once the server is ready, and 503 before that and during a stop',
    async () => {
      await using ready = await startApi();
      const good = await ready.call('/health');
      expect(good.status).toBe(200);
      expect(await good.json()).toEqual({ status: 'ok', ...(await healthy()) });

      await using starting = await startApi({ health: notReady });
      const bad = await starting.call('/health');
      expect(bad.status).toBe(503);
      expect(await bad.json()).toEqual({ status: 'unavailable', ...(await notReady()) });
    },
  );

  verifies(
    'health:parts:key',
    'tells status and version alone without a key, and to a key that is bound to tags',
    async () => {
      await using api = await startApi();
      const scoped = await api.access.createScopedKey({ tags: ['a'] });
      for (const headers of [{}, { authorization: `Bearer ${scoped.key}` }]) {
        const answer = await fetch(`${api.url}/health`, { headers });
        expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', version: '1.2.3' }]);
      }
      const wrong = await fetch(`${api.url}/health`, { headers: { 'x-api-key': 'sm_wrong' } });
      expect(wrong.status).toBe(401);

      await using starting = await startApi({ health: notReady });
      const bad = await fetch(`${starting.url}/health`);
      expect([bad.status, await bad.json()]).toEqual([503, { status: 'unavailable', version: '1.2.3' }]);
    },
  );

  test('stays 200 when a part that the server can work without is missing', async () => {
    const health = async (): Promise<Health> => ({ ...(await notReady()), ready: true });
    await using api = await startApi({ health });
    const answer = await fetch(`${api.url}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'degraded' });
  });

  test('answers 500 without the cause when the check itself fails', async () => {
    await using api = await startApi({ health: () => Promise.reject(new Error('secret')) });
    const answer = await fetch(`${api.url}/health`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
  });
});

describe('GET /', () => {
  test('names the product and its links, with any key and with none', async () => {
    await using api = await startApi();
    const answer = await fetch(api.url, { headers: { authorization: 'Bearer local' } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      name: 'Memoir',
      version: '1.2.3',
      docs: '/v3/openapi',
      health: '/health',
    });
  });

  test('gives public links when the public address is known', async () => {
    await using api = await startApi({ baseUrl: 'https://memory.example/api/' });
    expect(await (await fetch(api.url)).json()).toMatchObject({
      docs: 'https://memory.example/api/v3/openapi',
    });
  });
});

verifies('auth:open:routes', 'health, descriptions and preflights answer without a key', async () => {
  await using api = await startApi({ operations: notes });
  for (const path of ['/health', '/v3/openapi', '/v4/openapi'])
    expect((await fetch(api.url + path)).status).toBe(200);
  expect((await fetch(`${api.url}/v3/notes`, { method: 'OPTIONS' })).status).toBe(204);
  expect((await fetch(`${api.url}/v3/notes/1`)).status).toBe(401);
});

describe('a path of earlier clients', () => {
  verifies(
    'versions:legacy:redirect',
    'below /v3/memories leads to the matching path of /v3/documents',
    async () => {
      await using api = await startApi({ operations: notes });
      const cases = [
        ['/v3/memories', '/v3/documents'],
        ['/v3/memories?page=2&x=%2F', '/v3/documents?page=2&x=%2F'],
        ['/v3/memories/a%2Fb%20c:d/chunks?x=1', '/v3/documents/a%2Fb%20c:d/chunks?x=1'],
      ];
      for (const [path, location] of cases) {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
          const answer = await fetch(api.url + path, { method, redirect: 'manual' });
          expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
        }
      }
    },
  );

  test('does not begin in the middle of a word', async () => {
    await using api = await startApi();
    const answer = await api.call('/v3/memoriesx');
    expect(answer.status).toBe(404);
    expect((await errorOf(answer)).error).toContain('/v3/memoriesx');
  });

  test('leads below the public address when that has a path of its own', async () => {
    await using api = await startApi({ baseUrl: 'https://memory.example/api' });
    const answer = await api.call('/v3/memories/1', { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/api/v3/documents/1');
  });
});
