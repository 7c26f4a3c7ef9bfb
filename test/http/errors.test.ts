// Tests of the errors that the server answers.
import { connect } from 'node:net';
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

describe('an unknown route or method', () => {
  verifies('errors:route:unknown', 'gets 404 when the route is unknown', async () => {
    const answer = await api.call('/v3/nothing?x=1', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await errorOf(answer)).toEqual({
      error: 'The route POST /v3/nothing does not exist. All operations are listed at /v3/openapi.',
    });
  });

  verifies('errors:method:wrong', 'gets 405 with the allowed methods when the method is wrong', async () => {
    const answer = await api.call('/v3/notes/7', { method: 'PATCH', body: '{}' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS');
    expect((await errorOf(answer)).error).toBe(
      'The method PATCH is not allowed on /v3/notes/7. Use DELETE, GET, HEAD, OPTIONS.',
    );
  });

  test('gets 405 for a word of the path too, which is never taken for an id', async () => {
    const answer = await api.call('/v3/notes/bulk');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('DELETE, OPTIONS');
  });

  test.each(['/', '/health', '/v3/openapi'])('gets 405 at %s for every method but GET', async (path) => {
    const answer = await api.call(path, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

/** What a client hears that speaks HTTP by itself. */
const speak = (head: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(api.port, '127.0.0.1', () => socket.write(`${head}connection: close\r\n\r\n`));
    socket
      .on('data', (part) => (heard += part))
      .on('close', () => resolve(heard))
      .on('error', reject);
  });

describe('a request that no usual client sends gets a sentence', () => {
  test.each([
    [
      'a method that the tools for agents never see',
      'TRACE /mcp HTTP/1.1\r\nhost: localhost\r\n',
      [405, 'The method TRACE is not allowed on /mcp. Use POST, OPTIONS.'],
    ],
    [
      'an expectation that is unknown',
      'GET /health HTTP/1.1\r\nhost: localhost\r\nexpect: 200-maybe\r\n',
      [417, 'The header Expect is \\"200-maybe\\". Only 100-continue can be expected here.'],
    ],
    ['no host', 'GET /health HTTP/1.1\r\n', [400, 'The header Host is missing.']],
  ])('%s', async (_name, head, [status, sentence]) => {
    const answer = await speak(head);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`\r\n\r\n{"error":"${sentence}"}`);
  });
});

verifies('errors:validation:names-all', 'every invalid field is named in one answer', async () => {
  const answer = await api.call('/v3/notes', {
    method: 'POST',
    body: '{"tags":["a",7],"metadata":{"a":{"b":1},"c":"fine","d":[]}}',
  });
  expect(answer.status).toBe(400);
  expect(await errorOf(answer)).toEqual({
    error:
      'Invalid request: text: is required; tags[1]: must be text, not a number; ' +
      'metadata.a: must be text or a number; metadata.d: must be text or a number',
  });
});

describe('an error of the caller', () => {
  verifies('errors:retry:not-advised', 'advises against a retry with 409 and 501', async () => {
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

  verifies('errors:request-id:header', 'carries the id of its request, as every answer does', async () => {
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

describe('an internal error', () => {
  verifies(
    'errors:500:hides-cause',
    'shows the request id with a 500, and nothing of its cause',
    async () => {
      for (const how of ['bug', 'ours']) {
        const answer = await fail(how);
        const id = answer.headers.get('x-request-id');
        expect(answer.status).toBe(500);
        expect(await errorOf(answer)).toEqual({
          error: 'An internal error occurred. Look for the request id in the server log to find the cause.',
          details: `Request id: ${id}`,
        });
        expect(api.logged()).toContain(`"requestId":"${id}"`);
      }
      expect(api.logged()).toContain('secret cause');
    },
  );

  test('is an answer outside the contract, and the log names the field but not its value', async () => {
    const answer = await api.call('/v3/notes/broken');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(api.logged()).toContain(
      'notes.broken returned an answer that does not match its schema: count: must be a number',
    );
    expect(api.logged()).not.toContain('secret value');
  });

  test('is reported without its cause when a part of the server does not answer', async () => {
    const answer = await fail('unavailable');
    expect(answer.status).toBe(503);
    expect(await errorOf(answer)).toEqual({ error: 'The index does not answer. Try again.' });
  });
});
