// Adding one document over REST: what is answered, what is stored, what is refused.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { pathOf, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

/** 400, and nothing was stored under the tag. */
const refused = async (body: Record<string, unknown>, says: RegExp): Promise<void> => {
  const tag = api.newTag();
  const answer = await api.post({ content: 'A text that is refused.', containerTag: tag, ...body });
  expect([answer.status, answer.body.error], JSON.stringify(body).slice(0, 100)).toEqual([
    400,
    expect.stringMatching(says),
  ]);
  expect((await api.list({ containerTag: tag })).pagination.totalItems).toBe(0);
};

describe('the answer', () => {
  verifies(
    [
      'documents:add:queued',
      'documents:add:status-200',
      'documents:add:closed-response',
      'documents:add:id-form',
      'documents:add:json',
    ],
    'the answer is 200 with the id and "queued", as JSON, and holds nothing else',
    async () => {
      const answer = await api.post({ content: 'Ada prefers tea.' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{22}$/),
        status: 'queued',
      });
    },
  );

  verifies('documents:add:read-after-write', 'the answer is never ahead of what can be read', async () => {
    const tag = api.newTag();
    for (let round = 0; round < 20; round++) {
      const { body } = await api.post({
        content: `Round ${round}`,
        containerTag: tag,
        customId: `r${round}`,
      });
      expect(await api.read(body.id)).toMatchObject({ id: body.id, content: `Round ${round}` });
      expect((await api.list({ containerTag: tag, limit: 100 })).memories[0]?.id).toBe(body.id);
      expect((await api.read(`r${round}`)).id).toBe(body.id);
    }
  });

  verifies('documents:add:unknown-keys', 'the answer does not mind keys that nobody knows', async () => {
    const known = { content: 'Known.', containerTag: api.newTag() };
    const answer = await api.post({ ...known, reason: 'because', source: { deep: [1] }, $schema: null });
    expect(answer.status).toBe(200);
    expect(await api.read(answer.body.id)).toMatchObject({ content: 'Known.', metadata: null });
  });
});

describe('content', () => {
  verifies(
    'documents:add:content-required',
    'content has to be there, as text that says something',
    async () => {
      await refused({ content: undefined }, /\bcontent\b/);
      for (const content of ['', ' \n\t ', null, 5, true, ['text'], { text: 'x' }]) {
        await refused({ content }, /\bcontent\b/);
      }
      const several = await api.post({ content: '', customId: '', entityContext: 5 });
      for (const field of ['content', 'customId', 'entityContext'])
        expect(several.body.error).toMatch(new RegExp(`\\b${field}\\b`));
    },
  );

  verifies(
    'documents:add:content-size',
    'content of more than 10 MiB is refused, counted in UTF-8',
    async () => {
      await refused({ content: 'x'.repeat(10 * 1024 * 1024 + 1) }, /10 MiB/);
      // 3,495,254 characters, 10,485,762 bytes.
      await refused({ content: '語'.repeat(3_495_254) }, /10 MiB/);
    },
  );
});

describe('metadata', () => {
  verifies(
    'documents:add:metadata-scalars',
    'metadata of strings, numbers and booleans keeps its types',
    async () => {
      const metadata = {
        text: 'x',
        empty: '',
        digits: '5',
        whole: 5,
        part: -0.25,
        large: 9_007_199_254_740_991,
        yes: true,
        no: false,
        'a.b-c_d é': 'any key',
        constructor: 'also a key',
      };
      const { id } = await api.add({ content: 'With metadata.', metadata });
      expect((await api.read(id)).metadata).toEqual(metadata);
    },
  );

  verifies(
    'documents:add:metadata-nested-refused',
    'metadata with an object or an array is refused',
    async () => {
      for (const value of [{ deep: 1 }, {}, ['list'], []]) {
        await refused({ metadata: { fine: 1, wrong: value } }, /metadata\.wrong/);
      }
      for (const metadata of ['text', ['list'], 5]) await refused({ metadata }, /\bmetadata\b/);
      const many = Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`key${index}`, 1]));
      await refused({ metadata: many }, /100 keys/);
    },
  );
});

describe('entityContext', () => {
  verifies('documents:add:entity-context-limit', 'entityContext has at most 1,500 characters', async () => {
    const answer = await api.post({ content: 'Guided.', entityContext: 'x'.repeat(1500) });
    expect(answer.status).toBe(200);
    await refused({ entityContext: 'x'.repeat(1501) }, /entityContext/);
  });
});

