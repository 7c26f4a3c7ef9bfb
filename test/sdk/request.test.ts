import { describe, expect, test } from 'vitest';
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  InternalServerError,
  type LogEvent,
  Memoir,
  MemoirError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from '../../sdk/src/index.generated.ts';
import { startScript } from './support/scripted.ts';
import { thrownBy } from './support/thrown-by.ts';

const SOON = { 'retry-after-ms': '1' };

describe('a request', () => {
  test('carries key, body, query and headers, where each belongs', async () => {
    await using script = await startScript({ body: { id: 'a', status: 'queued' } });
    const client = script.client({
      defaultHeaders: { 'x-app': 'notes', 'x-gone': 'no' },
      defaultQuery: { trace: 'on' },
    });
    await client.add(
      { content: 'Hello', containerTag: 'a' },
      { headers: { 'x-gone': null, 'x-one': '1' }, query: { more: [1, 2] } },
    );
    const [asked] = script.asked;
    expect(asked).toMatchObject({ method: 'POST', url: '/v3/documents?trace=on&more=1&more=2' });
    expect(JSON.parse(asked?.body ?? '')).toEqual({ content: 'Hello', containerTag: 'a' });
    expect(asked?.headers).toMatchObject({
      ...{
        authorization: 'Bearer sm_test',
        'content-type': 'application/json',
        'x-app': 'notes',
        'x-one': '1',
      },
    });
    expect(asked?.headers).not.toHaveProperty('x-gone');
  });

  test('encodes what stands in its path, and keeps a path before it', async () => {
    await using script = await startScript({ status: 204 });
    const client = script.client({ baseURL: `${script.url}/memory/` });
    expect(await client.documents.delete('a/b c?d#e')).toBeNull();
    expect(script.asked[0]).toMatchObject({
      method: 'DELETE',
      url: '/memory/v3/documents/a%2Fb%20c%3Fd%23e',
    });
  });

  test('goes through the fetch that was given, with its options', async () => {
    const seen: RequestInit[] = [];
    const client = new Memoir({
      ...{ apiKey: 'k', baseURL: 'http://nowhere.invalid', fetchOptions: { credentials: 'omit' } },
      fetch: async (_url, init) => {
        seen.push(init);
        return Response.json({ id: 'a' });
      },
    });
    expect(await client.documents.get('a')).toEqual({ id: 'a' });
    expect(seen[0]).toMatchObject({ method: 'GET', credentials: 'omit' });
  });

  test('needs a key, and says where one comes from', () => {
    const before = process.env.MEMOIR_API_KEY;
    delete process.env.MEMOIR_API_KEY;
    expect(() => new Memoir()).toThrow(/pass apiKey to new Memoir.*MEMOIR_API_KEY/);
    process.env.MEMOIR_API_KEY = 'sm_from_env';
    process.env.MEMOIR_BASE_URL = 'http://elsewhere:1/';
    expect(new Memoir().baseURL).toBe('http://elsewhere:1');
    delete process.env.MEMOIR_BASE_URL;
    delete process.env.MEMOIR_API_KEY;
    if (before !== undefined) process.env.MEMOIR_API_KEY = before;
  });
});

describe('an answer', () => {
  test('is had raw, parsed, or both', async () => {
    await using script = await startScript({ body: { id: 'a' }, headers: { 'x-request-id': 'r1' } });
    const client = script.client();
    const raw = await client.documents.get('a').asResponse();
    expect([raw.status, await raw.json()]).toEqual([200, { id: 'a' }]);
    const { data, response, requestID } = await client.documents.get('a').withResponse();
    expect([data.id, response.status, requestID]).toEqual(['a', 200, 'r1']);
    expect(script.asked).toHaveLength(2);
  });

  test('that is plain text is given as text', async () => {
    await using script = await startScript({
      status: 202,
      body: 'Importing',
      headers: { 'content-type': 'text/plain' },
    });
    expect(await script.client().connections.import('notion')).toBe('Importing');
  });
});

describe('a refusal', () => {
  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [402, APIError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [409, ConflictError],
    [413, ContentTooLargeError],
    [422, UnprocessableEntityError],
    [429, RateLimitError],
    [500, InternalServerError],
    [501, InternalServerError],
    [503, InternalServerError],
  ])('with %i is an error of its own class, with body, headers and request id', async (status, Kind) => {
    const body = { error: 'Not so.', details: 'Because.' };
    await using script = await startScript({
      status,
      body,
      headers: { 'x-request-id': 'r2', 'x-should-retry': 'false' },
    });
    const error = await thrownBy(script.client().documents.get('a'));
    expect(error).toBeInstanceOf(Kind);
    expect(error).toBeInstanceOf(MemoirError);
    expect(error).toMatchObject({
      name: Kind.name,
      status,
      error: body,
      requestID: 'r2',
      message: `${status} Not so. Because.`,
    });
    expect((error as APIError).headers.get('x-should-retry')).toBe('false');
    expect(script.asked).toHaveLength(1);
  });

  test('without JSON is told all the same', async () => {
    await using script = await startScript({
      status: 400,
      body: 'Bad gateway',
      headers: { 'content-type': 'text/html' },
    });
    expect(await thrownBy(script.client().documents.get('a'))).toMatchObject({
      message: '400 Bad gateway',
      error: 'Bad gateway',
    });
  });
});

