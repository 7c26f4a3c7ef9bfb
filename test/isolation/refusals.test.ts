// Tests of the refusals for foreign tags, and of documents that two tags share.
import { describe, expect } from 'vitest';
import { agentKey, scopedKey } from '../rest/support/keys.ts';
import { pathOf, type Refusal, type Rest, useMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';

const api = useMemoir();

/** A key for one tag, and a document under another. */
const apart = async (rest: Rest) => {
  const [mine, theirs] = [rest.newTag(), rest.newTag()];
  const customId = `plan of ${theirs}`;
  const document = await rest.add({ content: 'The plan of the others.', customId, containerTag: theirs });
  const { key } = await scopedKey(rest, { containerTag: mine });
  return { mine, theirs, customId, id: document.id, as: { key } };
};

const onOne = (id: string): [string, string, object?][] => [
  ['GET', pathOf(id)],
  ['GET', `${pathOf(id)}/chunks`],
  ['PATCH', pathOf(id), { content: 'Mine now.' }],
  ['PATCH', pathOf(id), { metadata: { mine: true } }],
  ['DELETE', pathOf(id)],
];

describe('a document of another tag', () => {
  verifies('isolation:key:foreign-tag', 'gets 403 that names the tags that the key may use', async () => {
    const { mine, theirs, as } = await apart(api);
    const error = `This key may not use the container tag "${theirs}". It may use: "${mine}".`;
    const calls: [string, string, object?][] = [
      ['POST', '/v3/documents', { content: 'x', containerTag: theirs }],
      ['POST', '/v3/documents/batch', { documents: ['x', { content: 'y', containerTag: theirs }] }],
      ['POST', '/v3/documents/list', { containerTags: [mine, theirs] }],
      ['GET', `/v3/documents?containerTags=${mine},${theirs}`],
      ['GET', `/v3/documents/processing?containerTag=${theirs}`],
      ['POST', '/v3/search', { q: 'plan', containerTag: theirs }],
      ['POST', '/v4/search', { q: 'plan', containerTags: [theirs] }],
      ['DELETE', '/v3/documents/bulk', { containerTags: [theirs] }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await api.ask<Refusal>(method, path, body, as);
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 403, { error }]);
    }
  });

  verifies('isolation:key:foreign-id', 'gets 403 when it is named by its id', async () => {
    const { mine, id, as } = await apart(api);
    for (const [method, path, body] of onOne(id)) {
      const answer = await api.ask<Refusal>(method, path, body, as);
      expect([method, answer.status]).toEqual([method, 403]);
      expect(answer.body.error).toContain(`This key may use these container tags: "${mine}".`);
    }
    expect(await api.read(id)).toMatchObject({ content: 'The plan of the others.', metadata: null });
  });

  verifies(
    'isolation:key:foreign-custom-id',
    'is not found by its customId, as if it did not exist',
    async () => {
      const { customId, as } = await apart(api);
      const told = async (ref: string) => {
        const answers = onOne(ref).map(([method, path, body]) => api.ask<Refusal>(method, path, body, as));
        return (await Promise.all(answers)).map(({ status, body }) => [status, body.error.replace(ref, '')]);
      };
      const foreign = await told(customId);
      expect(foreign.map(([status]) => status)).toEqual([404, 404, 404, 404, 404]);
      expect(foreign).toEqual(await told('nobody has this'));
    },
  );

  verifies(
    ['isolation:key:no-tag', 'isolation:tags:list', 'isolation:tags:search'],
    'is invisible to a key that names no tag, which sees only its own documents',
    async () => {
      const { mine, as } = await apart(api);
      const own = await api.add({ content: 'The plan of our own.' }, as);
      expect(own.containerTags).toEqual([mine]);
      const { memories, pagination } = await api.list({}, as);
      expect([memories.map(({ id }) => id), pagination.totalItems]).toEqual([[own.id], 1]);
      for (const path of ['/v3/search', '/v4/search']) {
        const asked = { q: 'the plan', threshold: 0, limit: 100 };
        const { body } = await api.ask<{ total: number }>('POST', path, asked, as);
        expect(body.total).toBe(1);
        expect(JSON.stringify(body)).not.toContain('others');
      }
    },
  );

  verifies(
    ['isolation:tags:search', 'isolation:tags:list'],
    'is not found by a full key that names one other tag',
    async () => {
      const { mine, theirs } = await apart(api);
      await api.add({ content: 'The plan of one tag.', containerTag: mine });
      expect(await api.found('plan', mine)).toEqual(['The plan of one tag.']);
      expect(await api.found('plan', theirs)).toEqual(['The plan of the others.']);
      expect((await api.list({ containerTags: [mine] })).pagination.totalItems).toBe(1);
    },
  );

  verifies(
    'isolation:key:foreign-write',
    'is not changed by its customId, which makes a new document instead',
    async () => {
      const { mine, customId, id, as } = await apart(api);
      const answer = await api.post({ content: 'Something else.', customId }, as);
      expect(answer.status).toBe(200);
      expect(answer.body.id).not.toBe(id);
      expect(await api.settled(answer.body.id)).toMatchObject({ containerTags: [mine] });
      expect((await api.read(id)).content).toBe('The plan of the others.');
    },
  );

  verifies('isolation:key:bulk-delete', 'stays when a bulk delete names it beside own ones', async () => {
    const { id, as } = await apart(api);
    const own = await api.add({ content: 'To be deleted.' }, as);
    const { status, body } = await api.ask('DELETE', '/v3/documents/bulk', { ids: [own.id, id] }, as);
    expect([status, body]).toEqual([
      200,
      { success: false, deletedCount: 1, errors: [{ id, error: expect.stringContaining('may not delete') }] },
    ]);
    expect((await api.read(id)).status).toBe('done');
  });
});

