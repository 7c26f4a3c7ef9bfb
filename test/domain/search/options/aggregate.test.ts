// Tests of memories that are aggregated from several results.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOpenAiSearchModel } from '../../../../server/adapters/language-model/openai/search-model.ts';
import type { SearchModel } from '../../../../server/adapters/language-model/ports/search-model.ts';
import { type ChatServer, says, startChatServer } from '../../../adapters/language-model/chat-server.ts';
import { hang, refuse } from '../../../support/models/servers/behaving-server.ts';
import { type OpenSearch, openSearch, type SearchOptions } from '../open.ts';

let open: OpenSearch;
let server: ChatServer;
let model: SearchModel;
beforeAll(async () => {
  open = await openSearch();
  server = await startChatServer(says({ content: '{"statements": []}' }));
  model = createOpenAiSearchModel({ model: 'm', apiKey: 'k', baseUrl: server.baseUrl });
  await open.remember('ada', ['Ada lives in Lyon.', 'Ada lived in Ghent until May 2023.', 'Ada likes tea.']);
  await open.remember('bob', ['Bob lives in Lyon, in secret.']);
});
beforeEach(() => {
  open.troubles.length = 0;
});
afterAll(async () => {
  await server.close();
  await open[Symbol.asyncDispose]();
});

const searching = (options: SearchOptions = { model }) => open.searching(options)(['ada']);
const saying = (...statements: object[]) => server.next(says({ content: JSON.stringify({ statements }) }));
const q = 'Where does Ada live?';
const asked = { aggregate: true, threshold: 0 };

describe('an aggregated memory', () => {
  test('precedes its results, is marked, and carries their ids and the best of their similarities', async () => {
    const plain = await searching().memories(q, { threshold: 0 });
    const [first, second] = plain.results;
    saying({ statement: 'Ada moved from Ghent to Lyon in May 2023.', from: [2, 1] });
    const { results, notes, total } = await searching().memories(q, asked);
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^aggregated_[0-9a-f]{16}$/),
      memory: 'Ada moved from Ghent to Lyon in May 2023.',
      content: 'Ada moved from Ghent to Lyon in May 2023.',
      similarity: first?.similarity,
      metadata: null,
      updatedAt: [first?.updatedAt, second?.updatedAt].sort().at(-1),
      isAggregated: true,
      aggregatedFrom: [second?.id, first?.id],
    });
    expect(results.slice(1)).toEqual(plain.results);
    expect([total, notes]).toEqual([results.length, undefined]);
  });

  test('has the same id when it is aggregated again', async () => {
    const statement = { statement: 'Ada moved.', from: [1, 2] };
    saying(statement);
    const { results: once } = await searching().memories(q, asked);
    saying(statement);
    const { results: again } = await searching().memories(q, asked);
    expect(again[0]?.id).toBe(once[0]?.id);
  });

  test('counts towards the limit of results', async () => {
    saying({ statement: 'Ada moved.', from: [1, 2] });
    const { results } = await searching().memories(q, { ...asked, limit: 2 });
    expect(results.map(({ isAggregated }) => isAggregated === true)).toEqual([true, false]);
  });

  test('carries the documents of its results when documents are requested', async () => {
    saying({ statement: 'Ada moved.', from: [1, 2] });
    const { results } = await searching().memories(q, { ...asked, include: { documents: true } });
    expect(results[0]?.documents?.map(({ id }) => id)).toEqual([results[1]?.documents?.[0]?.id]);
  });

  test('is made only of results that the caller may see', async () => {
    saying();
    await searching().memories('Who lives in Lyon?', asked);
    const said = server.asked.at(-1)?.body.messages.at(-1)?.content ?? '';
    expect(said).toContain('Ada lives in Lyon.');
    expect(said).not.toContain('secret');
  });

  test('is not requested without the option or without results to combine', async () => {
    const before = server.asked.length;
    await searching().memories(q, { ...asked, limit: 1 });
    await searching().memories(q, { threshold: 0 });
    expect(server.asked).toHaveLength(before);
  });
});

describe('no memory is aggregated', () => {
  const usual = async () => (await searching().memories(q, { threshold: 0 })).results;

  test('without a model, and the answer reports it', async () => {
    const { results, notes } = await searching({}).memories(q, asked);
    expect(results).toEqual(await usual());
    expect(notes).toEqual([
      { about: 'aggregate', message: expect.stringMatching(/no language model is set \(OPENAI_MODEL\)/) },
    ]);
  });

  test.each([
    ['fails', refuse(503, 'later'), /^Nothing was put together\. .*does not answer now/],
    ['rests on one result', says({ content: '{"statements": "x"}' }), /no usable answer/],
    ['hangs', hang, /within 0.1 s/],
  ])('when the model %s', async (_how, behaviour, sentence) => {
    server.next(behaviour);
    // A short limit is for the model that never answers: the others need the time of a busy machine.
    const limits = behaviour === hang ? { modelMs: 100 } : {};
    const { results, notes } = await searching({ model, limits }).memories(q, asked);
    expect(results).toEqual(await usual());
    expect(notes?.[0]?.message).toMatch(sentence);
  });
});
