// Tests of reranking with a service.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEndpointReranker } from '../../../server/adapters/rerank/endpoint.ts';
import { answer, hangUp } from '../../support/models/servers/behaving-server.ts';
import { allScores } from './all-scores.ts';
import {
  asData,
  asList,
  asResults,
  type Behaviour,
  type RerankServer,
  refuse,
  startRerankServer,
} from './rerank-server.ts';

let server: RerankServer;
beforeAll(async () => {
  server = await startRerankServer();
});
afterAll(() => server.close());
beforeEach(() => server.always());

const texts = ['the cat sleeps', 'the dog barks at the cat', 'a dog'];
const to = (path = '/v2/rerank', more: { model?: string; apiKey?: string } = {}) =>
  createEndpointReranker({ url: server.url + path, model: null, apiKey: null, ...more });
const lastAsked = () => server.asked.at(-1);

describe('a rerank service', () => {
  test('gets the query, the texts, the model and the key, and no fields that only some services know', async () => {
    await allScores(to('/v2/rerank', { model: 'rerank-v3.5', apiKey: 'secret' }), 'dog', texts);
    expect(lastAsked()).toEqual({
      path: '/v2/rerank',
      authorization: 'Bearer secret',
      body: { model: 'rerank-v3.5', query: 'dog', documents: texts },
    });
    await allScores(to(), 'dog', texts);
    expect(lastAsked()?.authorization).toBeUndefined();
    expect(lastAsked()?.body).not.toHaveProperty('model');
  });

  test.each([
    ['/rerank', '/rerank'],
    ['/v1/rerank', '/v1/rerank'],
    ['/v1', '/v1/rerank'],
    ['', '/rerank'],
  ])('at "%s" gets its requests at "%s"', async (given, path) => {
    await allScores(to(given), 'dog', texts);
    expect(lastAsked()?.path).toBe(path);
  });

  test.each<[string, Behaviour]>([
    ['results', asResults],
    ['data', asData],
    ['a bare list', asList],
  ])(
    'that answers with %s is understood, with scores in the order of the texts',
    async (_form, behaviour) => {
      server.always(behaviour);
      const [cat = 0, both = 0, dog = 0] = await allScores(to(), 'dog', texts);
      expect(cat).toBe(0);
      expect(dog).toBeGreaterThan(both);
      expect(both).toBeGreaterThan(0);
    },
  );

  test('that expects "texts" gets a second request in that form, and all later ones, in parts of its size', async () => {
    server.always(asList);
    const reranker = to();
    const many = Array.from({ length: 70 }, (_, at) => (at === 69 ? 'dog' : 'cat'));
    const scores = await allScores(reranker, 'dog', many);
    expect([scores.length, scores.indexOf(1)]).toEqual([70, 69]);
    const before = server.asked.length;
    await allScores(reranker, 'dog', texts);
    expect(server.asked.length).toBe(before + 1);
    expect(lastAsked()?.body.texts).toEqual(texts);
  });
});

describe('a rerank service that fails', () => {
  const failing = (behaviour: Behaviour) => {
    server.always(behaviour);
    return allScores(to('/rerank', { apiKey: 'sk-very-secret' }), 'dog', texts);
  };

  test.each<[string, Behaviour, RegExp]>([
    ['refuses the key', refuse(401, 'no'), /refused the key \(401\)\. Set MEMOIR_RERANK_API_KEY/],
    ['is not there', refuse(404, 'no'), /no such endpoint or model \(404\)/],
    ['is asked too often', refuse(429, 'no'), /asked too often \(429\)/],
    ['breaks', refuse(500, 'out of memory'), /answered 500.*out of memory/],
    ['hangs up', hangUp, /cannot be reached\. Check MEMOIR_RERANK_URL/],
    ['answers something else', (response) => answer(response, '<html>'), /without a list of scores/],
    [
      'leaves a text out',
      (r) => answer(r, { results: [{ index: 0, relevance_score: 1 }] }),
      /1 scores for 3/,
    ],
    ['gives no numbers', (r) => answer(r, [{ index: 0, score: 'high' }]), /a score that is no number/],
  ])('because it %s is reported', async (_how, behaviour, sentence) => {
    await expect(failing(behaviour)).rejects.toThrow(sentence);
  });

  test('never has the key repeated in its error', async () => {
    const error = await failing(refuse(400, 'sk-very-secret is wrong')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    for (let one: unknown = error; one instanceof Error; one = one.cause)
      expect(one.message).not.toContain('very-secret');
  });

  test('is left when the caller aborts, with the reason of the caller', async () => {
    const arrived = Promise.withResolvers<void>();
    server.always(() => arrived.resolve());
    const abandoned = server.abandoned();
    const stop = new AbortController();
    const judged = allScores(to(), 'dog', texts, stop.signal);
    const refused = expect(judged).rejects.toThrow('time is up');
    await arrived.promise;
    stop.abort(new Error('time is up'));
    await refused;
    await expect.poll(() => server.abandoned()).toBe(abandoned + 1);
  });
});