describe('the container tag', () => {
  verifies(
    ['documents:add:hierarchical-tag', 'documents:add:tag-groups', 'documents:get:tags'],
    'the container tag is free-form, is read back as it is, and groups',
    async () => {
      const [one, other] = ['org_7_team_north', 'org_7_team_south'];
      const { id } = await api.add({ content: 'The north team meets on Monday.', containerTag: one });
      await api.add({ content: 'The south team meets on Friday.', containerTag: other });
      expect((await api.read(id)).containerTags).toEqual([one]);
      expect((await api.list({ containerTag: one })).memories.map((item) => item.id)).toEqual([id]);
      expect(await api.found('team meets', one)).toEqual(['The north team meets on Monday.']);
    },
  );

  verifies(
    ['documents:add:container-tags', 'documents:add:either-tag-field', 'documents:get:tags'],
    'the container tag may be given in either spelling or both, and the order stays',
    async () => {
      const [a, b, c] = [api.newTag(), api.newTag(), api.newTag()];
      const tagsOf = async (fields: Record<string, unknown>) =>
        (await api.add({ content: 'Tagged.', ...fields })).containerTags;
      expect(await tagsOf({ containerTag: a })).toEqual([a]);
      expect(await tagsOf({ containerTags: [c, a, b] })).toEqual([c, a, b]);
      expect(await tagsOf({ containerTag: b, containerTags: [c, b, a] })).toEqual([b, c, a]);
    },
  );

  verifies(
    'documents:add:default-tag',
    'the container tag is sm_project_default, or the one its key is bound to',
    async () => {
      const own = api.newTag();
      const key = await api.memoir.scopedKey([own]);
      expect((await api.add({ content: 'Nobody said where.' })).containerTags).toEqual([
        'sm_project_default',
      ]);
      expect((await api.add({ content: 'The key says where.' }, { key })).containerTags).toEqual([own]);
    },
  );

  verifies(
    'documents:add:several-tags-must-choose',
    'the container tag has to be chosen by a key with several',
    async () => {
      const tags = [api.newTag(), api.newTag()];
      const key = await api.memoir.scopedKey(tags);
      const answer = await api.post({ content: 'Where to?' }, { key });
      expect(answer.status).toBe(400);
      for (const tag of tags) expect(answer.body.error).toContain(`"${tag}"`);
      expect((await api.list({ containerTags: tags })).memories).toEqual([]);
      const there = { content: 'There.', customId: 'place' };
      expect((await api.post(there, { key })).status).toBe(400);
      const placed = await api.post({ ...there, containerTag: tags[1] }, { key });
      expect(placed.status).toBe(200);
      const again = await api.post({ ...there, content: 'There, again.' }, { key });
      expect(again).toMatchObject({ status: 200, body: { id: placed.body.id } });
    },
  );

  verifies(
    'documents:add:tag-length',
    'the container tag has 1 to 100 characters and no control character',
    async () => {
      for (const containerTag of ['x', '語'.repeat(100)])
        expect((await api.add({ content: 'Fits.', containerTag })).containerTags).toEqual([containerTag]);
      for (const containerTag of ['', 'x'.repeat(101), 'x'.repeat(100_001), 'a\nb', 'a\u0000b', 'a\ud800b'])
        for (const fields of [{ containerTag }, { containerTag: undefined, containerTags: [containerTag] }])
          expect((await api.post({ content: 'Refused.', ...fields })).status, containerTag.slice(0, 9)).toBe(
            400,
          );
      const many = Array.from({ length: 100_001 }, (_, index) => `t${index}`);
      await refused({ containerTags: many }, /containerTags/);
    },
  );

  verifies(
    'documents:add:tag-reserved',
    'the container tag is no word of the tag routes, however it is written',
    async () => {
      for (const word of ['list', 'merge', 'LIST', 'Merge']) {
        expect((await api.post({ content: 'Refused.', containerTag: word })).body.error).toMatch(
          /containerTag/,
        );
        expect((await api.post({ content: 'Refused.', containerTags: ['a', word] })).status).toBe(400);
      }
      expect((await api.post({ content: 'Taken.', containerTag: 'lists' })).status).toBe(200);
    },
  );
});

describe.each(['a/b c@d', '日本語', '100%25 +&=#?', 'it\'s; -- "quoted"', 'a,b', '🫖'])(
  'the tag %s',
  (tag) => {
    verifies('documents:add:tag-characters', `the tag ${tag} works wherever a tag is taken`, async () => {
      const key = await api.memoir.scopedKey([tag]);
      const single = await api.add({ content: 'Herons nest here.', containerTag: tag });
      const plural = await api.add({ content: 'Herons fish here.', containerTags: [tag] }, { key });
      expect(plural.containerTags).toEqual([tag]);
      const batch = await api.ask<{ success: number }>('POST', '/v3/documents/batch', {
        documents: ['Herons sleep here.'],
        containerTag: tag,
      });
      expect(batch.body.success).toBe(1);
      await api.memoir.idle();
      const elsewhere = await api.add({ content: 'Herons moved here.', containerTag: api.newTag() });
      await api.patch(elsewhere.id, { containerTag: tag });
      await api.settled(elsewhere.id);
      expect((await api.list({ containerTags: [tag] })).pagination.totalItems).toBe(4);
      const query = new URLSearchParams({ containerTag: tag });
      const listed = await api.ask('GET', `/v3/documents?${query}`);
      expect(listed.body).toMatchObject({ pagination: { totalItems: 4 } });
      expect(await api.found('herons', tag)).toHaveLength(4);
      const documents = await api.ask('POST', '/v3/search', { q: 'herons', containerTags: [tag] });
      expect(documents.body).toMatchObject({ total: 4 });
      const queue = await api.ask('GET', `/v3/documents/processing?${query}`);
      expect(queue.body).toEqual({ documents: [], totalCount: 0 });
      expect((await api.read(single.id, { key })).id).toBe(single.id);
      const deleted = await api.ask('DELETE', '/v3/documents/bulk', { containerTags: [tag] }, { key });
      expect(deleted.body).toMatchObject({ deletedCount: 4, containerTags: [tag] });
    });
  },
);

