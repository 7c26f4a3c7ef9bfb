// Tests of the requests of the client: sending, retrying and failing.
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
import { until } from '../support/until.ts';
import { startScript } from './support/scripted.ts';
import { thrownBy } from './support/thrown-by.ts';

const SOON = { 'retry-after-ms': '1' };

describe('a request', () => {
  test('carries the key, the body, the query and the headers, each in its place', async () => {
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

  test('encodes the parts of its path, and keeps the path of the base address', async () => {
    await using script = await startScript({ status: 204 });
    const client = script.client({ baseURL: `${script.url}/memory/` });
    expect(await client.documents.delete('a/b c?d#e')).toBeNull();
    expect(script.asked[0]).toMatchObject({
      method: 'DELETE',
      url: '/memory/v3/documents/a%2Fb%20c%3Fd%23e',
    });
  });

  test('uses the fetch function of the options, with its settings', async () => {
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

  test('needs a key, and the error says where to get one', () => {
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
  test('is available raw, parsed, or both', async () => {
    await using script = await startScript({ body: { id: 'a' }, headers: { 'x-request-id': 'r1' } });
    const client = script.client();
    const raw = await client.documents.get('a').asResponse();
    expect([raw.status, await raw.json()]).toEqual([200, { id: 'a' }]);
    const { data, response, requestID } = await client.documents.get('a').withResponse();
    expect([data.id, response.status, requestID]).toEqual(['a', 200, 'r1']);
    expect(script.asked).toHaveLength(2);
  });

  test('is returned as text when it is plain text', async () => {
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

  test('without JSON is reported as well', async () => {
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

  test('follows a broken connection, up to the set number of retries', async () => {
    await using script = await startScript({ cut: true });
    const error = await thrownBy(script.client({ maxRetries: 1 }).documents.get('a'));
    expect(error).toBeInstanceOf(APIConnectionError);
    expect(error).toMatchObject({ cause: expect.anything() });
    expect(script.asked).toHaveLength(2);
    await thrownBy(script.client().documents.get('a', { maxRetries: 0 }));
    expect(script.asked).toHaveLength(3);
  });

  test("follows the server's advice, whatever the status", async () => {
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
  ])('waits as long as %j says', async (headers) => {
    await using script = await startScript({ status: 429, headers }, { body: {} });
    const started = performance.now();
    await script.client().documents.get('a');
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  test('waits until the date that the server names', async () => {
    const at = new Date(Date.now() + 1500).toUTCString();
    await using script = await startScript({ status: 503, headers: { 'retry-after': at } }, { body: {} });
    const started = performance.now();
    await script.client().documents.get('a');
    expect(performance.now() - started).toBeGreaterThan(300);
    expect(script.asked).toHaveLength(2);
  });

  test('never waits longer than the cap, and the call fails at once instead', async () => {
    await using script = await startScript({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await thrownBy(script.client().documents.get('a'))).toBeInstanceOf(RateLimitError);
    expect(script.asked).toHaveLength(1);
  });
});

describe('the time limit and the signal of a call', () => {
  test('end an attempt that takes too long', async () => {
    await using script = await startScript({ afterMs: 5000 });
    const error = await thrownBy(script.client({ maxRetries: 0 }).documents.get('a', { timeout: 50 }));
    expect(error).toBeInstanceOf(APIConnectionTimeoutError);
    expect(error).toBeInstanceOf(APIConnectionError);
  });

  test('end the call, and no attempt follows', async () => {
    await using script = await startScript({ afterMs: 5000 });
    const abort = new AbortController();
    const call = script.client().documents.get('a', { signal: abort.signal });
    const thrown = thrownBy(call);
    await until('the request to arrive', () => script.asked.length === 1);
    abort.abort();
    expect(await thrown).toBeInstanceOf(APIUserAbortError);
    expect(script.asked).toHaveLength(1);
    expect(
      await thrownBy(script.client().documents.get('a', { signal: AbortSignal.abort() })),
    ).toBeInstanceOf(APIUserAbortError);
    expect(script.asked).toHaveLength(1);
  });

  test.each([200, 500])('end the reading of an answer with %i too', async (status) => {
    await using script = await startScript({ status, endless: true });
    const client = script.client({ maxRetries: 0 });
    const late = client.documents.get('a', { timeout: 60 });
    expect(await thrownBy(late)).toMatchObject({
      name: 'APIConnectionTimeoutError',
      message: `${script.url} did not answer within 60 ms. Try again, or give a longer timeout.`,
    });
    const ended = client.documents.get('a', { signal: AbortSignal.timeout(60) });
    expect(await thrownBy(ended)).toBeInstanceOf(APIUserAbortError);
  });

  test('end the wait for another attempt as well', async () => {
    await using script = await startScript({ status: 429, headers: { 'retry-after': '20' } });
    const call = script.client().documents.get('a', { signal: AbortSignal.timeout(60) });
    expect(await thrownBy(call)).toBeInstanceOf(APIUserAbortError);
  });
});

test('a listener gets every request, answer and retry, and no key', async () => {
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
  expect(said).toEqual([expect.stringContaining('is retried in 1 ms')]);
  expect(JSON.stringify(events)).not.toContain('sm_test');
});
