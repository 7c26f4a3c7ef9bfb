// Container tags over REST: listed, read, described and deleted.
import { describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { beside } from './support/beside.ts';
import { agentKey } from './support/keys.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface TagItem extends Refusal {
  id: string;
  name: string;
  containerTag: string;
  documentCount: number;
  memoryCount: number;
  lastActivityAt: string | null;
  [field: string]: unknown;
}

const pathOf = (tag: string): string => `/v3/container-tags/${encodeURIComponent(tag)}`;

const listed = async (key?: string): Promise<TagItem[]> => {
  const answer = await api.ask<TagItem[]>('GET', '/v3/container-tags/list', undefined, key ? { key } : {});
  expect(answer.status).toBe(200);
  return answer.body;
};

const item = async (tag: string) => (await listed()).find(({ containerTag }) => containerTag === tag);
const get = (tag: string, key?: string) =>
  api.ask<TagItem>('GET', pathOf(tag), undefined, key ? { key } : {});
const patch = (tag: string, body: object, key?: string) =>
  api.ask<TagItem>('PATCH', pathOf(tag), body, key ? { key } : {});
const remove = (tag: string, key?: string) =>
  api.ask<Record<string, unknown> & Refusal>('DELETE', pathOf(tag), undefined, key ? { key } : {});

const direct = (tag: string, ...contents: string[]) =>
  api.ask('POST', '/v4/memories', {
    containerTag: tag,
    memories: contents.map((content) => ({ content })),
  });

const ODD = ['a/b c@d', '日本語', '%2F?x=1&y#z', 'it\'s "quoted"'];

describe('listing', () => {
  verifies(
    'tags:list:counts',
    'the list of container tags shows each tag with what lies under it',
    async () => {
      const tag = api.newTag();
      await api.add({ content: 'Herons wade in cold water.', containerTag: tag });
      await direct(tag, 'Ada likes figs.', 'Ada has a cat.');
      expect(await item(tag)).toMatchObject({
        id: expect.stringMatching(/^\S{22}$/),
        name: tag,
        containerTag: tag,
        description: null,
        isExperimental: false,
        isNova: false,
        documentCount: 2,
        memoryCount: expect.any(Number),
        lastActivityAt: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      });
      expect((await item(tag))?.memoryCount).toBeGreaterThanOrEqual(2);
    },
  );

  verifies(
    'tags:list:restricted',
    'the list of container tags shows a bound key its own tags alone',
    async () => {
      const [mine, theirs] = [api.newTag(), api.newTag()];
      await api.add({ content: 'One.', containerTag: mine });
      await api.add({ content: 'Two.', containerTag: theirs });
      const { key } = await agentKey(api, { containerTags: [mine, 'never used'], permission: 'read' });
      expect((await listed(key)).map(({ containerTag }) => containerTag)).toEqual([mine]);
    },
  );
});