describe('the customId', () => {
  verifies(
    'documents:add:custom-id-length',
    'the customId has 1 to 255 characters and no control character',
    async () => {
      for (const customId of ['x', '語'.repeat(255), 'a/b c:d?e#f%2Fg', '../up', ' spaced ']) {
        const { id } = await api.add({ content: `Named ${customId}`, customId });
        expect(await api.read(customId)).toMatchObject({ id, customId });
      }
      for (const customId of ['', 'x'.repeat(256), 'x'.repeat(100_001), 'a\tb', 'a\u007fb', 'a\udc00b', 5])
        await refused({ customId }, /customId/);
    },
  );

  verifies(
    'documents:add:custom-id-reserved',
    'the customId is none of the words that are paths',
    async () => {
      for (const word of ['bulk', 'list', 'processing', 'batch', 'file', 'search', 'documents']) {
        await refused({ customId: word }, /customId/);
        await refused({ customId: word.toUpperCase() }, /customId/);
      }
      expect((await api.post({ content: 'Taken.', customId: 'bulky' })).status).toBe(200);
    },
  );

  verifies('encoding:path:static-first', 'no word that is a path is ever taken for an id', async () => {
    const named = await api.ask('GET', '/v3/documents/processing');
    expect(named.body).toMatchObject({ totalCount: expect.any(Number) });
    const bulk = await api.ask('DELETE', '/v3/documents/bulk', {});
    expect([bulk.status, String(bulk.body.error)]).toEqual([400, expect.stringContaining('containerTags')]);
    for (const [method, path] of [
      ['POST', '/v3/documents/list'],
      ['POST', '/v3/documents/batch'],
    ] as const)
      expect((await api.ask(method, path, { documents: ['x'] })).status, path).toBe(200);
  });
});

describe('what else may be said of a document', () => {
  verifies('documents:add:task-type', 'taskType is memory unless superrag is asked for', async () => {
    const typeOf = async (fields: object) => (await api.add({ content: 'Typed.', ...fields })).taskType;
    expect(await typeOf({})).toBe('memory');
    expect(await typeOf({ taskType: 'memory' })).toBe('memory');
    expect(await typeOf({ taskType: 'superrag' })).toBe('superrag');
    for (const taskType of ['rag', 'Memory', '', 1]) await refused({ taskType }, /taskType/);
  });

  verifies('documents:add:dreaming', 'dreaming is dynamic or instant', async () => {
    for (const dreaming of ['dynamic', 'instant'])
      expect((await api.post({ content: 'Dreams.', dreaming })).status).toBe(200);
    for (const dreaming of ['never', '', true]) await refused({ dreaming }, /dreaming/);
  });

  verifies('documents:add:filepath', 'a filepath is read back', async () => {
    const filepath = '/notes/2026/Ça va.md';
    const { id } = await api.add({ content: 'At a path.', filepath });
    expect((await api.read(id)).filepath).toBe(filepath);
    expect((await api.read((await api.add({ content: 'At none.' })).id)).filepath).toBeNull();
  });
});

verifies('encoding:answer:json', 'every answer with a body is JSON, refusals as well', async () => {
  const { id } = await api.add({ content: 'Asked for in every way.' });
  const calls: [method: string, path: string, body?: unknown, status?: number][] = [
    ['GET', pathOf(id)],
    ['GET', `${pathOf(id)}/chunks`],
    ['GET', '/v3/documents'],
    ['GET', '/v3/documents/processing'],
    ['POST', '/v3/documents/list', {}],
    ['POST', '/v3/documents/batch', { documents: ['x'] }],
    ['PATCH', pathOf(id), { metadata: { a: 1 } }],
    ['DELETE', '/v3/documents/bulk', { ids: [id] }],
    ['GET', pathOf(id), undefined, 404],
    ['POST', '/v3/documents', { content: 5 }, 400],
    ['POST', '/v3/documents', '{"content":', 400],
    ['PUT', '/v3/documents', {}, 405],
    ['GET', '/v3/nowhere', undefined, 404],
  ];
  for (const [method, path, body, status = 200] of calls) {
    const answer = await api.ask(method, path, body);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get('content-type'), path).toMatch(/^application\/json\b/);
    expect(answer.body, path).toBeTypeOf('object');
  }
});
