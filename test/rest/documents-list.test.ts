// Listing documents over REST: by tag, metadata and path, page by page, in both forms.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type ListBody, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

type Fields = Record<string, unknown>;

const batch = async (documents: Fields[], more: Fields = {}): Promise<string[]> => {
  const { body } = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', {
    documents,
    ...more,
  });
  await api.memoir.idle();
  return body.results.map(({ id }) => id);
};

const byQuery = async (fields: Record<string, string> | [string, string][]) => {
  const { status, body } = await api.ask<ListBody>('GET', `/v3/documents?${new URLSearchParams(fields)}`);
  expect(status).toBe(200);
  return body;
};

const idsOf = ({ memories }: ListBody): string[] => memories.map(({ id }) => id);
const listed = async (fields: Fields): Promise<string[]> => idsOf(await api.list(fields));

describe('a list', () => {
  verifies(
    ['documents:list:get', 'documents:list:post', 'documents:list:item-fields', 'documents:get:progress'],
    'a list is the same by GET and by POST, and its items carry every published field',
    async () => {
      const tag = api.newTag();
      const [id] = await batch([{ content: 'The only one.' }], { containerTag: tag });
      const body = await api.list({ containerTags: [tag] });
      expect(body).toEqual({
        memories: [
          {
            id,
            customId: null,
            connectionId: null,
            title: 'The only one',
            summary: 'The only one.',
            type: 'text',
            status: 'done',
            step: 'done',
            progress: null,
            failure: null,
            note: null,
            metadata: null,
            filepath: null,
            url: null,
            containerTags: [tag],
            createdAt: expect.stringMatching(/Z$/),
            updatedAt: expect.stringMatching(/Z$/),
          },
        ],
        pagination: { currentPage: 1, totalItems: 1, totalPages: 1, limit: 10 },
      });
      expect(await byQuery({ containerTags: tag })).toEqual(body);
    },
  );

  verifies(
    'documents:list:no-body',
    'a list is asked for by a POST without body and content type',
    async () => {
      await batch([{ content: 'There is something to list.' }]);
      const everything = await api.ask<ListBody>('POST', '/v3/documents/list');
      expect(everything.status).toBe(200);
      expect(everything.body).toEqual(await api.list({}));
      expect(everything.body.memories.length).toBeGreaterThan(0);
    },
  );

  verifies('documents:list:include-content', 'a list has the contents only when asked for', async () => {
    const tag = api.newTag();
    await batch([{ content: 'To be shown.' }], { containerTag: tag });
    for (const includeContent of [undefined, false, 'false'])
      expect((await api.list({ containerTag: tag, includeContent })).memories[0]).not.toHaveProperty(
        'content',
      );
    for (const includeContent of [true, 'true'])
      expect((await api.list({ containerTag: tag, includeContent })).memories[0]?.content).toBe(
        'To be shown.',
      );
    const query = await byQuery({ containerTag: tag, includeContent: 'true' });
    expect(query.memories[0]?.content).toBe('To be shown.');
    expect((await byQuery({ containerTag: tag })).memories[0]).not.toHaveProperty('content');
  });

  verifies(
    'documents:list:project-tags',
    'a list leaves out tags of projects; a read shows them',
    async () => {
      const tag = api.newTag();
      const containerTags = [tag, 'sm_project_alpha', 'my_sm_project_'];
      const { id } = await api.add({ content: 'In a project.', containerTags });
      const [item] = (await api.list({ containerTag: 'sm_project_alpha' })).memories;
      expect(item).toMatchObject({ id, containerTags: [tag, 'my_sm_project_'] });
      expect((await api.read(id)).containerTags).toEqual(containerTags);
    },
  );
});