describe('reading and describing', () => {
  verifies(
    ['tags:record:entity-context', 'tags:record:described'],
    'a tag is made by the first PATCH, and what is left out stays',
    async () => {
      for (const tag of ODD) {
        const made = await patch(tag, { name: 'Notes', entityContext: 'Ada, a cellist.' });
        expect([made.status, made.body]).toEqual([
          200,
          {
            containerTag: tag,
            name: 'Notes',
            entityContext: 'Ada, a cellist.',
            memoryFilesystemPaths: null,
            profileBuckets: [],
            updatedAt: expect.any(String),
          },
        ]);
        await patch(tag, {
          entityContext: null,
          memoryFilesystemPaths: ['/notes/'],
          profileBuckets: [{ key: 'music' }],
        });
        const read = await get(tag);
        expect([read.status, read.body]).toEqual([
          200,
          {
            containerTag: tag,
            name: 'Notes',
            entityContext: null,
            memoryFilesystemPaths: ['/notes/'],
            profileBuckets: [{ key: 'music', description: '' }],
            createdAt: expect.any(String),
            usage: { inputTokens: 0, outputTokens: 0 },
            updatedAt: expect.any(String),
          },
        ]);
      }
    },
  );

  verifies('documents:add:entity-context-persists', 'entityContext of an add stays on the tag', async () => {
    const tag = api.newTag();
    await api.add({ content: 'One.', containerTag: tag, entityContext: 'About herons.' });
    await api.add({ content: 'Two.', containerTag: tag });
    expect((await get(tag)).body.entityContext).toBe('About herons.');
    await api.add({ content: 'Three.', containerTag: tag, entityContext: 'About kettles.' });
    expect((await get(tag)).body.entityContext).toBe('About kettles.');
  });

  verifies(
    'tags:record:memory-paths',
    'documents beside the paths of memories are only searched',
    async () => {
      const tag = api.newTag();
      await patch(tag, { memoryFilesystemPaths: ['/notes/', '/me.md'] });
      const kinds: string[] = [];
      for (const filepath of ['/notes/a.md', '/me.md', '/me.md.bak', '/code/a.ts', undefined]) {
        const { id } = await api.add({ content: `I live in ${filepath}.`, containerTag: tag, filepath });
        kinds.push((await api.read(id)).taskType);
      }
      expect(kinds).toEqual(['memory', 'memory', 'superrag', 'superrag', 'memory']);
    },
  );

  test('a tag that is not there is 404, one outside the key 403, a word of the routes no tag', async () => {
    expect((await get('nowhere')).status).toBe(404);
    const tag = api.newTag();
    await api.add({ content: 'One.', containerTag: tag });
    const { key } = await agentKey(api, { containerTags: ['mine'] });
    expect((await get(tag, key)).status).toBe(403);
    expect((await patch(tag, { name: 'Mine' }, key)).status).toBe(403);
    expect((await get('mine', key)).status).toBe(404);
    for (const word of ['merge', 'MERGE', 'list'])
      expect((await patch(word, { name: 'x' })).status, word).toBe(405);
  });

  test('what does not fit is refused with its name', async () => {
    const wrong: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ entityContext: 'x'.repeat(1501) }, 'entityContext'],
      [{ memoryFilesystemPaths: [''] }, 'memoryFilesystemPaths'],
      [{ profileBuckets: [{ key: 'static' }] }, 'profileBuckets'],
      [{ profileBuckets: [{ key: 'Music' }] }, 'profileBuckets'],
      [{ profileBuckets: [{ key: 'a' }, { key: 'a' }] }, 'profileBuckets'],
      [{ profileBuckets: Array.from({ length: 51 }, (_, n) => ({ key: `k${n}` })) }, 'profileBuckets'],
    ];
    for (const [body, field] of wrong) {
      const answer = await patch('strict', body);
      expect([answer.status, answer.body.error.includes(field)], field).toEqual([400, true]);
    }
    expect((await get('strict')).status).toBe(404);
  });

  verifies('tags:record:scoped-write', 'a bound key describes its tag, but sets no buckets', async () => {
    const tag = api.newTag();
    const { key } = await agentKey(api, { containerTags: [tag] });
    expect((await patch(tag, { name: 'Mine' }, key)).status).toBe(200);
    expect((await patch(tag, { profileBuckets: [{ key: 'music' }] }, key)).status).toBe(403);
    const reader = await agentKey(api, { containerTags: [tag], permission: 'read' });
    expect((await patch(tag, { name: 'Yours' }, reader.key)).status).toBe(403);
    expect((await get(tag, reader.key)).body.name).toBe('Mine');
  });
});

describe('deleting', () => {
  verifies(
    ['tags:delete:relationships', 'tags:delete:shared-documents'],
    'deleting a container tag deletes what has only this tag and takes it off the others',
    async () => {
      for (const odd of ODD) {
        const [gone, stays] = [`${odd} ${api.newTag()}`, api.newTag()];
        const alone = await api.add({ content: 'Herons alone.', containerTag: gone });
        const shared = await api.add({ content: 'Herons shared.', containerTags: [gone, stays] });
        await direct(gone, 'Ada likes herons.');
        const answer = await remove(gone);
        expect([answer.status, answer.body]).toEqual([
          200,
          {
            success: true,
            containerTag: gone,
            deletedDocumentsCount: 2,
            deletedMemoriesCount: expect.any(Number),
          },
        ]);
        expect(answer.body.deletedMemoriesCount).toBeGreaterThanOrEqual(1);
        expect((await api.ask('GET', `/v3/documents/${alone.id}`)).status).toBe(404);
        await api.memoir.idle();
        expect((await api.read(shared.id)).containerTags).toEqual([stays]);
        expect(await api.found('herons', stays)).toEqual(['Herons shared.']);
        expect(await api.found('herons', gone)).toEqual([]);
        expect((await get(gone)).status).toBe(404);
        expect((await remove(gone)).status).toBe(404);
      }
    },
  );

  verifies('tags:delete:full-key', 'deleting a container tag takes a full key', async () => {
    const tag = api.newTag();
    await api.add({ content: 'One.', containerTag: tag });
    const { key } = await agentKey(api, { containerTags: [tag] });
    const reader = await agentKey(api, { permission: 'read' });
    for (const as of [key, reader.key]) expect((await remove(tag, as)).status).toBe(403);
    expect((await item(tag))?.documentCount).toBe(1);
  });

  test('deleting a container tag leaves no memory behind in any table, and the tag begins anew', async () => {
    const tag = api.newTag();
    await direct(tag, 'Ada keeps a falcon called Ziggurat.');
    await patch(tag, { entityContext: 'Ada.' });
    await remove(tag);
    await expect
      .poll(() => beside(api.memoir, "select count(*) from memories where memory like '%Ziggurat%'"))
      .toEqual([0]);
    await api.add({ content: 'Kettles whistle.', containerTag: tag });
    expect((await get(tag)).body.entityContext).toBeNull();
    expect(await api.found('falcon', tag)).toEqual([]);
    expect((await item(tag))?.documentCount).toBe(1);
  });
});
