// Tests of failures of an embedding service.

import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenAiOptions } from '../../../server/adapters/embed/openai.ts';
import type { IngestError } from '../../../server/core/errors.ts';
import { answer, hang, hangUp, refuse } from '../../support/models/servers/behaving-server.ts';
import { until } from '../../support/until.ts';
import { embedOne, passage } from './contract.ts';
import {
  type Behaviour,
  type EmbeddingsServer,
  startEmbeddingsServer,
  truly,
  vectors,
} from './embeddings-server.ts';
import { CALL_LIMITS, embedderBefore, failureOf } from './openai-fixture.ts';

let server: EmbeddingsServer;
beforeEach(async () => {
  server = await startEmbeddingsServer();
});
afterEach(() => server.close());

const embedderOf = (more: Partial<OpenAiOptions> = {}) => embedderBefore(server, more);

/** A request that is not aborted at once would outlast the test. */
const ENDLESS = { timeoutMs: 120_000, retries: { ...CALL_LIMITS.retries, longestWaitMs: 120_000 } };

/** The last behaviour stays. */
const failureAfter = (...behaviours: Behaviour[]): Promise<IngestError> => {
  server.next(...behaviours.slice(0, -1));
  server.always(behaviours.at(-1));
  return failureOf(embedOne(embedderOf(), passage('a turn')));
};

describe('a service that is busy or down', () => {
  it('gets another request after the time that it names', async () => {
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

  it('gets no early retry when the account has no credit left', async () => {
    const error = await failureAfter(refuse(429, 'You exceeded your quota', {}, 'insufficient_quota'));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true, retryAfterMs: 3_600_000 });
    expect(error.message).toContain('no quota left');
    expect(server.received).toHaveLength(1);
  });

  it('gets another request after an internal error', async () => {
    server.next(refuse(500, 'oops'), refuse(503, 'oops'));
    await embedOne(embedderOf(), passage('a turn'));
    expect(server.received).toHaveLength(3);
  });

  it('fails the request when its errors continue', async () => {
    const error = await failureAfter(refuse(500, 'oops'), refuse(502, 'oops'), refuse(500, 'last oops'));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true });
    expect(error.message).toMatch(/127\.0\.0\.1:\d+ failed \(500\)\. It said: "last oops"\./);
    const texts = server.received.map(({ body }) => body.input[0]);
    expect(texts.filter((text) => text === 'a turn')).toHaveLength(3);
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
    server.always(behaviour);
    const shortLimits = { ...CALL_LIMITS, timeoutMs: 100 };
    const hanging = embedderOf({ callLimits: shortLimits, queryCallLimits: shortLimits });
    const error = await failureOf(embedOne(hanging, passage('a turn')));
    expect(error).toMatchObject({ code: 'embedding_unavailable', byProvider: true });
    expect(error.message).toContain('did not answer within 0.1 s');
    expect(server.received, 'what hangs is not repeated').toHaveLength(2);
  });

  it('is left at once when the caller aborts', async () => {
    server.next(hang);
    const reason = new Error('the document was deleted');
    const stop = new AbortController();
    const result = embedderOf({ callLimits: ENDLESS }).embed([passage('a turn')], stop.signal);
    const refused = expect(result).rejects.toBe(reason);
    await until('the request to arrive', () => server.received.length === 1);
    stop.abort(reason);
    await refused;
    await expect.poll(() => server.abandoned()).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  it('is left at once when the caller aborts during the wait for a retry', async () => {
    server.next(refuse(429, 'Slow down', { 'retry-after': '60' }));
    const reason = new Error('the document was deleted');
    const stop = new AbortController();
    const result = embedderOf({ queryCallLimits: ENDLESS }).embedQuery('a query', undefined, stop.signal);
    const refused = expect(result).rejects.toBe(reason);
    await until('the first attempt', () => server.received.length === 1);
    stop.abort(reason);
    await refused;
    expect(server.received).toHaveLength(1);
  });

  it('gets no further requests when one has failed for good', async () => {
    server.next(refuse(401, 'no'), hang);
    const limited = embedderOf({ limits: { passagesPerCall: 1, parallelCalls: 2 } });
    const passages = Array.from({ length: 20 }, (_, at) => passage(`turn ${at}`));
    expect(await failureOf(limited.embed(passages))).toMatchObject({ code: 'embedding_auth' });
    expect(server.received.length).toBeLessThanOrEqual(2);
  });
});

