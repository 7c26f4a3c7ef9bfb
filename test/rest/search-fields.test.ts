// The fields of the answers of both searches, the options that add more, and the refusals.
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { addTexts, type DocumentResult, routes, searchesOf } from './support/searches.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { v4, memories, documents, refusal } = searchesOf(api);

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const containerTag = 'fields';
const content = 'The lighthouse was built in 1822 and still works.';
const talk = [
  'Ann: Shall we row?',
  'Ben: To where?',
  'Ann: To the lighthouse.',
  'Ben: In this wind?',
  'Ann: It will calm down.',
]; // prettier-ignore
const parts = Array.from(
  { length: 6 },
  (_, n) =>
    `## Day ${n}\n\n${n === 3 ? 'We passed the lighthouse. ' : ''}${`Nothing happened on day ${n}, and the sea was calm. `.repeat(30).trim()}`,
);
let pieces: string[];
let id: string;
let talkId: string;
beforeAll(async () => {
  ({ id } = await api.add({
    content,
    containerTag,
    taskType: 'superrag',
    title: 'Lighthouse',
    filepath: '/coast/lighthouse.md',
    metadata: { kind: 'building', year: 1822, open: true },
  }));
  const log = await api.add({
    content: parts.join('\n\n'),
    containerTag: 'fields-log',
    taskType: 'superrag',
  });
  pieces = await api.texts(log.id);
  ({ id: talkId } = await api.add({
    content: talk.join('\n'),
    containerTag: 'fields-talk',
    taskType: 'superrag',
  }));
});

const shown = ({ chunks }: DocumentResult) =>
  chunks.map(({ content: text, isRelevant }): [string, boolean] => [text, isRelevant]);

const only = async <T>(found: Promise<T[]>): Promise<T> => {
  const [first, ...others] = await found;
  if (first === undefined || others.length > 0) throw new Error(`There were ${others.length + 1} results.`);
  return first;
};

describe('POST /v4/search', () => {
  const searchMode = 'hybrid';

  verifies(
    ['search:v4:fields', 'search:v4:no-context'],
    'POST /v4/search answers results, timing and total',
    async () => {
      const answer = await v4({ q: 'When was the lighthouse built?', containerTag, searchMode });
      const { timing } = answer.body as { timing: number };
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      expect(answer.body).toEqual({
        results: [
          {
            id: expect.any(String),
            chunk: content,
            content,
            match: { text: content, position: 0 },
            similarity: expect.any(Number),
            metadata: { kind: 'building', year: 1822, open: true },
            updatedAt: expect.stringMatching(UTC),
            filepath: '/coast/lighthouse.md',
          },
        ],
        timing: expect.any(Number),
        total: 1,
      });
      expect(timing).toBeGreaterThanOrEqual(0);
      expect((await v4({ q: 'lighthouse', containerTag: 'empty' })).body).toMatchObject({
        results: [],
        total: 0,
      });
    },
  );

  verifies(
    'search:v4:include-documents',
    'POST /v4/search adds the source document when asked for documents',
    async () => {
      const hit = await only(
        memories('lighthouse', { containerTag, searchMode, include: { documents: true } }),
      );
      expect(hit.documents).toEqual([
        {
          id,
          title: 'Lighthouse',
          type: 'text',
          metadata: { kind: 'building', year: 1822, open: true },
          createdAt: expect.stringMatching(UTC),
          updatedAt: expect.stringMatching(UTC),
        },
      ]);
      expect(await only(memories('lighthouse', { containerTag, searchMode }))).not.toHaveProperty(
        'documents',
      );
    },
  );

  verifies(
    'search:v4:include-summaries',
    "POST /v4/search adds the source document's summary when asked for summaries",
    async () => {
      const { summary } = (await api.read(id)) as unknown as { summary: string | null };
      const hit = await only(
        memories('lighthouse', { containerTag, searchMode, include: { summaries: true } }),
      );
      expect(hit.documents).toEqual([
        { id, summary, createdAt: expect.any(String), updatedAt: expect.any(String) },
      ]);
      const both = { documents: true, summaries: true };
      const full = await only(memories('lighthouse', { containerTag, searchMode, include: both }));
      expect(full.documents).toEqual([expect.objectContaining({ id, title: 'Lighthouse', summary })]);
    },
  );

  verifies(
    'search:params:only-matching-chunks',
    'POST /v4/search shows a hit with its neighbours unless only matches are wanted',
    async () => {
      const asked = { containerTag: 'fields-talk', searchMode: 'hybrid', limit: 1, threshold: 0 };
      const alone = await only(memories('lighthouse', { ...asked, onlyMatchingChunks: true }));
      const around = await only(memories('lighthouse', { ...asked, onlyMatchingChunks: false }));
      expect(alone.chunk).toBe('Ann: To the lighthouse.');
      expect(around).toMatchObject({ id: alone.id, chunk: talk.join('\n') });
    },
  );
});

