// Tests of reranking the results of a search.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEndpointReranker } from '../../../../server/adapters/rerank/endpoint.ts';
import type { Reranker } from '../../../../server/adapters/rerank/port.ts';
import type { SearchElsewhere } from '../../../../server/domain/search/places.ts';
import {
  type Behaviour,
  type RerankServer,
  refuse,
  startRerankServer,
} from '../../../adapters/rerank/rerank-server.ts';
import { answer, hang } from '../../../support/models/servers/behaving-server.ts';
import { type OpenSearch, openSearch, type SearchOptions } from '../open.ts';

const texts = [
  'The ferry to the island sails at noon, at four and at eight, on every day but Sunday.',
  'Ferry to the island: ask Mara.',
  'The island has a lighthouse; the ferry takes an hour to get there in good weather.',
  'A lighthouse.',
];
const q = 'the ferry to the island';
const long = Array.from(
  { length: 60 },
  (_, at) => `Nails in crate ${at}. ${'It is heavy and stands in a corner. '.repeat(at)}`,
);

/** Of another mind than any search. */
const longestFirst: Behaviour = (response, { body: { documents = [] } }) =>
  answer(response, { results: documents.map(({ length }, index) => ({ index, relevance_score: length })) });

let open: OpenSearch;
let server: RerankServer;
let reranker: Reranker;
beforeAll(async () => {
  open = await openSearch();
  server = await startRerankServer();
  reranker = createEndpointReranker({ url: server.url, model: null, apiKey: null });
  await open.add('island', texts);
  await open.add('crates', long);
  await open.remember('facts', ['Mara has a dog and a boat and a house at the harbour.', 'Mara has a dog.']);
});
beforeEach(() => {
  server.always();
  open.troubles.length = 0;
});
afterAll(async () => {
  await server.close();
  await open[Symbol.asyncDispose]();
});

const searching = (tag: string, options: SearchOptions = { reranker }) => open.searching(options)([tag]);
const hybrid = { searchMode: 'hybrid', limit: 3 };
const ids = ({ results }: { results: readonly { id: string }[] }) => results.map(({ id }) => id);

describe('reranking', () => {
  test('changes the order of the results, and nothing else in them', async () => {
    server.always(longestFirst);
    const usual = await searching('island').memories(q, hybrid);
    const again = await searching('island').memories(q, { ...hybrid, rerank: true });
    const length = (text = '') => text.length;
    expect(again.results.map(({ chunk }) => chunk)).toEqual(
      usual.results.map(({ chunk }) => chunk).sort((a, b) => length(b) - length(a)),
    );
    expect(ids(again)).not.toEqual(ids(usual));
    const sorted = (list: typeof usual) => list.results.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(sorted(again)).toEqual(sorted(usual));
    expect(again).not.toHaveProperty('notes');
  });

  test('raises a result that was ranked too low to be shown', async () => {
    server.always(longestFirst);
    const usual = await searching('crates').memories('nails', { ...hybrid, limit: 2 });
    const again = await searching('crates').memories('nails', { ...hybrid, limit: 2, rerank: true });
    expect(ids(again)).not.toEqual(ids(usual));
    const judged = server.asked.at(-1)?.body;
    expect(judged?.query).toBe('nails');
    expect(judged?.documents).toHaveLength(20);
  });

  test('sends no request without the option', async () => {
    const before = server.asked.length;
    await searching('island').memories(q, hybrid);
    await searching('island').documents(q);
    expect(server.asked).toHaveLength(before);
  });

  test('works on the document search: the best document comes first, with the score of its best chunk', async () => {
    const { results, notes } = await searching('island').documents(q, { rerank: true });
    expect(results[0]?.chunks[0]?.content).toBe('Ferry to the island: ask Mara.');
    for (const { score, chunks } of results)
      expect(score).toBe(Math.max(...chunks.map((chunk) => chunk.score)));
    expect(notes).toBeUndefined();
  });

  test('judges memories by their statements', async () => {
    const { results } = await searching('facts').memories('Mara has a dog', { rerank: true });
    expect(results.map(({ memory }) => memory)).toEqual([
      'Mara has a dog.',
      'Mara has a dog and a boat and a house at the harbour.',
    ]);
  });

  test('judges only results that pass the thresholds', async () => {
    await searching('island').memories(q, { ...hybrid, threshold: 0.6, rerank: true });
    expect(server.asked.at(-1)?.body.documents).not.toContain('A lighthouse.');
  });
});

