import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSearchModel } from '../../../server/adapters/model/openai-search.ts';
import type { SearchModel } from '../../../server/adapters/model/search-port.ts';
import { type ChatServer, hang, refuse, says, startChatServer } from '../../adapters/model/chat-server.ts';
import { type OpenSearch, openSearch, type SearchOptions } from './open.ts';

let open: OpenSearch;
let server: ChatServer;
let model: SearchModel;
beforeAll(async () => {
  open = await openSearch();
  server = await startChatServer(says({ content: '{"statements": []}' }));
  model = createSearchModel({ model: 'm', apiKey: 'k', baseUrl: server.baseUrl });
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

describe('what is put together from results', () => {
  test('comes as a memory before the first of them, marked, with their ids and the best of their similarities', async () => {
    const plain = await searching().memories(q, { threshold: 0 });
    const [first, second] = plain.results;
    saying({ statement: 'Ada moved from Ghent to Lyon in May 2023.', from: [2, 1] });
    const { results, notes, total } = await searching().memories(q, asked);
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^aggregated_[0-9a-f]{16}$/),
      memory: 'Ada moved from Ghent to Lyon in May 2023.',
      similarity: first?.similarity,
      metadata: null,
      updatedAt: [first?.updatedAt, second?.updatedAt].sort().at(-1),
      isAggregated: true,
      aggregatedFrom: [second?.id, first?.id],
    });
    expect(results.slice(1)).toEqual(plain.results);
    expect([total, notes]).toEqual([results.length, undefined]);
  });

  test('has the same id when it is put together again', async () => {
    const statement = { statement: 'Ada moved.', from: [1, 2] };
    saying(statement);
    const { results: once } = await searching().memories(q, asked);
    saying(statement);
    const { results: again } = await searching().memories(q, asked);
    expect(again[0]?.id).toBe(once[0]?.id);
  });

  test('counts as a result: there are never more than were asked for', async () => {
    saying({ statement: 'Ada moved.', from: [1, 2] });
    const { results } = await searching().memories(q, { ...asked, limit: 2 });
    expect(results.map(({ isAggregated }) => isAggregated === true)).toEqual([true, false]);
  });

  test('brings the documents of its results where documents are wanted', async () => {
    saying({ statement: 'Ada moved.', from: [1, 2] });
    const { results } = await searching().memories(q, { ...asked, include: { documents: true } });
    expect(results[0]?.documents?.map(({ id }) => id)).toEqual([results[1]?.documents?.[0]?.id]);
  });

  test('is made of what the caller may see, and of nothing else', async () => {
    saying();
    await searching().memories('Who lives in Lyon?', asked);
    const said = server.asked.at(-1)?.body.messages.at(-1)?.content ?? '';
    expect(said).toContain('Ada lives in Lyon.');
    expect(said).not.toContain('secret');
  });

  test('is not asked for where there is nothing to put together, or no wish to', async () => {
    const before = server.asked.length;
    await searching().memories(q, { ...asked, limit: 1 });
    await searching().memories(q, { threshold: 0 });
    expect(server.asked).toHaveLength(before);
  });
});

describe('nothing is put together', () => {
  const usual = async () => (await searching().memories(q, { threshold: 0 })).results;

  test('where no model is set, and the answer says so', async () => {
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
  ])('where the model %s', async (_how, behaviour, sentence) => {
    server.next(behaviour);
    const { results, notes } = await searching({ model, limits: { modelMs: 100 } }).memories(q, asked);
    expect(results).toEqual(await usual());
    expect(notes?.[0]?.message).toMatch(sentence);
  });
});
