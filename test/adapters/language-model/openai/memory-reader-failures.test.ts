// Tests of failures while a model reads memories.

import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IngestError } from '../../../../server/core/errors.ts';
import { hang, refuse } from '../../../support/models/servers/behaving-server.ts';
import { type Behaviour, type ChatServer, memories, says, startChatServer } from '../chat-server.ts';
import { CALL_LIMITS, failureOf, readerBefore } from '../openai-fixture.ts';
import { request, turns } from '../requests.ts';

const BERLIN = { memory: 'Anna lives in Berlin', kind: 'new', of: [], static: true, from: [1] };
const GOOD = memories(BERLIN);
const asked = request({ fresh: turns(['Anna', 'I live in Berlin.']) });

let server: ChatServer;
beforeEach(async () => {
  server = await startChatServer(GOOD);
});
afterEach(() => server.close());

const readAfter = async (...behaviours: Behaviour[]) => {
  server.next(...behaviours);
  return (await readerBefore(server).read(asked)).memories.map(({ memory }) => memory);
};
const failureAfter = (...behaviours: Behaviour[]): Promise<IngestError> => {
  server.next(...behaviours);
  return failureOf(readerBefore(server).read(asked));
};

describe('an unusable answer', () => {
  it.each([
    ['that is empty', says({ content: '' })],
    ['that is nothing', says({ content: null })],
    ['that is prose', says({ content: 'Anna lives in Berlin, as she says.' })],
    ['that breaks off', says({ content: '{"memories": [{"memory": "Anna li' })],
    ['of another form', says({ content: '{"facts": ["Anna lives in Berlin"]}' })],
    ['of words where objects belong', says({ content: '{"memories": ["Anna lives in Berlin"]}' })],
    ['that refuses once', says({ content: null, refusal: 'I cannot do that.' })],
  ] satisfies [string, Behaviour][])('%s is requested once more', async (_, behaviour) => {
    expect(await readAfter(behaviour)).toEqual(['Anna lives in Berlin']);
    expect(server.asked).toHaveLength(2);
  });

  it('is sent back to the model with its error', async () => {
    await readAfter(says({ content: '{"facts": 3}' }));
    const said = server.asked[1]?.body.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];
    expect(said.at(-2)).toBe('assistant: {"facts": 3}');
    expect(said.at(-1)).toMatch(/^user: That cannot be used: the JSON was of another form \(memories: /);
  });

  it('fails the step the second time with the reason, as a temporary failure', async () => {
    const error = await failureAfter(says({ content: 'no' }), says({ content: 'No!' }));
    expect(error).toMatchObject({ code: 'memory_invalid', retryable: true });
    expect(error.message).toMatch(
      /^The language model service at 127\.0\.0\.1:\d+ \(model "reads-1"\) gave no usable answer, even when asked again: the answer was no valid JSON/,
    );
    expect(error.message).toContain('The document is searchable');
    expect(server.asked).toHaveLength(2);
  });

  it("that is a refusal is reported in the model's own words, and is final", async () => {
    const refusal = says({ content: null, refusal: 'I cannot\nhelp with that.' });
    const error = await failureAfter(refusal, refusal);
    expect(error).toMatchObject({ code: 'memory_refused', retryable: false });
    expect(error.message).toContain('refused to read the text ("I cannot help with that.")');
  });

  it('that was filtered is a refusal as well', async () => {
    const filtered = says({ content: '', finish: 'content_filter' });
    expect(await failureAfter(filtered, filtered)).toMatchObject({ code: 'memory_refused' });
  });
});

describe('a text that is too long for the model', () => {
  const long = request({ fresh: turns(['Anna', 'I live in Berlin.'], ['Bob', 'I live in Rome.']) });

  it.each([
    ['breaks off its answer', says({ content: '{"memories": [{"mem', finish: 'length' })],
    [
      'refuses the length',
      refuse(400, "This model's maximum context length is 4096 tokens", {}, 'context_length_exceeded'),
    ],
    ['refuses the size', refuse(413, 'Payload too large')],
  ] satisfies [string, Behaviour][])('is halved when the model %s', async (_, behaviour) => {
    server.next(behaviour, GOOD, memories({ ...BERLIN, memory: 'Bob lives in Rome' }));
    const { memories: drawn } = await readerBefore(server).read(long);
    expect(drawn).toMatchObject([
      { memory: 'Anna lives in Berlin', positions: [0] },
      { memory: 'Bob lives in Rome', positions: [1] },
    ]);
    expect(server.asked[2]?.body.messages.at(-1)?.content).toContain('CONTEXT\nAnna: I live in Berlin.');
  });

  it('is cut within one message too', async () => {
    const story = `${'I live in Berlin and like it here. '.repeat(30)}`;
    server.next(says({ content: '{"mem', finish: 'length' }));
    await readerBefore(server).read(request({ fresh: turns(['Anna', story]) }));
    expect(server.asked).toHaveLength(3);
  });

  it('fails only at the last size', async () => {
    const cut = says({ content: '{', finish: 'length' });
    const story = 'I live in Berlin and like it here. '.repeat(30);
    server.next(...Array<Behaviour>(40).fill(cut));
    const error = await failureOf(readerBefore(server).read(request({ fresh: turns(['Anna', story]) })));
    expect(error).toMatchObject({ code: 'memory_length', retryable: false });
    expect(server.asked.length).toBeLessThan(12);
  });
});

