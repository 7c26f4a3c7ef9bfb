import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenAiOptions } from '../../../server/adapters/embed/openai.ts';
import type { IngestError } from '../../../server/errors.ts';
import { embedOne, passage } from './contract.ts';
import {
  answer,
  type Behaviour,
  type EmbeddingsServer,
  hang,
  refuse,
  startEmbeddingsServer,
  vectors,
} from './embeddings-server.ts';
import { embedderBefore, failureOf, PATIENCE } from './openai-fixture.ts';

let server: EmbeddingsServer;
beforeEach(async () => {
  server = await startEmbeddingsServer();
});
afterEach(() => server.close());

const embedderOf = (more: Partial<OpenAiOptions> = {}) => embedderBefore(server, more);

/** Whoever is not left at once outlasts the test. */
const ENDLESS = { timeoutMs: 120_000, retries: { ...PATIENCE.retries, longestWaitMs: 120_000 } };

const failureAfter = (...behaviours: Behaviour[]): Promise<IngestError> => {
  server.next(...behaviours);
  return failureOf(embedOne(embedderOf(), passage('a turn')));
};

describe('a service that is busy or down', () => {
  it('is asked again after the time that it names', async () => {
    server.next(refuse(429, 'Slow down', { 'retry-after': '0.2' }));
    const start = performance.now();
    await embedOne(embedderOf(), passage('a turn'));
    expect(performance.now() - start).toBeGreaterThanOrEqual(199);
    expect(server.received).toHaveLength(2);
  });

  it('is left to the queue when that time is long', async () => {
    const error = await failureAfter(refuse(429, 'Slow down', { 'retry-after': '120' }));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true, retryAfterMs: 120_000 });
    expect(error.message).toMatch(/asked too often \(429\)\. It said: "Slow down"\./);
    expect(server.received).toHaveLength(1);
  });

  it('may name that time as a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const error = await failureAfter(refuse(503, 'Maintenance', { 'retry-after': date }));
    expect(error.retryAfterMs).toBeGreaterThan(50_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('is not asked again soon when the account has run dry', async () => {
    const error = await failureAfter(refuse(429, 'You exceeded your quota', {}, 'insufficient_quota'));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true, retryAfterMs: 3_600_000 });
    expect(error.message).toContain('no quota left');
    expect(server.received).toHaveLength(1);
  });

  it('is asked again after a failure of its own', async () => {
    server.next(refuse(500, 'oops'), refuse(503, 'oops'));
    await embedOne(embedderOf(), passage('a turn'));
    expect(server.received).toHaveLength(3);
  });

  it('is given up for now when it keeps failing', async () => {
    const error = await failureAfter(refuse(500, 'oops'), refuse(502, 'oops'), refuse(500, 'last oops'));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true });
    expect(error.message).toMatch(/127\.0\.0\.1:\d+ failed \(500\)\. It said: "last oops"\./);
    expect(server.received).toHaveLength(3);
  });

  it('is unavailable when nothing listens', async () => {
    const gone = await startEmbeddingsServer();
    await gone.close();
    const error = await failureOf(embedOne(embedderOf({ baseUrl: gone.baseUrl }), passage('a turn')));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true });
    expect(error.message).toMatch(/cannot be reached \(ECONNREFUSED\); check OPENAI_BASE_URL\./);
  });

  it.each([
    ['never answers', hang],
    [
      'stops in the middle of its answer',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"data":[');
      },
    ],
  ] satisfies [string, Behaviour][])('is unavailable when it %s', async (_, behaviour) => {
    server.next(behaviour);
    const impatient = { timeoutMs: 100, retries: { ...PATIENCE.retries, attempts: 1 } };
    const error = await failureOf(embedOne(embedderOf({ patience: impatient }), passage('a turn')));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true });
    expect(error.message).toContain('did not answer within 0.1 s');
  });

  it('is left at once when the caller stops waiting', async () => {
    server.next(hang);
    const reason = new Error('the document was deleted');
    const stop = new AbortController();
    const result = embedderOf({ patience: ENDLESS }).embed([passage('a turn')], stop.signal);
    setTimeout(() => stop.abort(reason), 50);
    await expect(result).rejects.toBe(reason);
    await expect.poll(() => server.abandoned()).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  it('is left at once when the caller stops waiting for the next attempt', async () => {
    server.next(refuse(429, 'Slow down', { 'retry-after': '60' }));
    const reason = new Error('the document was deleted');
    const stop = new AbortController();
    const result = embedderOf({ queryPatience: ENDLESS }).embedQuery('a query', undefined, stop.signal);
    setTimeout(() => stop.abort(reason), 100);
    await expect(result).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  it('is not asked for the rest when one request has failed for good', async () => {
    server.next(refuse(401, 'no'), hang);
    const limited = embedderOf({ limits: { passagesPerCall: 1, parallelCalls: 2 } });
    const passages = Array.from({ length: 20 }, (_, at) => passage(`turn ${at}`));
    expect(await failureOf(limited.embed(passages))).toMatchObject({ code: 'embedding_auth' });
    expect(server.received.length).toBeLessThanOrEqual(2);
  });
});

describe('a service that refuses', () => {
  it.each([401, 403])('the key (%i) says which setting to change, and is not asked again', async (status) => {
    const error = await failureAfter(refuse(status, 'Invalid key'));
    expect(error).toMatchObject({ code: 'embedding_auth', retryable: false });
    expect(error.message).toMatch(
      /refused the key .* Set OPENAI_API_KEY to a key that may use the model "meaning-1"/,
    );
    expect(server.received).toHaveLength(1);
  });

  it.each(['sk-secret-0123456789abcdef', 'a local secret'])(
    'never gets the key told, though it repeats it: %s',
    async (apiKey) => {
      for (const status of [401, 429, 500, 400]) {
        server.next(refuse(status, `Incorrect API key: ${apiKey}`));
        const noRetry = { ...PATIENCE, retries: { ...PATIENCE.retries, attempts: 1 } };
        const error = await failureOf(embedOne(embedderOf({ apiKey, patience: noRetry }), passage('a turn')));
        expect(
          `${error.message} ${error.stack} ${inspect(error, { depth: 9, showHidden: true })}`,
        ).not.toContain(apiKey.slice(3));
        expect(error.message).toContain('***');
      }
    },
  );

  it('the model says which setting to change', async () => {
    const error = await failureAfter(refuse(404, 'model "meaning-1" not found, try pulling it first'));
    expect(error).toMatchObject({ code: 'embedding_model', retryable: false });
    expect(error.message).toMatch(
      /does not know the model "meaning-1" .* try pulling it first.* MEMOIR_EMBEDDING_MODEL/,
    );
  });

  it('the request is quoted, briefly', async () => {
    const error = await failureAfter(refuse(400, `too long: ${'x'.repeat(5000)}`));
    expect(error).toMatchObject({ code: 'embedding_refused', retryable: false });
    expect(error.message).toContain('It said: "too long: xxx');
    expect(error.message.length).toBeLessThan(500);
  });
});

describe('an answer that cannot be used', () => {
  const full = Array<number>(256).fill(0.5);
  it.each([
    ['two vectors for one text', vectors([full, full]), 'answered with 2 vectors for 1 texts'],
    ['no vectors', vectors([]), 'answered with 0 vectors for 1 texts'],
    ['other dimensions', vectors([[1, 2, 3]]), 'a vector of 3 dimensions where 256 are expected'],
    ['values that are no numbers', vectors([[...full.slice(1), null]]), 'a vector that holds no numbers'],
    ['zeros', vectors([full.map(() => 0)]), 'a vector of zeros, which has no direction'],
    ['a text in place of a vector', vectors(['AAAA']), 'something that is not a list of numbers'],
    ['no list', (response) => answer(response, { data: null }), 'answered without a list of vectors'],
    [
      'wrong numbers',
      (response) => answer(response, { data: [{ index: 7, embedding: full }] }),
      'without a vector for text 1',
    ],
    [
      'broken JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":'),
      'something that is not JSON',
    ],
    [
      'a web page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'),
      'without a list',
    ],
  ] satisfies [string, Behaviour, string][])('says so: %s', async (_, behaviour, sentence) => {
    const error = await failureAfter(behaviour);
    expect(error).toMatchObject({ code: 'embedding_invalid', retryable: false });
    expect(error.message).toContain(sentence);
    expect(error.message).toContain('MEMOIR_EMBEDDING_MODEL');
  });

  it('is scaled to unit length when only its length is wrong', async () => {
    server.next(vectors([full.map(() => 40)]));
    const vector = await embedOne(embedderOf(), passage('a turn'));
    expect(vector[0]).toBeCloseTo(1 / 16, 6);
  });

  it('is taken in its given order when it is not numbered', async () => {
    const first = [...Array<number>(255).fill(0), 1];
    server.next((response) => answer(response, { data: [{ embedding: first }, { embedding: full }] }));
    const [vector] = await embedderOf().embed([passage('one'), passage('two')]);
    expect(vector?.[255]).toBe(1);
  });
});