describe('POST /v3/search', () => {
  verifies(
    'search:v3:fields',
    'POST /v3/search answers documents with their score and their scored chunks',
    async () => {
      const { body } = await api.ask('POST', '/v3/search', {
        q: 'When was the lighthouse built?',
        containerTag,
      });
      expect(body).toEqual({
        results: [
          {
            documentId: id,
            title: 'Lighthouse',
            type: 'text',
            metadata: { kind: 'building', year: 1822, open: true },
            score: expect.any(Number),
            createdAt: expect.stringMatching(UTC),
            updatedAt: expect.stringMatching(UTC),
            chunks: [{ content, score: expect.any(Number), isRelevant: true, position: 0 }],
          },
        ],
        timing: expect.any(Number),
        total: 1,
      });
    },
  );

  verifies(
    [
      'search:v3:neighbours',
      'search:v3:position',
      'search:params:only-matching-chunks',
      'search:params:both-routes',
    ],
    'POST /v3/search gives hits alone by default, and their neighbours as not relevant when asked',
    async () => {
      const asked = { containerTag: 'fields-log', searchMode: 'keyword' };
      const at = pieces.findIndex((text) => text.includes('lighthouse'));
      expect(at).toBeGreaterThan(0);
      const hits = await only(documents('lighthouse', asked));
      expect(shown(hits)).toEqual([[pieces[at], true]]);
      expect(await only(documents('lighthouse', { ...asked, onlyMatchingChunks: true }))).toEqual(hits);
      const around = await only(documents('lighthouse', { ...asked, onlyMatchingChunks: false }));
      expect(shown(around)).toEqual([
        [pieces[at - 1], false],
        [pieces[at], true],
        [pieces[at + 1], false],
      ]);
      expect(around.chunks.map(({ position }) => position)).toEqual([at - 1, at, at + 1]);
    },
  );

  verifies(
    'search:v3:neighbours',
    'POST /v3/search shows two turns on each side of what was said in a conversation',
    async () => {
      const asked = { containerTag: 'fields-talk', searchMode: 'keyword' };
      const best = (await only(documents('lighthouse', asked))).score;
      // Turns are ranked in the light of what was said around them, so that they match as well, if less.
      const strict = { ...asked, chunkThreshold: best, onlyMatchingChunks: false };
      const around = await only(documents('lighthouse', strict));
      expect(around.documentId).toBe(talkId);
      expect(shown(around)).toEqual(talk.map((text) => [text, text.includes('lighthouse')]));
    },
  );

  verifies(
    'search:v3:full-docs',
    "POST /v3/search adds the document's content with includeFullDocs",
    async () => {
      const asked = { containerTag: 'fields-talk' };
      expect((await documents('lighthouse', { ...asked, includeFullDocs: true }))[0]?.content).toBe(
        talk.join('\n'),
      );
      expect((await documents('lighthouse', asked))[0]).not.toHaveProperty('content');
    },
  );

  verifies(
    'search:v3:summary',
    "POST /v3/search adds the document's summary with includeSummary",
    async () => {
      const { summary } = (await api.read(id)) as unknown as { summary: string | null };
      expect((await only(documents('lighthouse', { containerTag, includeSummary: true }))).summary).toBe(
        summary,
      );
      expect(await only(documents('lighthouse', { containerTag }))).not.toHaveProperty('summary');
    },
  );

  verifies(
    'search:v3:deprecated-ignored',
    'POST /v3/search takes categoriesFilter and ignores it',
    async () => {
      const plain = await documents('lighthouse', { containerTag });
      expect(await documents('lighthouse', { containerTag, categoriesFilter: ['no such category'] })).toEqual(
        plain,
      );
    },
  );
});

describe('limit', () => {
  const many = 'fields-many';
  beforeAll(() =>
    addTexts(
      api,
      many,
      Array.from({ length: 120 }, (_, n) => `Boat number ${n} lies in the bay.`),
      'superrag',
    ),
  );

  verifies(['search:v4:limit', 'search:v3:limit'], 'limit is 1 to 100, and 10 unless given', async () => {
    const asked = { containerTag: many, threshold: 0, searchMode: 'hybrid' };
    const q = 'Which boat lies in the bay?';
    for (const find of [memories, documents]) {
      expect(await find(q, asked)).toHaveLength(10);
      for (const limit of [1, 37, 100]) expect(await find(q, { ...asked, limit })).toHaveLength(limit);
    }
    for (const route of routes)
      for (const limit of [0, 101, -1, 2.5, 'all'])
        expect(await refusal(route, { q, limit })).toBe(
          'Invalid request: limit: must be a whole number from 1 to 100',
        );
  });
});

describe('a search that cannot be understood', () => {
  verifies(
    ['search:v4:query-required', 'search:v3:query-required', 'errors:400:bad-request'],
    'a search that cannot be understood fails with 400 without a query',
    async () => {
      for (const route of routes) {
        expect(await refusal(route, {})).toBe('Invalid request: q: is required');
        for (const q of ['', ' \n\t', 7, null, ['x']]) expect(await refusal(route, { q })).toContain('q: ');
      }
    },
  );

  verifies(
    'errors:validation:names-all',
    'a search that cannot be understood names every bad field in one answer',
    async () => {
      const bad = {
        limit: 0,
        chunkThreshold: 2,
        documentThreshold: '0.5',
        docId: '',
        containerTags: ['fine', 7],
        filters: { AND: [{ key: 'a' }, { value: 'b' }] },
        searchMode: 'fuzzy',
      };
      for (const route of routes) {
        const error = await refusal(route, bad);
        const named = [
          ...Object.keys(bad),
          'q',
          'containerTags[1]',
          'filters.AND[0].value',
          'filters.AND[1].key',
        ];
        for (const field of named) expect(error, route).toContain(field);
      }
      expect(await refusal('/v4/search', { q: 'x', threshold: 1.5, include: { chunks: 7 } })).toMatch(
        /threshold: .*include\.chunks: /,
      );
    },
  );
});