describe('another attempt', () => {
  test.each([408, 409, 429, 500, 502, 503])('follows %i', async (status) => {
    await using script = await startScript({ status, headers: SOON }, { body: { id: 'a' } });
    expect(await script.client().documents.get('a')).toEqual({ id: 'a' });
    expect(script.asked).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 413, 422])('does not follow %i', async (status) => {
    await using script = await startScript({ status, headers: SOON });
    await thrownBy(script.client().documents.get('a'));
    expect(script.asked).toHaveLength(1);
  });

  test('follows a connection that breaks, at most as often as was said', async () => {
    await using script = await startScript({ cut: true });
    const error = await thrownBy(script.client({ maxRetries: 1 }).documents.get('a'));
    expect(error).toBeInstanceOf(APIConnectionError);
    expect(error).toMatchObject({ cause: expect.anything() });
    expect(script.asked).toHaveLength(2);
    await thrownBy(script.client().documents.get('a', { maxRetries: 0 }));
    expect(script.asked).toHaveLength(3);
  });

  test('follows what the server says about it, whatever the status', async () => {
    await using script = await startScript(
      { status: 400, headers: { ...SOON, 'x-should-retry': 'true' } },
      { status: 500, headers: { ...SOON, 'x-should-retry': 'false' } },
    );
    expect(await thrownBy(script.client().documents.get('a'))).toMatchObject({ status: 500 });
    expect(script.asked).toHaveLength(2);
  });

  test.each([
    { 'retry-after-ms': '60' },
    { 'retry-after': '0.06' },
    { 'retry-after': '0.06', 'retry-after-ms': 'soon' },
  ])('waits as long as %j asks', async (headers) => {
    await using script = await startScript({ status: 429, headers }, { body: {} });
    const started = performance.now();
    await script.client().documents.get('a');
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  test('waits until the day and hour that are asked for', async () => {
    const at = new Date(Date.now() + 1500).toUTCString();
    await using script = await startScript({ status: 503, headers: { 'retry-after': at } }, { body: {} });
    const started = performance.now();
    await script.client().documents.get('a');
    expect(performance.now() - started).toBeGreaterThan(300);
    expect(script.asked).toHaveLength(2);
  });

  test('never waits longer than the cap: the call fails at once', async () => {
    await using script = await startScript({ status: 429, headers: { 'retry-after': '3600' } });
    const started = performance.now();
    expect(await thrownBy(script.client().documents.get('a'))).toBeInstanceOf(RateLimitError);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(script.asked).toHaveLength(1);
  });
});

describe('time and signals', () => {
  test('an attempt that takes too long is cut off', async () => {
    await using script = await startScript({ afterMs: 5000 });
    const error = await thrownBy(script.client({ maxRetries: 0 }).documents.get('a', { timeout: 50 }));
    expect(error).toBeInstanceOf(APIConnectionTimeoutError);
    expect(error).toBeInstanceOf(APIConnectionError);
  });

  test('the signal of the caller ends the call, and no attempt follows', async () => {
    await using script = await startScript({ afterMs: 5000 });
    const abort = new AbortController();
    const call = script.client().documents.get('a', { signal: abort.signal });
    setTimeout(() => abort.abort(), 30);
    expect(await thrownBy(call)).toBeInstanceOf(APIUserAbortError);
    expect(script.asked).toHaveLength(1);
    expect(
      await thrownBy(script.client().documents.get('a', { signal: AbortSignal.abort() })),
    ).toBeInstanceOf(APIUserAbortError);
    expect(script.asked).toHaveLength(1);
  });

  test.each([200, 500])('both reach into the body of an answer with %i', async (status) => {
    await using script = await startScript({ status, endless: true });
    const client = script.client({ maxRetries: 0 });
    const late = client.documents.get('a', { timeout: 60 });
    expect(await thrownBy(late)).toMatchObject({
      name: 'APIConnectionTimeoutError',
      message: 'No answer came in time.',
    });
    const ended = client.documents.get('a', { signal: AbortSignal.timeout(60) });
    expect(await thrownBy(ended)).toBeInstanceOf(APIUserAbortError);
  });

  test('it ends the wait for another attempt as well', async () => {
    await using script = await startScript({ status: 429, headers: { 'retry-after': '20' } });
    const call = script.client().documents.get('a', { signal: AbortSignal.timeout(60) });
    expect(await thrownBy(call)).toBeInstanceOf(APIUserAbortError);
  });
});

test('whoever listens hears of every request, answer and retry, and of no key', async () => {
  await using script = await startScript({ status: 503, headers: SOON }, { body: { id: 'a' } });
  const events: LogEvent[] = [];
  const said: string[] = [];
  const say = (message: string) => said.push(message);
  const logger = { debug: say, info: say, warn: say, error: say };
  await script.client({ log: (event) => events.push(event), logger, logLevel: 'warn' }).documents.get('a');
  expect(events.map(({ type, attempt }) => [type, attempt])).toEqual([
    ['request', 1],
    ['response', 1],
    ['retry', 1],
    ['request', 2],
    ['response', 2],
  ]);
  expect(said).toEqual([expect.stringContaining('is tried again in 1 ms')]);
  expect(JSON.stringify(events)).not.toContain('sm_test');
});