describe('tags', () => {
  verifies(
    ['documents:list:by-tag', 'documents:list:operator', 'documents:list:operator-values'],
    'tags narrow a list: any of them by default or with OR, all of them with AND',
    async () => {
      const [a, b, c] = [api.newTag(), api.newTag(), api.newTag()];
      const [inA, inB, inBoth, inC] = await batch([
        { content: 'Only a.', containerTag: a },
        { content: 'Only b.', containerTag: b },
        { content: 'Both.', containerTags: [b, a] },
        { content: 'Only c.', containerTag: c },
      ]);
      const any = [inBoth, inB, inA];
      expect(await listed({ containerTag: a })).toEqual([inBoth, inA]);
      expect(await listed({ containerTag: c })).toEqual([inC]);
      expect(await listed({ containerTags: [a, b] })).toEqual(any);
      expect(await listed({ containerTags: [a, b], operator: 'OR' })).toEqual(any);
      expect(await listed({ containerTags: [a, b], operator: 'AND' })).toEqual([inBoth]);
      expect(await listed({ containerTag: a, containerTags: [b], operator: 'AND' })).toEqual([inBoth]);
      expect(await listed({ containerTags: [a, c], operator: 'AND' })).toEqual([]);
      expect(await listed({ containerTags: ['no such tag'] })).toEqual([]);
      expect(idsOf(await byQuery({ containerTags: `${a},${b}` }))).toEqual(any);
      expect(idsOf(await byQuery({ containerTags: `${a},${b}`, operator: 'AND' }))).toEqual([inBoth]);
      const repeated: [string, string][] = [
        ['containerTags', a],
        ['containerTags', b],
        ['operator', 'AND'],
      ];
      expect(idsOf(await byQuery(repeated))).toEqual([inBoth]);
      for (const operator of ['XOR', 'and', '']) {
        expect((await api.ask('POST', '/v3/documents/list', { operator })).status).toBe(400);
        expect((await api.ask('GET', `/v3/documents?operator=${operator}`)).status).toBe(400);
      }
    },
  );
});

describe('metadata', () => {
  verifies(
    'documents:list:by-metadata',
    'metadata narrows a list, as an object and as JSON text',
    async () => {
      const tag = api.newTag();
      const [tea, coffee, none] = await batch(
        [
          { content: 'One.', metadata: { drink: 'Tea', cups: 2, hot: true } },
          { content: 'Two.', metadata: { drink: 'Coffee', cups: 10, hot: false } },
          { content: 'Three.' },
        ],
        { containerTag: tag },
      );
      const conditions: [Fields, (string | undefined)[]][] = [
        [{ key: 'drink', value: 'Tea' }, [tea]],
        [{ key: 'drink', value: 'tea' }, []],
        [{ key: 'drink', value: 'tea', ignoreCase: true }, [tea]],
        [{ key: 'drink', value: 'offe', filterType: 'string_contains' }, [coffee]],
        [{ key: 'drink', value: 'Tea', negate: true }, [none, coffee]],
        [{ key: 'cups', value: '9', filterType: 'numeric', numericOperator: '>' }, [coffee]],
        [{ key: 'cups', value: '2.0' }, [tea]],
        [{ key: 'hot', value: 'true' }, [tea]],
      ];
      for (const [condition, expected] of conditions) {
        const filters = { AND: [condition] };
        const what = JSON.stringify(condition);
        expect(await listed({ containerTag: tag, filters }), what).toEqual(expected);
        expect(await listed({ containerTag: tag, filters: JSON.stringify(filters) }), what).toEqual(expected);
        const query = await byQuery({ containerTag: tag, filters: JSON.stringify(filters) });
        expect(idsOf(query), what).toEqual(expected);
      }
      const either = {
        OR: [
          { key: 'drink', value: 'Tea' },
          { key: 'cups', value: '10' },
        ],
      };
      expect(await listed({ containerTag: tag, filters: either })).toEqual([coffee, tea]);
      expect(await listed({ containerTag: tag, filters: { AND: either.OR } })).toEqual([]);
      expect(await listed({ containerTag: api.newTag(), filters: either })).toEqual([]);
    },
  );
});

describe('a path', () => {
  verifies('documents:list:filepath', 'a path is exact, or a folder when it ends with "/"', async () => {
    const tag = api.newTag();
    const paths = ['/notes/a.md', '/notes/deep/b.md', '/notes', '/notes_/c.md', '/Ça/%_.md', '/Çab/x.md'];
    const ids = await batch(
      paths.map((filepath) => ({ content: `At ${filepath}`, filepath })),
      { containerTag: tag },
    );
    const expected: [string, number[]][] = [
      ['/notes/a.md', [0]],
      ['/notes', [2]],
      ['/notes/', [1, 0]],
      ['/notes/deep/', [1]],
      ['/', [5, 4, 3, 2, 1, 0]],
      ['/Ça/', [4]],
      ['/nowhere/', []],
      ['/notes/%', []],
    ];
    for (const [filepath, places] of expected) {
      const found = places.map((place) => ids[place]);
      expect(await listed({ containerTag: tag, filepath }), filepath).toEqual(found);
      expect(idsOf(await byQuery({ containerTag: tag, filepath })), filepath).toEqual(found);
    }
  });
});

