// Tests of the paths of namespaces: what callers send, what they get, and what one namespace knows of another.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { fileOf } from './support/upload.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

type Ref = { id: string; status: string } & Refusal;

interface Listed {
  documents: { id: string; content?: string; system: { memoryCount?: number; dreamingStatus: string } }[];
  memories: { id: string; memory: string; isForgotten: boolean }[];
  chunks: { id: string; documentId: string; content: string; position: number }[];
  pagination: { totalItems: number };
}

interface Failed {
  id: string;
  error: string;
}

const at = (namespace: string, rest = ''): string => `/ns/${encodeURIComponent(namespace)}${rest}`;

const add = async (namespace: string, fields: Record<string, unknown>): Promise<string> => {
  const { status, body } = await api.ask<Ref>('POST', at(namespace, '/document'), fields);
  expect([status, body.error]).toEqual([200, undefined]);
  await api.memoir.remembered(body.id);
  return body.id;
};

const search = (namespace: string, fields: Record<string, unknown>) =>
  api.ask<{ results: { memory?: string; chunk?: string }[] } & Refusal>('POST', at(namespace, '/search'), {
    query: 'What is served?',
    threshold: 0,
    ...fields,
  });

const list = (namespace: string, type: string, fields: object = {}, query = '') =>
  api.ask<Listed & Refusal>('POST', at(namespace, `/list/${type}${query}`), fields);

