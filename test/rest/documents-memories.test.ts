// Documents together with what was drawn from them, over REST.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import { create, ID, listMemories, NOBODY, PATH, remembered } from './support/tell.ts';
import { pathOf, type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BERLIN = 'user: Hi.\nassistant: Hello.\nuser: I live in Berlin.';
const MUNICH = 'user: I moved to Munich last week.';

interface Drawn {
  memories?: { id: string; memory: string; isLatest: boolean; version: number; sourceCount: number }[];
  dreamingStatus: string;
  memoryFailure: object | null;
  status: string;
}

/** Adds and waits until it has been read for memories. */
const read = async (containerTag: string, content: string, more: object = {}) => {
  const { id } = await api.add({ content, containerTag, ...more });
  return { id, ...((await api.memoir.remembered(id)) as unknown as Drawn) };
};

interface GraphBody extends Refusal {
  documents: {
    id: string;
    memoryEntries: { id: string; memory: string; memoryRelations: object | null }[];
  }[];
  pagination: object;
}

const graph = (body: object, as?: { key: string }) =>
  api.ask<GraphBody>('POST', '/v3/documents/documents', body, as);
const byIds = (body: object, as?: { key: string }) =>
  api.ask<GraphBody>('POST', '/v3/documents/documents/by-ids', body, as);

describe('a document that is read', () => {
  verifies('documents:get:memories', 'a document that is read lists what was drawn from it', async () => {
    const document = await read(api.newTag(), BERLIN);
    expect(document.memories).toEqual([
      {
        ...{ id: expect.stringMatching(ID), memory: expect.stringContaining('Berlin'), version: 1 },
        ...{ createdAt: expect.stringMatching(UTC), updatedAt: expect.stringMatching(UTC) },
        ...{ isLatest: true, isForgotten: false, isStatic: true, isInference: false, sourceCount: 1 },
        ...{ metadata: null, parentMemoryId: null, rootMemoryId: null },
      },
    ]);
    const superrag = await read(api.newTag(), BERLIN, { taskType: 'superrag' });
    expect(superrag).toMatchObject({ dreamingStatus: 'done', memoryFailure: null });
    expect(superrag).not.toHaveProperty('memories');
  });

  verifies(
    'documents:get:dreaming',
    'a document that is read is done while its memories are still drawn',
    async () => {
      const tag = api.newTag();
      const posted = await api.post({ content: BERLIN, containerTag: tag });
      const seen: string[] = [];
      for (;;) {
        const { body } = await api.ask<Drawn>('GET', pathOf(posted.body.id));
        seen.push(`${body.status} ${body.dreamingStatus}`);
        expect(['queued', 'processing', 'done']).toContain(body.status);
        if (body.dreamingStatus === 'done') break;
      }
      expect(seen[0]).toMatch(/dreaming$/);
      expect(seen.at(-1)).toBe('done done');
      expect(await remembered(api, tag)).toHaveLength(1);
    },
  );

  verifies(
    'documents:get:memory-failure',
    'a document that is read says why no memories could be drawn, is searchable all the same, and tries again when it is sent again',
    async () => {
      const [tag, customId] = [api.newTag(), 'silent'];
      const { id } = await read(tag, BERLIN, { customId });
      expect(await api.read(id)).toMatchObject({ memoryFailure: null });
      await storedRows(
        api.memoir,
        `update documents set memory_state = 'failed', memory_failure_code = 'model_silent',
           memory_failure_message = 'The model did not answer.', memory_failure_retryable = 1 where id = ?`,
        id,
      );
      expect(await api.read(id)).toMatchObject({
        ...{ status: 'done', step: 'done', failure: null, dreamingStatus: 'done' },
        memoryFailure: { code: 'model_silent', message: 'The model did not answer.', retryable: true },
      });
      expect((await api.chunks(id)).length).toBeGreaterThan(0);
      expect((await api.post({ content: BERLIN, containerTag: tag, customId })).body.id).toBe(id);
      expect(await api.memoir.remembered(id)).toMatchObject({ dreamingStatus: 'done', memoryFailure: null });
    },
  );
});

describe('a document that is deleted', () => {
  verifies(
    'documents:delete:memories',
    'a document that is deleted takes the memories along that only it supported',
    async () => {
      const tag = api.newTag();
      const one = await read(tag, BERLIN);
      const two = await read(tag, `${BERLIN}\nuser: I have a dog called Rex.`);
      const shared = one.memories?.[0]?.id;
      expect(two.memories?.find(({ id }) => id === shared)).toMatchObject({ sourceCount: 2 });
      await api.remove(two.id);
      expect(await listMemories(api, tag)).toMatchObject({
        memoryEntries: [{ id: shared, sourceCount: 1, documentIds: [one.id] }],
      });
      await api.remove(one.id);
      expect((await listMemories(api, tag)).memoryEntries).toEqual([]);
    },
  );

  verifies(
    'documents:delete:earlier-version',
    'a document that is deleted leaves the version before as the latest',
    async () => {
      const tag = api.newTag();
      const before = await read(tag, BERLIN);
      const after = await read(tag, MUNICH);
      expect(await remembered(api, tag)).toEqual([expect.stringContaining('Munich')]);
      await api.remove(after.id);
      await expect
        .poll(() => remembered(api, tag), { timeout: 10_000 })
        .toEqual([expect.stringContaining('Berlin')]);
      const { memoryEntries } = await listMemories(api, tag);
      expect(memoryEntries).toMatchObject([
        { id: before.memories?.[0]?.id, isLatest: true, version: 1, history: [], documentIds: [before.id] },
      ]);
    },
  );
});

describe('the graph of documents and memories', () => {
  verifies(
    'documents:graph:list',
    'the graph of documents and memories lists documents with their memories, page by page',
    async () => {
      const tag = api.newTag();
      const one = await read(tag, BERLIN, { title: 'A talk', customId: `talk ${tag}` });
      const { documentId, memories } = await create(api, tag, ['Ada prefers tea.']);
      const { status, body } = await graph({ containerTags: [tag], order: 'asc' });
      expect(status).toBe(200);
      expect(body.pagination).toEqual({ currentPage: 1, totalItems: 2, totalPages: 1, limit: 10 });
      expect(body.documents).toMatchObject([
        {
          ...{ id: one.id, title: 'A talk', customId: `talk ${tag}`, type: 'text', status: 'done' },
          ...{
            dreamingStatus: 'done',
            memoryFailure: null,
            containerTags: [tag],
            summary: 'I live in Berlin.',
          },
          memoryEntries: [{ id: one.memories?.[0]?.id }],
        },
        {
          ...{ id: documentId, source: 'memories', title: 'Ada prefers tea', summary: 'Ada prefers tea.' },
          memoryEntries: [{ memory: 'Ada prefers tea.' }],
        },
      ]);
      expect(body.documents[1]?.memoryEntries[0]).toEqual({
        ...{
          id: memories[0]?.id,
          memory: 'Ada prefers tea.',
          spaceId: tag,
          orgId: expect.stringMatching(ID),
        },
        ...{ createdAt: expect.stringMatching(UTC), updatedAt: expect.stringMatching(UTC), version: 1 },
        ...{ isStatic: false, isLatest: true, isForgotten: false, isInference: false, sourceCount: 1 },
        ...{ forgetAfter: null, forgetReason: null, metadata: null, memoryRelations: null },
        ...{ parentMemoryId: null, rootMemoryId: null },
      });
      expect(body.documents[0]).not.toHaveProperty('content');
      const page = await graph({ containerTag: tag, page: 2, limit: '1', sort: 'updatedAt', order: 'asc' });
      expect(page.body).toMatchObject({
        pagination: { currentPage: 2, totalPages: 2, limit: 1 },
        documents: [{ id: documentId }],
      });
      const direct = await graph({ containerTags: [tag], sources: ['memories'] });
      expect(direct.body.documents.map(({ id }) => id)).toEqual([documentId]);
      expect((await graph({})).status).toBe(200);
    },
  );

  verifies(
    'documents:graph:list',
    'the graph of documents and memories shows all versions and what they are to each other',
    async () => {
      const tag = api.newTag();
      const { documentId, memories } = await create(api, tag, ['one']);
      await api.ask('PATCH', PATH, { containerTag: tag, content: 'one', newContent: 'two' });
      const { body } = await graph({ containerTags: [tag], order: 'asc' });
      expect(body.documents).toMatchObject([
        { id: documentId, memoryEntries: [{ memory: 'one', isLatest: false, memoryRelations: null }] },
        {
          source: 'memories',
          memoryEntries: [
            { memory: 'two', isLatest: true, memoryRelations: { [memories[0]?.id ?? '']: 'updates' } },
          ],
        },
      ]);
    },
  );

  verifies(
    'documents:graph:by-ids',
    'the graph of documents and memories is read by ids or customIds, as far as it may be',
    async () => {
      const [tag, other] = [api.newTag(), api.newTag()];
      const one = await read(tag, BERLIN, { customId: `one of ${tag}` });
      const two = await read(other, MUNICH, { customId: `two of ${tag}` });
      const ids = async (body: object, as?: { key: string }) => {
        const answer = await byIds(body, as);
        expect([answer.status, answer.body.error]).toEqual([200, undefined]);
        for (const document of answer.body.documents) expect(document.memoryEntries).toHaveLength(1);
        return answer.body.documents.map(({ id }) => id);
      };
      const both = { ids: [one.id, NOBODY, two.id, one.id] };
      expect((await ids(both)).sort()).toEqual([one.id, two.id].sort());
      expect(await ids({ ...both, containerTags: [tag] })).toEqual([one.id]);
      expect(await ids(both, { key: await api.memoir.scopedKey([other]) })).toEqual([two.id]);
      const named = { ids: [`two of ${tag}`, one.id], by: 'customId' };
      expect(await ids(named)).toEqual([two.id]);
      for (const body of [{}, { ids: [] }, { ids: [one.id], by: 'title' }])
        expect((await byIds(body)).status).toBe(400);
    },
  );
});
