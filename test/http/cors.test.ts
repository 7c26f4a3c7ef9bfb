// Tests of calls from web pages of other origins.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Api, startApi } from '../support/api.ts';
import { notes } from '../support/notes.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ operations: notes });
});
afterAll(() => api.close(0));

const from = (path: string, init: RequestInit = {}) =>
  fetch(api.url + path, {
    ...init,
    headers: { origin: 'https://app.example', ...init.headers },
    redirect: 'manual',
  });

verifies('cors:origins:all', 'a page of any origin may read the answer', async () => {
  const answer = await from('/v3/notes/1', { headers: { 'x-api-key': api.key } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

verifies('cors:errors:too', 'a page may read every error', async () => {
  const cases: [string, RequestInit, number][] = [
    ['/v3/notes/1', {}, 401],
    ['/v3/nothing', {}, 404],
    ['/v3/notes/1', { method: 'PUT' }, 405],
    ['/v3/notes', { method: 'POST', body: '{', headers: { 'x-api-key': api.key } }, 400],
    ['/v3/notes/broken', { headers: { 'x-api-key': api.key } }, 500],
    ['/v3/memories/1', {}, 308],
  ];
  for (const [path, init, status] of cases) {
    const answer = await from(path, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  }
});

verifies('cors:exposed:headers', 'clients can read the exposed headers, also on errors', async () => {
  for (const headers of [{}, { 'x-api-key': api.key }]) {
    const exposed =
      (await from('/v3/notes/1', { headers })).headers.get('access-control-expose-headers') ?? '';
    const names = exposed.toLowerCase().split(', ');
    for (const name of ['retry-after', 'retry-after-ms', 'x-should-retry', 'x-request-id'])
      expect(names).toContain(name);
  }
});

verifies(
  'cors:preflight:answered',
  'a preflight is answered without a key, whatever it requests',
  async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await from('/v3/notes/1', {
        method: 'OPTIONS',
        headers: {
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, x-stainless-lang',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-lang');
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      expect(answer.headers.get('vary')).toBe('Access-Control-Request-Headers');
    }
  },
);

test('a preflight that names no headers gets the list of those that clients send', async () => {
  const answer = await from('/v3/notes', { method: 'OPTIONS' });
  expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-api-key');
});

verifies('proxy:forwarded:no-page', 'no page may send the headers of a proxy', async () => {
  const headers = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization, X-Forwarded-For,x-forwarded-proto,forwarded,x-other',
  };
  const answer = await from('/v3/notes/1', { method: 'OPTIONS', headers });
  expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,x-other');
});

test('a public page may ask whether it may call a server on the same machine', async () => {
  const headers = {
    'access-control-request-method': 'POST',
    'access-control-request-private-network': 'true',
  };
  const answer = await from('/v3/notes', { method: 'OPTIONS', headers });
  expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
});