describe('a document of a namespace', () => {
  verifies(
    'namespaces:documents:own',
    'is known by its id in its own namespace alone, and the same id names another one elsewhere',
    async () => {
      const [here, there] = [api.newTag(), api.newTag()];
      const id = await add(here, { content: 'Lentils are served.', id: 'menu' });
      const other = await add(there, { content: 'Beans are served.', id: 'menu' });
      expect(other).not.toBe(id);
      for (const [method, path, body] of [
        ['GET', `/document/${id}`, undefined],
        ['PATCH', `/document/${id}`, { content: 'Nothing.' }],
        ['GET', `/document/no-such-document`, undefined],
      ] as const) {
        const { status, body: refusal } = await api.ask<Refusal>(method, at(there, path), body);
        expect([status, refusal.error]).toEqual([404, expect.stringContaining('No document has the id')]);
      }
      const { body } = await api.ask<{ count: number; errors: Failed[] }>('DELETE', at(there, '/document'), {
        ids: [id, 'no-such-document', 'menu'],
      });
      expect(body.count).toBe(1);
      // What lies elsewhere is told apart from what is nowhere by nothing.
      expect(new Set(body.errors.map(({ error }) => error)).size).toBe(1);
      expect(body.errors.map((one) => one.id).sort()).toEqual([id, 'no-such-document'].sort());
      expect(await api.read(id)).toMatchObject({ content: 'Lentils are served.' });
    },
  );

  verifies(
    'namespaces:documents:group',
    'has its group in its metadata; a key with two values is refused',
    async () => {
      const namespace = api.newTag();
      const group = { project: 'soup' };
      const id = await add(namespace, { content: 'Lentils are served.', metadata: { kind: 'menu' }, group });
      expect((await api.read(id)).metadata).toEqual({ kind: 'menu', project: 'soup' });
      const { status, body } = await api.ask<Refusal>('POST', at(namespace, '/document'), {
        content: 'x',
        metadata: { project: 'bread' },
        group,
      });
      expect([status, body.error]).toEqual([400, expect.stringContaining('group.project: must not differ')]);
    },
  );

  verifies(
    'namespaces:files:replace',
    'keeps its id when a file takes the place of its content, also if it came without an id',
    async () => {
      const namespace = api.newTag();
      const id = await add(namespace, { content: 'Lentils are served.', metadata: { day: 1 } });
      const form = new FormData();
      form.append('file', fileOf('Barley is served.'), 'menu.txt');
      const sent = await fetch(api.memoir.url + at(namespace, `/document/file/${id}`), {
        method: 'POST',
        headers: { authorization: `Bearer ${api.memoir.key}` },
        body: form,
      });
      expect([sent.status, await sent.json()]).toEqual([200, { id, status: 'queued' }]);
      await api.memoir.remembered(id);
      expect(await api.read(id)).toMatchObject({ content: 'Barley is served.', metadata: { day: 1 } });
      expect((await list(namespace, 'documents')).body.pagination.totalItems).toBe(1);
    },
  );

  verifies('namespaces:errors:words', 'is refused in the words of the request', async () => {
    const namespace = api.newTag();
    const refused: [string, string, unknown, string][] = [
      ['POST', '/document', { content: '' }, 'content'],
      ['POST', '/document', { content: 'x', id: 'y'.repeat(256) }, 'id: '],
      ['POST', '/document', { content: 'x', supportingContext: 'y'.repeat(1501) }, 'supportingContext'],
      ['POST', '/document', { content: 'x', metadata: { tags: ['a'] } }, 'metadata.tags'],
      ['POST', '/document', { content: 'x', date: 'soon' }, 'date'],
      ['POST', '/document/batch', { documents: [] }, 'documents'],
      ['DELETE', '/document', { ids: [] }, 'ids'],
      ['GET', '/document/x?include=pages', undefined, 'include'],
      ['POST', '/search', {}, 'query'],
      ['POST', '/search', { query: 'x', searchMode: 'all' }, 'searchMode'],
      ['POST', '/list/pages', {}, 'type'],
      ['POST', '/list/memories?sort=position', {}, 'sort'],
      ['POST', '/list/memories?limit=101', {}, 'limit'],
      ['DELETE', '/memories/semantic', { query: 'x' }, 'dryRun'],
      ['PUT', '/profile/buckets', { buckets: { 'Not a slug': 'x' } }, 'buckets'],
      ['DELETE', `?moveTo=${namespace}`, undefined, 'moveTo'],
    ];
    for (const [method, path, sent, word] of refused) {
      const { status, body } = await api.ask<Refusal>(method, at(namespace, path), sent);
      expect([path, status, body.error]).toEqual([path, 400, expect.stringContaining(word)]);
    }
  });

  verifies(
    'namespaces:batch:failed',
    'that fails in a batch comes last, with its id or address',
    async () => {
      const { body } = await api.ask<{ results: Failed[]; count: number; failed: number }>(
        'POST',
        at(api.newTag(), '/document/batch'),
        {
          documents: [
            'a bare text',
            { id: 'long', content: 'x', supportingContext: 'y'.repeat(1501) },
            { content: 'https://example.invalid/a', metadata: [] },
            { id: 'good', content: 'Lentils are served.', metadata: null },
          ],
        },
      );
      expect([body.count, body.failed]).toEqual([1, 3]);
      expect(
        body.results.map(({ error, ...one }) => ({ ...one, failed: error !== undefined })),
      ).toMatchObject([
        { status: 'queued', failed: false },
        { status: 'error', id: '', failed: true },
        { status: 'error', id: 'long', details: expect.stringContaining('supportingContext'), failed: true },
        { status: 'error', id: '', url: 'https://example.invalid/a', failed: true },
      ]);
    },
  );
});