describe('a document with several tags', () => {
  const shared = async () => {
    const tags = [api.newTag(), api.newTag()];
    const document = await api.add({
      content: 'Shared by two teams.',
      customId: tags.join('+'),
      containerTags: tags,
    });
    const [one, both] = [
      await agentKey(api, { containerTags: tags.slice(0, 1) }),
      await agentKey(api, { containerTags: tags }),
    ];
    return { tags, document, one: { key: one.key }, both: { key: both.key } };
  };

  verifies('isolation:shared:read', 'is read and found by a key that holds one of them', async () => {
    const { tags, document, one } = await shared();
    expect(await api.read(document.id, one)).toMatchObject({
      content: 'Shared by two teams.',
      containerTags: tags,
    });
    expect(await api.read(tags.join('+'), one)).toMatchObject({ id: document.id });
    expect((await api.list({}, one)).pagination.totalItems).toBe(1);
    const asked = { q: 'shared by two teams', searchMode: 'keyword' };
    expect((await api.ask<{ total: number }>('POST', '/v4/search', asked, one)).body.total).toBe(1);
  });

  verifies(
    'isolation:shared:change',
    'is changed and deleted only by a key that holds all of them',
    async () => {
      const { tags, document, one, both } = await shared();
      const changes: [string, string, object?][] = [
        ...onOne(document.id).slice(2),
        ['PATCH', pathOf(document.id), { containerTags: tags.slice(0, 1) }],
        ['POST', '/v3/documents', { content: 'More.', customId: document.customId }],
        ['DELETE', '/v3/documents/bulk', { ids: [document.id] }],
      ];
      for (const [method, path, body] of changes) {
        const answer = await api.ask<Refusal>(method, path, body, one);
        expect([method, path, answer.status]).toEqual([method, path, 403]);
      }
      const swept = await api.ask('DELETE', '/v3/documents/bulk', { containerTags: tags.slice(0, 1) }, one);
      expect(swept.body).toMatchObject({ success: true, deletedCount: 0 });
      expect(await api.read(document.id)).toMatchObject({
        content: 'Shared by two teams.',
        containerTags: tags,
      });
      expect((await api.patch(document.id, { metadata: { ours: true } }, both)).status).toBe(200);
      expect((await api.remove(document.id, both)).status).toBe(204);
    },
  );
});