describe('reranking of every search', () => {
  const limits = { rerankEverySearchMs: 60_000 };

  test('orders the results of searches that do not ask for it', async () => {
    server.always(longestFirst);
    const wanted = await searching('island').memories(q, { ...hybrid, rerank: true });
    const every = await searching('island', { reranker, limits }).memories(q, hybrid);
    expect(ids(every)).not.toEqual(ids(await searching('island').memories(q, hybrid)));
    expect(every.results).toEqual(wanted.results);
    expect(every).not.toHaveProperty('notes');
    const documents = await searching('island', { reranker, limits }).documents(q);
    expect(documents.results).toEqual((await searching('island').documents(q, { rerank: true })).results);
  });

  test('keeps a search on its thread only where the search is reranked', async () => {
    const sent: string[] = [];
    const elsewhere: SearchElsewhere = {
      mayRun: () => true,
      warm: () => true,
      run: async (_scope, { input }) => {
        sent.push(input.q);
        return null;
      },
    };
    // A search with a filter leaves this thread, where it may.
    const filters = { AND: [{ key: 'kind', value: 'note', negate: true }] };
    const chosen = searching('island', { reranker, elsewhere });
    await chosen.documents('a search without it', { filters });
    await chosen.documents('a search that asks for it', { filters, rerank: true });
    await searching('island', { reranker, elsewhere, limits }).documents('every search', { filters });
    expect(sent).toEqual(['a search without it']);
  });

  test('says nothing to a caller who did not ask where no reranker is set', async () => {
    const { results, notes } = await searching('island', { limits }).memories(q, hybrid);
    expect(results).toEqual((await searching('island').memories(q, hybrid)).results);
    expect(notes).toBeUndefined();
  });

  test('keeps the order when its time is over and says so, without a line in the log', async () => {
    server.always(hang);
    const hurried = searching('island', { reranker, limits: { rerankEverySearchMs: 50 } });
    const { results, notes } = await hurried.memories(q, hybrid);
    expect(results).toEqual((await searching('island').memories(q, hybrid)).results);
    expect(notes).toEqual([
      {
        about: 'rerank',
        message: 'Results are in their usual order. No complete answer came within 0.05 s.',
      },
    ]);
    expect(open.troubles).toEqual([]);
  });

  test('writes a log line for a reranker that is out of order', async () => {
    server.always(refuse(500, 'no memory'));
    const { notes } = await searching('island', { reranker, limits }).memories(q, hybrid);
    expect(notes?.[0]?.message).toContain('answered 500');
    expect(open.troubles.join()).toContain('answered 500');
  });

  test('has the time of every search, and a search that asks for it has the usual one', async () => {
    server.always(hang);
    const both = { rerankMs: 80, rerankEverySearchMs: 50 };
    const { notes } = await searching('island', { reranker, limits: both }).memories(q, {
      ...hybrid,
      rerank: true,
    });
    expect(notes?.[0]?.message).toContain('within 0.08 s');
  });
});

describe('reranking that ends early', () => {
  /** Scores the first two texts, the second one higher, and then no other. */
  const endsWith = (end: (signal: AbortSignal) => Promise<never>): Reranker => ({
    name: 'test',
    limits: { texts: 50, characters: 2_000 },
    async *score(_query, _texts, signal) {
      yield [0];
      yield [1];
      await end(signal);
    },
  });
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const fails = (): Promise<never> => Promise.reject(new Error('The thread ended.'));

  test.each([
    ['because its time is over', untilAborted, 'No complete answer came within 0.05 s.'],
    ['because it fails', fails, 'The thread ended.'],
  ])('%s orders what was scored, leaves the rest in its place, and says so', async (_, end, why) => {
    const usual = await searching('island').memories(q, { ...hybrid, limit: 4 });
    const limits = { rerankMs: 50 };
    const { results, notes } = await searching('island', { reranker: endsWith(end), limits }).memories(q, {
      ...hybrid,
      limit: 4,
      rerank: true,
    });
    const [first, second, ...rest] = usual.results;
    expect(results).toEqual([second, first, ...rest]);
    expect(rest).toHaveLength(2);
    expect(notes).toEqual([
      {
        about: 'rerank',
        message: `The reranker scored the first 2 of 4 results; the others keep their order. ${why}`,
      },
    ]);
  });
});

describe('reranking that fails', () => {
  const usual = () => searching('island').memories(q, hybrid);

  test('without a reranker keeps the order and reports it', async () => {
    const { results, notes } = await searching('island', {}).memories(q, { ...hybrid, rerank: true });
    expect(results).toEqual((await usual()).results);
    expect(notes).toEqual([
      {
        about: 'rerank',
        message: expect.stringMatching(
          /no reranker is set: run "memoir models add msmarco-minilm" .* or set MEMOIR_RERANK_URL/,
        ),
      },
    ]);
    expect((await searching('island', {}).documents(q, { rerank: true })).notes).toHaveLength(1);
  });

  test('with an error keeps the order, reports it, and writes a log line', async () => {
    server.always(refuse(500, 'no memory'));
    const { results, notes } = await searching('island').memories(q, { ...hybrid, rerank: true });
    expect(results).toEqual((await usual()).results);
    expect(notes?.[0]?.message).toMatch(/^Results are in their usual order\. .*answered 500/);
    expect(open.troubles.join()).toContain('answered 500');
  });

  test('with a timeout keeps the order, and takes no more time than the limit', async () => {
    server.always(hang);
    const limits = { rerankMs: 80 };
    const { results, notes } = await searching('island', { reranker, limits }).memories(q, {
      ...hybrid,
      rerank: true,
    });
    expect(results).toEqual((await usual()).results);
    expect(notes?.[0]?.message).toContain('No complete answer came within 0.08 s.');
  });

  test('because the caller went away ends the search', async () => {
    const arrived = Promise.withResolvers<void>();
    server.always(() => arrived.resolve());
    const stop = new AbortController();
    const search = searching('island').memories(q, { ...hybrid, rerank: true }, stop.signal);
    const refused = expect(search).rejects.toThrow('gone');
    await arrived.promise;
    stop.abort(new Error('gone'));
    await refused;
  });
});