describe('a service that is busy or down', () => {
  it('gets another request after the time that it names', async () => {
    const start = performance.now();
    expect(await readAfter(refuse(429, 'Slow down', { 'retry-after': '0.2' }))).toHaveLength(1);
    expect(performance.now() - start).toBeGreaterThanOrEqual(199);
  });

  it('is left to the queue when that time is long', async () => {
    const error = await failureAfter(refuse(429, 'Slow down', { 'retry-after': '120' }));
    expect(error).toMatchObject({ code: 'memory_unavailable', retryable: true, retryAfterMs: 120_000 });
    expect(error.message).toMatch(
      /^The language model service at .* is asked too often \(429\)\. It said: "Slow down"\./,
    );
    expect(server.asked).toHaveLength(1);
  });

  it('gets another request after internal errors, and the step fails when they continue', async () => {
    expect(await readAfter(refuse(500, 'oops'), refuse(503, 'oops'))).toHaveLength(1);
    const error = await failureAfter(...Array<Behaviour>(3).fill(refuse(502, 'still down')));
    expect(error).toMatchObject({ code: 'memory_unavailable', retryable: true });
    expect(error.message).toContain('failed (502). It said: "still down".');
  });

  it('is unavailable when it never answers', async () => {
    server.next(hang);
    const shortLimits = { timeoutMs: 100, retries: { ...CALL_LIMITS.retries, attempts: 1 } };
    const error = await failureOf(readerBefore(server, { callLimits: shortLimits }).read(asked));
    expect(error).toMatchObject({ code: 'memory_unavailable', retryable: true });
    expect(error.message).toContain('did not answer within 0.1 s');
  });

  it('is unavailable when nothing listens', async () => {
    const gone = await startChatServer(GOOD);
    await gone.close();
    const error = await failureOf(readerBefore(gone).read(asked));
    expect(error.message).toMatch(/cannot be reached \(ECONNREFUSED\); check OPENAI_BASE_URL\./);
  });

  it('is left at once when the caller aborts', async () => {
    const arrived = Promise.withResolvers<void>();
    server.next(() => arrived.resolve());
    const reason = new Error('the document was deleted');
    const stop = new AbortController();
    // The timeout is longer than the test.
    const reader = readerBefore(server, { callLimits: { ...CALL_LIMITS, timeoutMs: 120_000 } });
    const result = reader.read(asked, { signal: stop.signal });
    const refused = expect(result).rejects.toBe(reason);
    await arrived.promise;
    stop.abort(reason);
    await refused;
    await expect.poll(() => server.abandoned()).toBe(1);
  });
});

describe('a refusal by the service', () => {
  it.each([
    [401, 'memory_auth', /Set OPENAI_API_KEY to a key that may use the model "reads-1"/],
    [404, 'memory_model', /does not know the model "reads-1".*Check OPENAI_MODEL/],
    [400, 'memory_refused', /refused the request \(400\).*Check OPENAI_MODEL and OPENAI_BASE_URL/],
  ] as const)('with %i names the setting to change, and is not retried', async (status, code, sentence) => {
    const error = await failureAfter(refuse(status, 'no'));
    expect(error).toMatchObject({ code, retryable: false });
    expect(error.message).toMatch(sentence);
    expect(server.asked).toHaveLength(1);
  });

  it.each(['sk-secret-0123456789abcdef', 'a local secret'])('never contains the key: %s', async (apiKey) => {
    const once = { ...CALL_LIMITS, retries: { ...CALL_LIMITS.retries, attempts: 1 } };
    for (const status of [401, 429, 500, 400]) {
      server.next(refuse(status, `Incorrect API key: ${apiKey}`));
      const error = await failureOf(readerBefore(server, { apiKey, callLimits: once }).read(asked));
      const shown = `${error.message} ${error.stack} ${inspect(error, { depth: 9, showHidden: true })}`;
      expect(shown).not.toContain(apiKey.slice(3));
    }
  });

  it('is reported at once for an impossible address', () => {
    expect(() => readerBefore({ ...server, baseUrl: 'localhost:11434' })).toThrow(
      /OPENAI_BASE_URL is no web address/,
    );
  });
});
