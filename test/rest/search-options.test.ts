// The options of a search beside its query: another order, other wordings, results put together, and reasons.

import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type ChatServer, says, startChatServer } from '../adapters/language-model/chat-server.ts';
import { type RerankServer, refuse, startRerankServer } from '../adapters/rerank/rerank-server.ts';
import { verifies } from '../spec/verifies.ts';
import { startMemoir } from '../support/memoir.ts';
import { hang } from '../support/models/servers/behaving-server.ts';
import { addTexts, notes, routes, searchesOf, textOf } from './support/searches.ts';
import { create } from './support/tell.ts';
import { useMemoir, useOwnMemoir } from './support/use-memoir.ts';

let reranking: RerankServer;
let chat: ChatServer;
beforeAll(async () => {
  reranking = await startRerankServer();
  chat = await startChatServer(says({ content: '{}' }));
});
afterAll(() => Promise.all([reranking.close(), chat.close()]));

const alone = useMemoir();
const helped = useOwnMemoir(() => ({
  MEMOIR_RERANK_URL: `${reranking.url}/v1/rerank`,
  MEMOIR_RERANK_API_KEY: 'secret',
  OPENAI_MODEL: 'searcher',
  OPENAI_BASE_URL: chat.baseUrl,
}));
const containerTag = 'notes';
beforeAll(async () => {
  for (const api of [alone, helped]) await addTexts(api, containerTag, Object.values(notes), 'superrag');
  for (const api of [alone, helped])
    await create(api, 'ada', ['Ada lives in Lyon.', 'Ada lived in Ghent until May 2023.']);
});
beforeEach(() => reranking.always());

type Notes = { about: string; message: string }[] | undefined;
const notesIn = (body: object): Notes => ('notes' in body ? (body.notes as Notes) : undefined);

const asked = { q: 'When does the train to Lyon leave?', containerTag, searchMode: 'hybrid', threshold: 0 };
const ask = async (api: typeof alone, route: (typeof routes)[number], more: object) => {
  const answer = await api.ask<{ results: { id: string; documentId: string }[] }>('POST', route, {
    ...asked,
    ...more,
  });
  expect(answer.status).toBe(200);
  return answer.body;
};
const saying = (value: object) => chat.next(says({ content: JSON.stringify(value) }));

describe('where nothing is set', () => {
  verifies(
    ['search:options:notes', 'search:rewrite:without-model', 'search:v4:aggregate'],
    'every wish is answered as if it had not been made, and with a note',
    async () => {
      for (const route of routes) {
        const plain = await ask(alone, route, {});
        const wished = await ask(alone, route, { rerank: true, rewriteQuery: true, aggregate: true });
        expect(wished.results).toEqual(plain.results);
        const abouts =
          route === '/v4/search' ? ['rewriteQuery', 'rerank', 'aggregate'] : ['rewriteQuery', 'rerank'];
        expect(notesIn(wished)?.map(({ about }) => about)).toEqual(abouts);
        expect(
          notesIn(wished)
            ?.map(({ message }) => message)
            .join(),
        ).toContain('OPENAI_MODEL');
        expect(plain).not.toHaveProperty('notes');
      }
    },
  );
});

describe('rerank', () => {
  verifies(
    ['search:v4:rerank', 'search:v3:rerank', 'search:rerank:order-alone'],
    'rerank orders the results anew, and changes nothing else of them',
    async () => {
      for (const route of routes) {
        const plain = await ask(helped, route, { limit: 5 });
        reranking.always((response, { body }) => {
          const results = (body.documents ?? []).map((_, index) => ({ index, relevance_score: index }));
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
        });
        const again = await ask(helped, route, { limit: 20, rerank: true });
        const idOf = ({ id, documentId }: { id: string; documentId: string }) => id ?? documentId;
        expect(idOf(again.results.at(-1) ?? { id: '', documentId: '' })).toBe(
          idOf(plain.results[0] ?? { id: '', documentId: '' }),
        );
        for (const one of plain.results)
          expect(again.results.find((other) => idOf(other) === idOf(one))).toEqual(one);
        expect(reranking.asked.at(-1)?.authorization).toBe('Bearer secret');
      }
    },
  );

  verifies(
    'search:options:notes',
    'rerank leaves the order where its service fails, and says so',
    async () => {
      for (const route of routes) {
        const plain = await ask(helped, route, {});
        reranking.always(refuse(500, 'out of order'));
        const again = await ask(helped, route, { rerank: true });
        expect(again.results).toEqual(plain.results);
        expect(notesIn(again)).toEqual([
          { about: 'rerank', message: expect.stringMatching(/usual order.*answered 500/) },
        ]);
      }
    },
  );

  verifies('search:options:notes', 'rerank leaves the order where its service takes too long', async () => {
    const impatient = await startMemoir(
      { MEMOIR_RERANK_URL: reranking.url },
      { searchLimits: { rerankMs: 100 } },
    );
    try {
      for (const content of [notes.train, notes.tea]) await impatient.add({ content, containerTag });
      reranking.always(hang);
      const { status, body } = await impatient.ask('POST', '/v4/search', { ...asked, rerank: true });
      expect(status).toBe(200);
      expect(notesIn(body)?.[0]?.message).toContain('No complete answer came within 0.1 s');
    } finally {
      await impatient.close();
    }
  });
});