describe('pages', () => {
  verifies(
    ['documents:list:pages', 'documents:list:sorting'],
    'pages meet every document once, in both directions, though all were added in the same millisecond',
    async () => {
      const tag = api.newTag();
      const ids = await batch(
        Array.from({ length: 23 }, (_, index) => ({ content: `Leaf ${index}.` })),
        { containerTag: tag },
      );
      const times = (await api.list({ containerTag: tag, limit: 100 })).memories.map(
        (item) => item.createdAt,
      );
      expect(new Set(times).size, 'ties').toBe(1);
      const walk = async (fields: Fields): Promise<string[]> => {
        const met: string[] = [];
        for (let page = 1; page <= 6; page++)
          met.push(...(await listed({ containerTag: tag, limit: 4, page, ...fields })));
        return met;
      };
      for (const sort of ['createdAt', 'updatedAt']) {
        const newest = await walk({ sort });
        expect([...newest].sort()).toEqual([...ids].sort());
        expect(await walk({ sort, order: 'desc' })).toEqual(newest);
        expect(await walk({ sort, order: 'asc' })).toEqual(newest.toReversed());
      }
    },
  );

  verifies(
    ['documents:list:pagination', 'documents:list:page-size', 'documents:list:digit-strings'],
    'pages are told with every answer; digits may be text',
    async () => {
      const tag = api.newTag();
      await batch(
        Array.from({ length: 21 }, (_, index) => ({ content: `Leaf ${index}.` })),
        { containerTag: tag },
      );
      const pageOf = async (fields: Fields) => {
        const { memories, pagination } = await api.list({ containerTag: tag, ...fields });
        return { shown: memories.length, ...pagination };
      };
      const total = { totalItems: 21 };
      expect(await pageOf({})).toEqual({ shown: 10, currentPage: 1, totalPages: 3, limit: 10, ...total });
      const last = { shown: 1, currentPage: 3, totalPages: 3, limit: 10, ...total };
      expect(await pageOf({ page: 3 })).toEqual(last);
      expect(await pageOf({ page: '3', limit: '10' })).toEqual(last);
      const query = await byQuery({ containerTag: tag, page: '3', limit: '10' });
      expect({ shown: query.memories.length, ...query.pagination }).toEqual(last);
      expect(await pageOf({ limit: 7 })).toMatchObject({ shown: 7, totalPages: 3 });
      expect(await pageOf({ limit: 1100 })).toMatchObject({ shown: 21, totalPages: 1, limit: 1100 });
      expect(await pageOf({ page: 100_001 })).toMatchObject({ shown: 0, currentPage: 100_001, ...total });
      const empty = await api.list({ containerTag: api.newTag() });
      expect(empty.pagination).toEqual({ currentPage: 1, totalItems: 0, totalPages: 0, limit: 10 });
    },
  );

  verifies(
    'documents:list:page-size',
    'pages of no size, of too many and of no number are refused',
    async () => {
      const wrong: Fields[] = [0, 1101, -1, 1.5, '0', '1101', 'ten', ''].map((limit) => ({ limit }));
      for (const fields of [...wrong, { page: 0 }, { page: '-1' }, { page: 'first' }, { page: 1.5 }]) {
        const answer = await api.ask('POST', '/v3/documents/list', fields);
        const named = expect.stringContaining(Object.keys(fields)[0] ?? '');
        expect([answer.status, answer.body.error], JSON.stringify(fields)).toEqual([400, named]);
      }
    },
  );

  verifies('documents:list:sorting', 'pages are sorted by when a document was added or changed', async () => {
    const tag = api.newTag();
    const ids: string[] = [];
    for (const name of ['first', 'second', 'third'])
      ids.push((await api.add({ content: `The ${name}.`, containerTag: tag })).id);
    const [first, second, third] = ids;
    await api.patch(first ?? '', { metadata: { touched: true } });
    const sorted = (fields: Fields) => listed({ containerTag: tag, ...fields });
    expect(await sorted({})).toEqual([third, second, first]);
    expect(await sorted({ order: 'asc' })).toEqual([first, second, third]);
    expect(await sorted({ sort: 'updatedAt' })).toEqual([first, third, second]);
    expect(await sorted({ sort: 'updatedAt', order: 'asc' })).toEqual([second, third, first]);
    const query = await byQuery({ containerTag: tag, sort: 'updatedAt', order: 'asc' });
    expect(idsOf(query)).toEqual([second, third, first]);
    for (const wrong of [{ sort: 'title' }, { order: 'up' }])
      expect((await api.ask('POST', '/v3/documents/list', wrong)).status).toBe(400);
  });
});