describe('a filter expression', () => {
  const cases: [string, object, string[]][] = [
    ['eq text', { field: 'dish', operator: 'eq', value: 'soup' }, ['a']],
    ['eq text in another case', { field: 'dish', operator: 'eq', value: 'SOUP' }, []],
    ['eq without case', { field: 'dish', operator: 'eq', value: 'SOUP', caseSensitive: false }, ['a']],
    ['neq text', { field: 'dish', operator: 'neq', value: 'soup' }, ['b', 'c']],
    ['eq number', { field: 'price', operator: 'eq', value: 7 }, ['b']],
    ['neq number', { field: 'price', operator: 'neq', value: 7 }, ['a', 'c']],
    ['eq boolean', { field: 'hot', operator: 'eq', value: true }, ['a']],
    ['gt', { field: 'price', operator: 'gt', value: 5 }, ['b']],
    ['gte', { field: 'price', operator: 'gte', value: 5 }, ['a', 'b']],
    ['lt', { field: 'price', operator: 'lt', value: 7 }, ['a']],
    ['lte', { field: 'price', operator: 'lte', value: 7 }, ['a', 'b']],
    ['contains', { field: 'dish', operator: 'contains', value: 'ou' }, ['a']],
    ['notContains', { field: 'dish', operator: 'notContains', value: 'ou' }, ['b', 'c']],
    [
      'and',
      and({ field: 'price', operator: 'gt', value: 1 }, { field: 'hot', operator: 'eq', value: false }),
      ['b'],
    ],
    [
      'or',
      or({ field: 'dish', operator: 'eq', value: 'bread' }, { field: 'price', operator: 'lt', value: 6 }),
      ['a', 'b'],
    ],
  ];

  verifies('namespaces:filter:operators', 'selects by every operator', async () => {
    const namespace = api.newTag();
    await add(namespace, { content: 'a', metadata: { dish: 'soup', price: 5, hot: true } });
    await add(namespace, { content: 'b', metadata: { dish: 'bread', price: 7, hot: false } });
    await add(namespace, { content: 'c' });
    for (const [name, filter, found] of cases) {
      const { body } = await list(namespace, 'documents', { filter, include: { content: true } }, '?limit=9');
      expect([name, body.documents?.map(({ content }) => content).sort()]).toEqual([name, found]);
    }
  });

  verifies('namespaces:filter:refused', 'that cannot be read is refused with the place', async () => {
    const one = { field: 'dish', operator: 'eq', value: 'soup' };
    const deep = (levels: number): object => (levels === 0 ? one : and(deep(levels - 1)));
    const refused: [unknown, string][] = [
      ['soup', 'filter: must be an object'],
      [{ field: 'dish', operator: 'is', value: 'soup' }, 'filter.operator: must be one of and, or, eq'],
      [and(), 'filter.operands: must be a list of at least one'],
      [and(one, { ...one, value: null }), 'filter.operands[1].value'],
      [{ field: 'price', operator: 'gt', value: 'high' }, 'filter.value'],
      [{ ...one, field: 'a b' }, 'filter.field: must consist of'],
      [{ ...one, operator: 'contains', value: 'x'.repeat(257) }, 'filter.value: must be at most 256'],
      [deep(9), 'must be nested at most 8 levels deep'],
      [and(...Array.from({ length: 201 }, () => one)), 'at most 200 conditions'],
    ];
    for (const [filter, told] of refused) {
      const { status, body } = await search(api.newTag(), { filter });
      expect([status, body.error]).toEqual([400, expect.stringContaining(told)]);
    }
    const [levels, open, close] = [20_000, '{"operator":"and","operands":[', ']}'];
    const endless = `{"query":"x","filter":${open.repeat(levels)}1${close.repeat(levels)}}`;
    const { status, body } = await api.ask<Refusal>('POST', at(api.newTag(), '/search'), endless);
    expect([status, body.error]).toEqual([400, expect.stringContaining('Invalid request: ')]);
  });
});