describe('rewriteQuery', () => {
  verifies(
    ['search:v4:rewrite-query', 'search:v3:rerank'],
    'rewriteQuery searches other wordings too, and merges what they find',
    async () => {
      const q = 'What hides behind the hum in the cellar?';
      const strict = { q, threshold: 0.6, chunkThreshold: 0.6 };
      for (const route of routes) {
        expect((await ask(helped, route, strict)).results).toEqual([]);
        saying({ queries: ['pressure of the boiler', 'the green tea that Ada prefers'] });
        const found = await ask(helped, route, { ...strict, rewriteQuery: true });
        expect(found.results).toHaveLength(2);
        expect(JSON.stringify(found.results)).toContain(notes.boiler);
        expect(JSON.stringify(found.results)).toContain(notes.tea);
        expect(found).not.toHaveProperty('notes');
      }
    },
  );
});

describe('aggregate', () => {
  verifies(
    ['search:v4:aggregate', 'search:aggregate:from'],
    'aggregate adds a marked memory that rests on several results, within the limit, and stores nothing',
    async () => {
      const { memories } = searchesOf(helped);
      const wish = { containerTag: 'ada', threshold: 0, aggregate: true, limit: 2 };
      const plain = await memories('Where does Ada live?', { ...wish, aggregate: false });
      saying({ statements: [{ statement: 'Ada moved from Ghent to Lyon in May 2023.', from: [1, 2] }] });
      const [made, ...rest] = await memories('Where does Ada live?', wish);
      expect(made).toMatchObject({
        memory: 'Ada moved from Ghent to Lyon in May 2023.',
        isAggregated: true,
        aggregatedFrom: plain.map(({ id }) => id),
        similarity: plain[0]?.similarity,
      });
      expect(rest).toEqual(plain.slice(0, 1));
      const stored = await memories('Where does Ada live?', { ...wish, aggregate: false, limit: 10 });
      expect(stored.map(textOf)).toEqual(plain.map(textOf));
    },
  );
});

describe('explain', () => {
  interface Explained {
    results: { id: string; explain?: object; chunks: { explain?: object }[] }[];
    explain?: { about?: { kind: string | null; shown: boolean; removedBy: { step: string }[] } };
  }
  const explaining = async (
    route: (typeof routes)[number],
    include: object,
    more: object = {},
    key?: string,
  ) => {
    const answer = await alone.ask<Explained>(
      'POST',
      route,
      { ...asked, ...more, include },
      key === undefined ? {} : { key },
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };

  verifies(
    'search:explain:parts',
    'explain adds what each result is made of, on both searches, when asked',
    async () => {
      const parts = {
        evidence: expect.any(Number),
        similarity: expect.any(Number),
        words: {
          strength: expect.any(Number),
          fields: { body: expect.any(Number) },
          terms: expect.any(Array),
        },
        vector: { cosine: expect.any(Number), relevance: expect.any(Number), weight: expect.any(Number) },
        priors: expect.any(Array),
      };
      const memories = await explaining('/v4/search', { explain: true });
      expect(memories.results[0]?.explain).toMatchObject({ ...parts, window: { before: 0, after: 0 } });
      const documents = await explaining('/v3/search', { explain: true });
      expect(documents.results[0]?.chunks[0]?.explain).toMatchObject(parts);
      for (const route of routes) expect(await explaining(route, {})).not.toHaveProperty('explain');
    },
  );

  verifies(
    'search:explain:id',
    'a passage of which a memory was drawn is told apart in searches for memories',
    async () => {
      const content = 'Ada: I live in Lyon.';
      const { id } = await alone.add({ content, containerTags: ['told'] });
      await alone.memoir.remembered(id);
      const about = async (more: object) => {
        const include = { explainId: passage };
        return (await explaining('/v4/search', include, { containerTag: 'told', ...more })).explain?.about;
      };
      const { results } = await explaining(
        '/v4/search',
        {},
        { containerTag: 'told', searchMode: 'documents' },
      );
      const passage = results[0]?.id ?? '';
      expect(await about({ searchMode: 'documents' })).toMatchObject({ kind: 'chunk', shown: true });
      expect((await about({ searchMode: 'memories' }))?.removedBy).toMatchObject([{ step: 'unspoken' }]);
    },
  );

  verifies(
    'search:explain:id',
    'explain tells what kept an id out, and nothing of what is outside the tags',
    async () => {
      const [ours = ''] = await addTexts(alone, 'ours', ['The gate is green.'], 'superrag');
      const [theirs = ''] = await addTexts(alone, 'theirs', ['The gate is red.'], 'superrag');
      const key = await alone.memoir.scopedKey(['ours']);
      for (const route of routes) {
        const about = async (explainId: string, more: object = {}) =>
          (await explaining(route, { explainId }, { containerTag: 'ours', ...more }, key)).explain?.about;
        expect(await about(ours)).toMatchObject({ kind: 'document', shown: true, removedBy: [] });
        const filters = { AND: [{ key: 'colour', value: 'red' }] };
        expect((await about(ours, { filters }))?.removedBy).toMatchObject([{ step: 'filters' }]);
        const missing = await about('no-such-document');
        expect(missing).toMatchObject({ kind: null, shown: false, removedBy: [{ step: 'unknown' }] });
        expect(await about(theirs)).toEqual({ ...missing, id: theirs });
      }
    },
  );
});
