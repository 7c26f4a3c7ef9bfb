// Tests of the routes of operations: paths, queries and answers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readQuery } from '../../server/http/routes.ts';
import { verifies } from '../spec/verifies.ts';
import { type Api, errorOf, startApi } from '../support/api.ts';
import { notes, slowNote } from '../support/notes.ts';

const slow = slowNote();
let api: Api;
beforeAll(async () => {
  api = await startApi({ operations: [...notes, slow.operation] });
});
afterAll(() => api.close(0));

const post = (path: string, body: unknown) => api.call(path, { method: 'POST', body: JSON.stringify(body) });

describe('a route', () => {
  test('answers with the status of its operation, as JSON', async () => {
    const answer = await post('/v3/notes', { text: 'hello' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ text: 'hello', scope: { reads: null, holds: null } });
  });

  test('answers 204 without a body', async () => {
    const answer = await api.call('/v3/notes/a', { method: 'DELETE' });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('content-length')).toBeNull();
  });

  test.each(['a/b c:d', 'a/b c@d', '日本語', 'a%2Fb', '100%', '..%2f..', '?x=1#y', ' '])(
    'decodes the id %s once',
    async (id) => {
      const answer = await api.call(`/v3/notes/${encodeURIComponent(id)}`);
      expect(await answer.json()).toMatchObject({ id });
    },
  );

  verifies('encoding:path:decoded-once', 'finds an id that the published client has encoded', async () => {
    expect(await (await api.call('/v3/notes/a%2Fb%20c:d')).json()).toMatchObject({ id: 'a/b c:d' });
  });

  test('with a word in its path wins over one with a parameter there', async () => {
    const answer = await api.call('/v3/notes/bulk', { method: 'DELETE', body: '{"ids":["1"]}' });
    expect(await answer.json()).toEqual({ deleted: ['1'] });
  });

  test('prefers the value in the path to a field of the same name', async () => {
    expect(await (await api.call('/v3/notes/path?id=query')).json()).toMatchObject({ id: 'path' });
  });

  test('reads repeated fields of a query as a list', async () => {
    const one = await api.call(`/v3/notes/x?tags=${encodeURIComponent('a/b c@d')}`);
    expect(await one.json()).toMatchObject({ tags: ['a/b c@d'] });
    const two = await api.call('/v3/notes/x?tags=a&tags=%E6%97%A5%E6%9C%AC%E8%AA%9E&text=q+r');
    expect(await two.json()).toMatchObject({ tags: ['a', '日本語'], text: 'q r' });
  });

  test('answers HEAD as GET without the body', async () => {
    const answer = await api.call('/v3/notes/x', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(10);
    expect(await answer.text()).toBe('');
  });

  test('answers 400 for a path that is not properly encoded', async () => {
    const answer = await api.call('/v3/notes/%E0%A4%A');
    expect(answer.status).toBe(400);
    expect((await errorOf(answer)).error).toContain('percent-encoded');
  });

  test('reports to its operation that the caller went away', async () => {
    const leave = new AbortController();
    const call = api.call('/v3/notes/slow', { method: 'POST', signal: leave.signal });
    await slow.started;
    leave.abort();
    await expect(call).rejects.toThrow();
    expect(await slow.ended).toEqual({ aborted: true });
    expect(api.logged()).not.toContain('"level":50');
  });
});

describe('a query', () => {
  test('accepts lists by repetition and by brackets', () => {
    expect(readQuery('/x?a=1&b=2&b=3&c[]=4&d=')).toEqual({ a: '1', b: ['2', '3'], c: ['4'], d: '' });
    expect(readQuery('/x')).toEqual({});
  });

  test('may use any name without touching the properties of every object', () => {
    const read = readQuery('/x?__proto__=1&constructor=2');
    expect(Object.getPrototypeOf({ ...read })).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
