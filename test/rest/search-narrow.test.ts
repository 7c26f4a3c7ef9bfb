// A search is narrowed by tags, a document, an end user, a path, metadata, thresholds; on both routes.
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Route, routes, searchesOf } from './support/searches.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();
const { memories, documents, namesIn, refusal } = searchesOf(api);

const NOBODY = '1ChDvHAMGsTYotPNsRQ1Zw';
const [north, south] = ['north/sea 1', '南の港'];
const ids: Record<string, string> = {};

const add = async (name: string, content: string, fields: object, metadata: object = {}) => {
  const { id } = await api.add({
    content,
    customId: `the ${name}`,
    ...fields,
    metadata: { name, ...metadata },
  });
  ids[name] = id;
};

beforeAll(async () => {
  await add(
    'quay',
    'The harbour has a new quay.',
    { containerTag: north, filepath: '/ports/quay.md' },
    { endUserId: 'ada' },
  );
  await add(
    'crane',
    'The crane in the harbour is being painted.',
    { containerTag: north, filepath: '/ports/old/crane.md' },
    { endUserId: 'bob' },
  );
  await add(
    'inn',
    'There is an inn by the harbour.',
    { containerTag: south, filepath: '/ports' },
    { endUserId: 'ada', stars: 3 },
  );
  await add(
    'pier',
    'The pier begins where the harbour ends.',
    { containerTags: [north, south] },
    { stars: 5 },
  );
});

/** Both routes find the same. */
const bothFind = async (more: Record<string, unknown>, names: string[]) => {
  for (const route of routes) expect([route, await namesIn(route, more)]).toEqual([route, names]);
};

describe('a search', () => {
  verifies(
    'search:params:tags',
    'a search is narrowed by container tag; several tags give their union',
    async () => {
      await bothFind({ containerTag: north }, ['crane', 'pier', 'quay']);
      await bothFind({ containerTag: south }, ['inn', 'pier']);
      await bothFind({ containerTags: [north, south] }, ['crane', 'inn', 'pier', 'quay']);
      await bothFind({ containerTag: north, containerTags: [south] }, ['crane', 'inn', 'pier', 'quay']);
      await bothFind({ containerTag: 'nowhere' }, []);
    },
  );

  verifies(
    ['search:params:doc-id', 'search:params:both-routes'],
    'a search is restricted to one document by its id or its customId',
    async () => {
      await bothFind({ docId: ids.crane }, ['crane']);
      await bothFind({ docId: 'the inn' }, ['inn']);
      await bothFind({ docId: ids.crane, containerTag: north }, ['crane']);
    },
  );

  verifies(
    ['search:v3:doc-id-missing', 'search:params:doc-id-foreign'],
    'a search for a document that does not exist, or is out of reach, is 404 on v3 and empty on v4',
    async () => {
      const wrong = [{ docId: NOBODY }, { docId: 'the lighthouse' }, { docId: ids.inn, containerTag: north }];
      for (const one of wrong) {
        expect(await refusal('/v3/search', { q: 'harbour', ...one }, 404)).toContain('There is no document');
        expect(await namesIn('/v4/search', one)).toEqual([]);
      }
      const key = await api.memoir.scopedKey([south]);
      const foreign = { q: 'harbour', docId: ids.crane };
      expect((await api.ask<Refusal>('POST', '/v3/search', foreign, { key })).status).toBe(404);
      expect((await api.ask('POST', '/v4/search', foreign, { key })).body).toMatchObject({ results: [] });
    },
  );

  verifies(
    ['search:params:end-user-id', 'search:params:end-user-metadata', 'search:params:both-routes'],
    'a search is narrowed to one end user by the metadata of that name',
    async () => {
      await bothFind({ endUserId: 'ada' }, ['inn', 'quay']);
      await bothFind({ endUserId: 'ada', containerTag: north }, ['quay']);
      await bothFind({ endUserId: 'Ada' }, []);
      await bothFind({ endUserId: 'ada', filters: { OR: [{ key: 'stars', value: '3' }] } }, ['inn']);
    },
  );

  verifies(
    ['search:v3:filepath', 'search:v4:filepath'],
    'a search is narrowed by path, exactly or below it when it ends with a slash',
    async () => {
      await bothFind({ filepath: '/ports/quay.md' }, ['quay']);
      await bothFind({ filepath: '/ports' }, ['inn']);
      await bothFind({ filepath: '/ports/' }, ['crane', 'quay']);
      await bothFind({ filepath: '/ports/old/' }, ['crane']);
      await bothFind({ filepath: '/' }, ['crane', 'inn', 'quay']);
      await bothFind({ filepath: '/PORTS/' }, []);
      await bothFind({ filepath: '/port%/' }, []);
    },
  );

  verifies('search:params:metadata', 'a search is narrowed by metadata filters', async () => {
    await bothFind(
      {
        filters: {
          AND: [
            { key: 'endUserId', value: 'ada' },
            { key: 'stars', value: '3' },
          ],
        },
      },
      ['inn'],
    );
    await bothFind(
      { filters: { AND: [{ key: 'stars', value: '4', filterType: 'numeric', numericOperator: '>' }] } },
      ['pier'],
    );
    await bothFind(
      { filters: { AND: [{ key: 'endUserId', value: 'ada', negate: true }] }, containerTag: north },
      ['crane', 'pier'],
    );
  });
});