describe('a refusal by the service', () => {
  it.each([401, 403])('of the key (%i) names the setting to change, and is not retried', async (status) => {
    const error = await failureAfter(refuse(status, 'Invalid key'));
    expect(error).toMatchObject({ code: 'embedding_auth', retryable: false, byProvider: true });
    expect(error.message).toMatch(
      /refused the key .* Set OPENAI_API_KEY to a key that may use the model "meaning-1"\. Memoir tries again by itself/,
    );
    expect(error.explanation).not.toContain('tries again');
    expect(server.received).toHaveLength(1);
  });

  it.each(['sk-secret-0123456789abcdef', 'a local secret'])(
    'never contains the key, though the service repeats it: %s',
    async (apiKey) => {
      for (const status of [401, 429, 500, 400]) {
        server.always(refuse(status, `Incorrect API key: ${apiKey}`));
        const noRetry = { ...CALL_LIMITS, retries: { ...CALL_LIMITS.retries, attempts: 1 } };
        const error = await failureOf(
          embedOne(embedderOf({ apiKey, callLimits: noRetry }), passage('a turn')),
        );
        expect(
          `${error.message} ${error.stack} ${inspect(error, { depth: 9, showHidden: true })}`,
        ).not.toContain(apiKey.slice(3));
        expect(error.message).toContain('***');
      }
    },
  );

  it('of the model names the setting to change', async () => {
    const error = await failureAfter(refuse(404, 'model "meaning-1" not found, try pulling it first'));
    expect(error).toMatchObject({ code: 'embedding_model', retryable: false, byProvider: true });
    expect(error.message).toMatch(
      /does not know the model "meaning-1" .* try pulling it first.* MEMOIR_EMBEDDING_MODEL/,
    );
  });

  it('of the request is quoted, briefly', async () => {
    const error = await failureAfter(refuse(400, `not so: ${'x'.repeat(5000)}`));
    expect(error).toMatchObject({ code: 'embedding_refused', retryable: false, byProvider: true });
    expect(error.message).toContain('It said: "not so: xxx');
    expect(error.message.length).toBeLessThan(500);
  });
});

describe('an unusable answer', () => {
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
  ] satisfies [string, Behaviour, string][])('is reported: %s', async (_, behaviour, sentence) => {
    const error = await failureAfter(behaviour);
    expect(error).toMatchObject({ code: 'embedding_invalid', retryable: false, byProvider: true });
    expect(error.message).toContain(sentence);
    expect(error.message).toContain('MEMOIR_EMBEDDING_MODEL');
  });

  it('is scaled to unit length when only its length is wrong', async () => {
    server.next(vectors([full.map(() => 40)]));
    const vector = await embedOne(embedderOf(), passage('a turn'));
    expect(vector[0]).toBeCloseTo(1 / 16, 6);
  });

  it('is used in its given order when it is not numbered', async () => {
    const first = [...Array<number>(255).fill(0), 1];
    server.next((response) => answer(response, { data: [{ embedding: first }, { embedding: full }] }));
    const [vector] = await embedderOf().embed([passage('one'), passage('two')]);
    expect(vector?.[255]).toBe(1);
  });
});

describe('a service that fails for one text and answers others', () => {
  const failingFor =
    (text: string, behaviour: Behaviour): Behaviour =>
    (response, request) =>
      (request.body.input.some((input) => input.includes(text)) ? behaviour : truly)(response, request);

  const passages = (count: number) => Array.from({ length: count }, (_, at) => passage(`turn ${at}.`));

  it('refuses that text for good, and the failure says that others are answered', async () => {
    server.always(failingFor('turn 5.', refuse(400, 'content policy')));
    const error = await failureOf(embedderOf().embed(passages(8)));
    expect(error).toMatchObject({ code: 'text_refused', retryable: false, byProvider: false });
    expect(error.message).toMatch(/It said: "content policy".*answers other texts.*memoir retry/);
  });

  it.each([
    ['with zeros', vectors([Array<number>(256).fill(0)])],
    ['with an internal error', refuse(500, 'NaN')],
    ['by closing the connection', hangUp],
  ] satisfies [string, Behaviour][])(
    'is asked a few more times when it fails it %s',
    async (_, behaviour) => {
      server.always(failingFor('turn 5.', behaviour));
      const error = await failureOf(embedderOf().embed(passages(8)));
      expect(error).toMatchObject({ code: 'text_not_embedded', retryable: true, byProvider: false });
    },
  );

  it('may refuse a request for its size: it gets smaller ones', async () => {
    server.always((response, request) =>
      (request.body.input.length > 3 ? refuse(413, 'batch too large') : truly)(response, request),
    );
    expect(await embedderOf().embed(passages(8))).toHaveLength(8);
  });

  it('gets less of a text that is too long for it', async () => {
    server.always((response, request) =>
      (request.body.input.some(({ length }) => length > 1_000)
        ? refuse(400, 'maximum context length is 512 tokens')
        : truly)(response, request),
    );
    const long = passage('The ferry leaves at noon. '.repeat(100));
    expect(await embedderOf().embed([...passages(2), long])).toHaveLength(3);
  });

  it('refuses a text for good that is too long for it even when it is short', async () => {
    server.always(failingFor('turn 5.', refuse(500, 'input is too large to process')));
    const error = await failureOf(embedderOf().embed(passages(8)));
    expect(error).toMatchObject({ code: 'text_refused', retryable: false, byProvider: false });
  });

  it('is at fault itself when no text is short enough for it', async () => {
    server.always(refuse(400, 'maximum context length is 0 tokens'));
    const error = await failureOf(embedderOf().embed(passages(8)));
    expect(error).toMatchObject({ code: 'embedding_length', retryable: false, byProvider: true });
  });

  it('may be too slow for a large request: it gets smaller ones', async () => {
    server.always((response, request) => (request.body.input.length > 3 ? hang : truly)(response, request));
    const quick = { ...CALL_LIMITS, timeoutMs: 300 };
    expect(await embedderOf({ callLimits: quick }).embed(passages(8))).toHaveLength(8);
  });

  it('is not at fault when it has become well meanwhile', async () => {
    server.next(refuse(400, 'not yet'));
    await embedOne(embedderOf(), passage('a turn'));
    expect(server.received).toHaveLength(3);
  });
});