describe('a list of a namespace', () => {
  verifies(
    'namespaces:list:memories',
    'has no forgotten memories unless they are asked for, and counts without them',
    async () => {
      const namespace = api.newTag();
      await add(namespace, { content: 'Ada plays the cello. Ada lives in Porto.', dreaming: 'instant' });
      const { body: before } = await list(namespace, 'memories');
      const [gone, ...left] = before.memories;
      await api.ask('DELETE', at(namespace, '/memories'), { ids: [gone?.id] });
      const { body: after } = await list(namespace, 'memories');
      expect(after.memories.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
      expect(after.pagination.totalItems).toBe(left.length);
      const { body: all } = await list(namespace, 'memories', { include: { forgotten: true } });
      expect(all.memories.find(({ id }) => id === gone?.id)?.isForgotten).toBe(true);
      const { body: counted } = await list(namespace, 'documents');
      expect(counted.documents[0]?.system.memoryCount).toBe(left.length);
    },
  );
});

describe('a list of chunks', () => {
  verifies(
    'namespaces:list:chunks',
    'holds the chunks of all documents of the namespace, page by page, with their places and documents',
    async () => {
      const [namespace, other] = [api.newTag(), api.newTag()];
      const long = Array.from({ length: 40 }, (_, at) => `Course ${at} is served with bread and oil.`);
      const first = await add(namespace, { content: long.join('\n\n'), metadata: { kind: 'menu' } });
      const second = await add(namespace, { content: 'Beans are served.' });
      await add(other, { content: 'Nothing is served.' });
      const own = (await api.chunks(first)).map(({ id, position }) => ({ id, position, documentId: first }));
      expect(own.length).toBeGreaterThan(1);
      const all = await list(namespace, 'chunks', {}, '?limit=100&order=asc');
      expect(all.body.chunks.map(({ id, position, documentId }) => ({ id, position, documentId }))).toEqual([
        ...own,
        { id: expect.any(String), position: 0, documentId: second },
      ]);
      expect([all.body.documents, all.body.memories]).toEqual([[], []]);
      const pages: string[] = [];
      for (let page = 1; page <= own.length + 1; page += 1) {
        const { body } = await list(namespace, 'chunks', {}, `?limit=1&page=${page}&sort=position`);
        expect(body.pagination).toMatchObject({ totalItems: own.length + 1, totalPages: own.length + 1 });
        pages.push(...body.chunks.map(({ id }) => id));
      }
      expect(pages.sort()).toEqual(all.body.chunks.map(({ id }) => id).sort());
      const filter = { field: 'kind', operator: 'eq', value: 'menu' };
      const chosen = await list(namespace, 'chunks', { filter }, '?limit=100');
      expect(chosen.body.pagination.totalItems).toBe(own.length);
    },
  );
});

describe('a whole namespace', () => {
  verifies(
    'namespaces:delete:move',
    'is deleted with a full key alone; a move is accepted with 202 and ends with all documents elsewhere',
    async () => {
      const [from, to] = [api.newTag(), api.newTag()];
      const id = await add(from, { content: 'Lentils are served.' });
      await add(to, { content: 'Beans are served.' });
      const key = await api.memoir.scopedKey([from, to]);
      expect((await api.ask('DELETE', at(from), undefined, { key })).status).toBe(403);
      const moved = await api.ask('DELETE', at(from, `?moveTo=${to}`));
      expect([moved.status, moved.body]).toEqual([
        202,
        { status: 'queued', operationId: expect.any(String), namespace: from, moveTo: to },
      ]);
      await expect.poll(async () => (await api.ask('GET', at(from))).status).toBe(404);
      expect(await api.read(id)).toMatchObject({ containerTags: [to] });
      const gone = await api.ask('DELETE', at(to));
      expect([gone.status, gone.body]).toEqual([
        200,
        {
          status: 'deleted',
          namespace: to,
          deletedDocumentsCount: 2,
          deletedMemoriesCount: expect.any(Number),
        },
      ]);
    },
  );

  verifies(
    'namespaces:key:bound',
    'that the key is not bound to is refused in every call, and left out of the list of namespaces',
    async () => {
      const [own, foreign] = [api.newTag(), api.newTag()];
      const id = await add(foreign, { content: 'Lentils are served.' });
      await add(own, { content: 'Beans are served.' });
      const key = await api.memoir.scopedKey([own]);
      const calls: [string, string, object?][] = [
        ['GET', `/document/${id}`],
        ['POST', '/search', { query: 'lentils' }],
        ['POST', '/list/documents', {}],
        ['POST', '/profile', {}],
        ['DELETE', '/document', { ids: [id] }],
        ['POST', '/document', { content: 'x' }],
        ['GET', ''],
      ];
      for (const [method, path, body] of calls) {
        const answer = await api.ask<Refusal>(method, at(foreign, path), body, { key });
        expect([path, answer.status, answer.body.error]).toEqual([path, 403, expect.stringContaining(own)]);
      }
      const { body } = await api.ask<{ namespaces: { namespace: string }[] }>('GET', '/ns', undefined, {
        key,
      });
      expect(body.namespaces.map(({ namespace }) => namespace)).toEqual([own]);
      const { body: found } = await search(own, { searchMode: 'chunks', limit: 100 });
      expect(JSON.stringify(found)).not.toContain('Lentils');
    },
  );

  verifies('namespaces:paths:described', 'is in no description of the API for machines', async () => {
    const { body } = await api.ask<{ paths: object }>('GET', '/v3/openapi');
    expect(Object.keys(body.paths).filter((path) => !/^\/v[34]\//.test(path))).toEqual([]);
  });
});

function and(...operands: object[]): object {
  return { operator: 'and', operands };
}

function or(...operands: object[]): object {
  return { operator: 'or', operands };
}
