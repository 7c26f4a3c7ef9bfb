import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Api, errorOf, startApi } from '../support/api.ts';
import { notes } from '../support/notes.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ operations: notes });
});
afterAll(() => api.close(0));

const fail = (how: string) => api.call('/v3/notes/fail', { method: 'POST', body: JSON.stringify({ how }) });
const UUID = /^[0-9a-f-]{36}$/;

describe('a route that is not there', () => {
  verifies('errors:route:unknown', 'an unknown route gets 404', async () => {
    const answer = await api.call('/v3/nothing?x=1', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await errorOf(answer)).toEqual({
      error: 'There is no POST /v3/nothing here. The operations are listed at /v3/openapi.',
    });
  });

  verifies('errors:method:wrong', 'a wrong method gets 405 and hears which there are', async () => {
    const answer = await api.call('/v3/notes/7', { method: 'PATCH', body: '{}' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS');
    expect((await errorOf(answer)).error).toBe(
      'PATCH is not possible on /v3/notes/7. Use DELETE, GET, HEAD, OPTIONS.',
    );
  });

  test('is wrong for a word of the path too: it is never taken for an id', async () => {
    const answer = await api.call('/v3/notes/bulk');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('DELETE, OPTIONS');
  });

  test.each(['/', '/health', '/v3/openapi'])('%s takes GET alone', async (path) => {
    const answer = await api.call(path, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

verifies('errors:validation:names-all', 'every bad field is named in one answer', async () => {
  const answer = await api.call('/v3/notes', {
    method: 'POST',
    body: '{"tags":["a",7],"metadata":{"a":{"b":1},"c":"fine","d":[]}}',
  });
  expect(answer.status).toBe(400);
  expect(await errorOf(answer)).toEqual({
    error:
      'Invalid request: text: is required; tags[1]: expected string, received number; ' +
      'metadata.a: must be text or a number; metadata.d: must be text or a number',
  });
});

describe('an error of the caller', () => {
  verifies('errors:retry:not-advised', '409 and 501 advise against a retry', async () => {
    for (const [how, status] of [
      ['conflict', 409],
      ['notImplemented', 501],
    ] as const) {
      const answer = await fail(how);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(Object.keys(await errorOf(answer))).toEqual(['error']);
    }
  });

  verifies('errors:request-id:header', 'every answer carries the id of its request', async () => {
    const ids = await Promise.all(
      ['/v3/notes/1', '/v3/nothing', '/health', '/v3/memories'].map(async (path) => {
        const answer = await api.call(path, { redirect: 'manual' });
        return answer.headers.get('x-request-id') ?? '';
      }),
    );
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(4);
  });
});

describe('an error of ours', () => {
  verifies('errors:500:hides-cause', 'a 500 shows its request id and nothing of its cause', async () => {
    for (const how of ['bug', 'ours']) {
      const answer = await fail(how);
      const id = answer.headers.get('x-request-id');
      expect(answer.status).toBe(500);
      expect(await errorOf(answer)).toEqual({
        error: 'Something failed on the server. Its log names the cause under the request id.',
        details: `Request id: ${id}`,
      });
      expect(api.logged()).toContain(`"requestId":"${id}"`);
    }
    expect(api.logged()).toContain('secret cause');
  });

  test('is an answer outside the contract, and the log names the field but not its value', async () => {
    const answer = await api.call('/v3/notes/broken');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(api.logged()).toContain('notes.broken answered outside its contract: count: expected number');
    expect(api.logged()).not.toContain('secret value');
  });

  test('is said as it is when a part does not answer, without its cause', async () => {
    const answer = await fail('unavailable');
    expect(answer.status).toBe(503);
    expect(await errorOf(answer)).toEqual({ error: 'The index does not answer. Try again.' });
  });
});
