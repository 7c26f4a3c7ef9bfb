// Tests of searching with other wordings of a query.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOpenAiSearchModel } from '../../../../server/adapters/language-model/openai/search-model.ts';
import type { SearchModel } from '../../../../server/adapters/language-model/ports/search-model.ts';
import { rewriteByRules } from '../../../../server/domain/search/options/rewrite-query.ts';
import { type ChatServer, says, startChatServer } from '../../../adapters/language-model/chat-server.ts';
import { hang, refuse } from '../../../support/models/servers/behaving-server.ts';
import { type OpenSearch, openSearch, type SearchOptions } from '../open.ts';

const today = Date.UTC(2023, 4, 8, 12);
const now = () => today;

let open: OpenSearch;
let server: ChatServer;
let model: SearchModel;
beforeAll(async () => {
  open = await openSearch();
  server = await startChatServer(says({ content: '{"queries": []}' }));
  model = createOpenAiSearchModel({ model: 'm', apiKey: 'k', baseUrl: server.baseUrl });
  await open.add('home', [
    'The boiler needs a pressure of one bar.',
    'Our landlady lives in Bruges.',
    'Grandmother bakes plum cake every Sunday.',
  ]);
  await open.add('talk', [
    'Date: 7 May 2023\nAnn: I went to the museum.\nBen: I repaired the roof.\nAnn: It was crowded there.',
    'Date: 1 March 2023\nAnn: I went to the theatre.\nBen: I sold the car.',
  ]);
});
beforeEach(() => {
  open.troubles.length = 0;
});
afterAll(async () => {
  await server.close();
  await open[Symbol.asyncDispose]();
});

const searching = (tag: string, options: SearchOptions = { model, now }) => open.searching(options)([tag]);
const wording = (...queries: string[]) => server.next(says({ content: JSON.stringify({ queries }) }));
const asked = { searchMode: 'hybrid', threshold: 0.6, rewriteQuery: true };
const texts = ({ results }: { results: readonly { chunk?: string | undefined }[] }) =>
  results.map(({ chunk }) => chunk);

describe('a query with other wordings', () => {
  test('finds results of another wording, at a slightly lower score', async () => {
    const q = 'Who owns the flat, and what does the heating want?';
    const plain = await searching('home').memories(q, { ...asked, rewriteQuery: false });
    expect(plain.results).toEqual([]);
    wording('Where does our landlady live?', 'pressure of the boiler');
    const { results, notes } = await searching('home').memories(q, asked);
    expect(results.map(({ chunk }) => chunk).sort()).toEqual([
      'Our landlady lives in Bruges.',
      'The boiler needs a pressure of one bar.',
    ]);
    expect(notes).toBeUndefined();
    const alone = await searching('home').memories('pressure of the boiler', {
      ...asked,
      rewriteQuery: false,
    });
    const boiler = results.find(({ chunk }) => chunk?.includes('boiler'));
    expect(boiler?.similarity).toBeCloseTo(0.9 * (alone.results[0]?.similarity ?? 0), 3);
  });

  test('keeps the best results of the query itself, each result once', async () => {
    wording('boiler pressure in bar', 'pressure');
    const { results } = await searching('home').memories('The boiler needs pressure', asked);
    const alone = await searching('home').memories('The boiler needs pressure', {
      ...asked,
      rewriteQuery: false,
    });
    expect(results).toEqual(alone.results);
  });

  test('works on the document search', async () => {
    wording('Where does our landlady live?');
    const { results } = await searching('home').documents('Who owns the flat?', {
      rewriteQuery: true,
      chunkThreshold: 0.6,
    });
    expect(results.flatMap(({ chunks }) => chunks.map(({ content }) => content))).toEqual([
      'Our landlady lives in Bruges.',
    ]);
  });

  test('sends no request to the model without the option', async () => {
    const before = server.asked.length;
    await searching('home').memories('boiler', { ...asked, rewriteQuery: false });
    expect(server.asked).toHaveLength(before);
  });
});

describe('a query that no model rewrites', () => {
  test('gets a note when no model is configured, and still uses the dates that it names', async () => {
    const q = 'What happened yesterday?';
    const { results, notes, explain } = await searching('talk', { now }).memories(q, {
      ...asked,
      threshold: 0,
      include: { explain: true },
    });
    const plain = await searching('talk', { now }).memories(q, {
      ...asked,
      threshold: 0,
      rewriteQuery: false,
    });
    const museum = (found: typeof results) =>
      found.find(({ chunk }) => chunk?.includes('museum'))?.similarity ?? 0;
    expect(museum(results)).toBeGreaterThan(museum(plain.results));
    expect(notes).toEqual([
      {
        about: 'rewriteQuery',
        message: expect.stringMatching(/not reworded because no language model is set/),
      },
    ]);
    expect(explain?.searches.map(({ query }) => query)).toContain(`${q} (7 May 2023)`);
  });

  test('is split by its speakers when it names several', async () => {
    const q = 'What did Ann and Ben do?';
    const { explain } = await searching('talk', { now }).memories(q, {
      ...asked,
      include: { explain: true },
    });
    const wordings = new Set(explain?.searches.map(({ query }) => query));
    expect([...wordings].sort()).toEqual([
      'What did Ann and Ben do?',
      'What did Ann and do?',
      'What did and Ben do?',
    ]);
    expect(explain?.searches.map(({ speaker }) => speaker)).toContain('Ben');
  });

  test.each([
    ['fails', refuse(500, 'oh no'), /not reworded: only the dates.*does not answer now/],
    ['talks', says({ content: 'Sure!' }), /no usable answer/],
    ['hangs', hang, /No complete answer came within 0.1 s/],
  ])('because the model %s is searched unchanged, with a note', async (_how, behaviour, sentence) => {
    server.next(behaviour);
    // A short limit is for the model that never answers: the others need the time of a busy machine.
    const limits = behaviour === hang ? { modelMs: 100 } : {};
    const { results, notes } = await searching('home', { model, now, limits }).memories('plum cake', asked);
    expect(texts({ results })).toEqual(['Grandmother bakes plum cake every Sunday.']);
    expect(notes?.map(({ message }) => message).join()).toMatch(sentence);
    expect(open.troubles.join()).toMatch(sentence);
  });
});

describe('the rules for wordings', () => {
  const reword = (q: string, speakers: string[] = []) => rewriteByRules(q, today, speakers);

  test('write relative dates out', () => {
    expect(reword('What happened last month?')).toEqual(['What happened last month? (April 2023)']);
    expect(reword('What happened?')).toEqual([]);
  });

  test('separate several speakers by whole names alone, with any characters in them', () => {
    expect(reword('Do Ann and Ben like Anna?', ['Ann', 'Ben'])).toEqual([
      'Do Ann and like Anna?',
      'Do and Ben like Anna?',
    ]);
    expect(reword('Does Ann like tea?', ['Ann', 'Ben'])).toEqual([]);
    expect(reword('What do Mr. (X) and Zoë say?', ['Mr. (X)', 'Zoë'])).toHaveLength(2);
  });

  test('make no more wordings than the search uses', () => {
    const speakers = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eva'];
    expect(reword(`What did ${speakers.join(' and ')} do today?`, speakers)).toHaveLength(3);
  });
});