describe('a threshold', () => {
  const tag = 'thresholds';
  const exact = 'Tide tables for the harbour entrance.';
  // A similarity depends on the number of memories, so all of them are drawn before one is compared with another.
  beforeAll(async () => {
    const texts = {
      exact,
      partly: 'Tables and chairs for the canteen.',
      other: 'Our cat sleeps all day long.',
    };
    for (const [name, content] of Object.entries(texts)) {
      const { id } = await api.add({ content, containerTag: tag, metadata: { name }, taskType: 'superrag' });
      await api.memoir.remembered(id);
    }
  });
  const q = 'tide tables for the harbour entrance';
  const asked = { q, containerTag: tag, searchMode: 'hybrid' };

  const scores = async (route: Route): Promise<Map<string, number>> => {
    const found =
      route === '/v3/search' ? await documents(q, asked) : await memories(q, { ...asked, threshold: 0 });
    return new Map(
      found.map((hit) => [String(hit.metadata?.name), 'score' in hit ? hit.score : hit.similarity]),
    );
  };

  verifies(
    ['search:params:chunk-threshold', 'search:params:document-threshold', 'search:params:both-routes'],
    'a threshold of chunks or of documents leaves out what is below it, and keeps what is not',
    async () => {
      for (const route of routes) {
        const known = await scores(route);
        const best = known.get('exact') ?? 0;
        const second = known.get('partly') ?? 0;
        expect(best).toBeGreaterThan(second);
        for (const field of ['chunkThreshold', 'documentThreshold']) {
          expect(await namesIn(route, { ...asked, [field]: second })).toEqual(['exact', 'partly']);
          expect(await namesIn(route, { ...asked, [field]: (best + second) / 2 })).toEqual(['exact']);
          expect(await namesIn(route, { ...asked, [field]: 1 })).toEqual([]);
        }
      }
    },
  );

  verifies('search:params:document-threshold-default', 'a threshold is 0 for both unless given', async () => {
    for (const route of routes) {
      const found = await namesIn(route, asked);
      expect(found).toEqual(['exact', 'other', 'partly']);
      expect(await namesIn(route, { ...asked, documentThreshold: 0, chunkThreshold: 0 })).toEqual(found);
    }
  });

  verifies(
    'search:params:document-threshold',
    'a threshold of documents is judged by the best chunk of each',
    async () => {
      const long = `# Harbour\n\n${exact}\n\n# Canteen\n\n${'The canteen serves soup at noon and stew at one. '.repeat(40)}`;
      const containerTag = api.newTag();
      await api.add({ content: long, containerTag });
      const all = await documents(q, { containerTag });
      const chunks = all[0]?.chunks ?? [];
      expect(chunks.length).toBeGreaterThan(1);
      const [best = 0, ...others] = chunks.map(({ score }) => score);
      expect(Math.max(...others)).toBeLessThan(best);
      expect(all[0]?.score).toBe(best);
      const kept = await documents(q, { containerTag, documentThreshold: best });
      expect(kept[0]?.chunks).toEqual(chunks);
      const cut = await documents(q, { containerTag, chunkThreshold: best });
      expect(cut[0]?.chunks).toEqual(chunks.slice(0, 1));
    },
  );

  verifies(
    'search:v4:threshold',
    'a threshold of /v4/search is a floor on similarity, 0.6 unless given',
    async () => {
      const known = await scores('/v4/search');
      expect(known.get('exact')).toBeGreaterThan(0.6);
      expect(known.get('other')).toBeLessThan(0.6);
      const byDefault = await memories(q, asked);
      expect(byDefault).toEqual(await memories(q, { ...asked, threshold: 0.6 }));
      expect(byDefault.every(({ similarity }) => similarity >= 0.6)).toBe(true);
      expect(byDefault.length).toBeLessThan(known.size);
      expect(await memories(q, { ...asked, threshold: known.get('exact') })).toHaveLength(1);
    },
  );
});
