// Lists of memories and the review of guesses over REST.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import {
  asGuess,
  create,
  ID,
  listMemories,
  NOBODY,
  PATH,
  recalled,
  remembered,
  tell,
} from './support/tell.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Without a model nothing is concluded from other memories, so it is written where it is stored. */
const conclude = async (id: string, from: readonly string[]): Promise<void> => {
  await asGuess(api, id);
  for (const other of from)
    await storedRows(
      api.memoir,
      `insert into memory_relations (memory, other, kind, created_at)
         select one.n, other.n, 'derives', 0 from memories as one, memories as other where one.id = ? and other.id = ?`,
      ...[id, other],
    );
};

describe('a list of memories', () => {
  verifies('memories:list:fields', 'a list of memories carries every published field', async () => {
    const tag = api.newTag();
    const { documentId, memories } = await create(api, tag, [
      { content: 'Ada prefers tea.', isStatic: true, metadata: { kind: 'taste' } },
    ]);
    const { memoryEntries, pagination } = await listMemories(api, tag, { limit: 10 });
    expect(pagination).toEqual({ currentPage: 1, totalItems: 1, totalPages: 1, limit: 10 });
    expect(memoryEntries).toEqual([
      {
        ...{ id: memories[0]?.id, memory: 'Ada prefers tea.', version: 1, isLatest: true },
        ...{ isForgotten: false, isStatic: true, isInference: false, sourceCount: 1 },
        ...{ createdAt: expect.stringMatching(UTC), updatedAt: expect.stringMatching(UTC) },
        ...{ spaceId: tag, orgId: expect.stringMatching(ID), documentIds: [documentId], history: [] },
        ...{ parentMemoryId: null, rootMemoryId: null, forgetAfter: null, forgetReason: null },
        ...{ metadata: { kind: 'taste' }, memoryRelations: null, temporalContext: null },
      },
    ]);
  });

  verifies(
    'memories:list:pages',
    'a list of memories is paged, sorted, filtered, and needs a tag',
    async () => {
      const tag = api.newTag();
      for (const content of ['one', 'two', 'three'])
        await tell(api, tag, content, { metadata: { even: content === 'two' } });
      const texts = async (more: object) =>
        (await listMemories(api, tag, { ...more })).memoryEntries.map(({ memory }) => memory);
      expect(await texts({ order: undefined })).toEqual(['three', 'two', 'one']);
      expect(await texts({ page: '2', limit: '2' })).toEqual(['three']);
      expect(await texts({ page: 9 })).toEqual([]);
      await api.ask('PATCH', PATH, { containerTag: tag, content: 'one', newContent: 'one more' });
      expect(await texts({ sort: 'updatedAt', order: 'desc', limit: 1 })).toEqual(['one more']);
      const filters = { AND: [{ key: 'even', value: 'true' }] };
      expect(await texts({ filters })).toEqual(['two']);
      expect(
        await texts({ filters: JSON.stringify({ AND: [{ key: 'even', value: 'true', negate: true }] }) }),
      ).toEqual(['three', 'one more']);
      for (const body of [{}, { containerTags: [] }, { containerTags: [tag], limit: 1101 }]) {
        const { status } = await api.ask('POST', `${PATH}/list`, body);
        expect(status).toBe(400);
      }
      expect((await listMemories(api, 'a tag that nobody used')).memoryEntries).toEqual([]);
    },
  );

  verifies(
    'memories:list:forgotten',
    'a list of memories holds the latest versions, forgotten ones marked',
    async () => {
      const tag = api.newTag();
      await create(api, tag, ['kept', 'forgotten', { content: 'over', forgetAfter: '2020-01-01' }, 'old']);
      await api.ask('DELETE', PATH, { containerTag: tag, content: 'forgotten', reason: 'r' });
      await api.ask('PATCH', PATH, { containerTag: tag, content: 'old', newContent: 'new' });
      const { memoryEntries } = await listMemories(api, tag);
      expect(
        memoryEntries.map(({ memory, isLatest, isForgotten }) => [memory, isLatest, isForgotten]),
      ).toEqual([
        ['kept', true, false],
        ['forgotten', true, true],
        ['over', true, true],
        ['new', true, false],
      ]);
    },
  );

  verifies(
    'memories:list:space',
    'a list of memories names the tag by which the caller sees each',
    async () => {
      const [one, two] = [api.newTag(), api.newTag()];
      const body = { containerTags: [one, two], memories: [{ content: 'Of both.' }] };
      expect((await api.ask('POST', PATH, body)).status).toBe(201);
      await tell(api, two, 'Of one.');
      const spaces = async (tags: string[], key?: string) =>
        (await listMemories(api, tags, {}, key === undefined ? {} : { key })).memoryEntries.map(
          ({ memory, spaceId }) => [memory, spaceId],
        );
      const own = ['Of one.', two];
      expect(await spaces([two])).toEqual([['Of both.', two], own]);
      expect(await spaces([one])).toEqual([['Of both.', one]]);
      expect(await spaces([one, two])).toEqual([['Of both.', one], own]);
      expect(await spaces([two], await api.memoir.scopedKey([two]))).toEqual([['Of both.', two], own]);
    },
  );
});

const inferred = async (tag: string) => {
  const answer = await api.ask<{
    memories: { id: string; memory: string; parentCount: number }[];
    total: number;
  }>('GET', `/v3/container-tags/${encodeURIComponent(tag)}/inferred`);
  expect(answer.status).toBe(200);
  return answer.body;
};

const review = (tag: string, id: string, action: string, as?: { key: string }) =>
  api.ask<Refusal>(
    'POST',
    `/v3/container-tags/${encodeURIComponent(tag)}/inferred/${id}/review`,
    { action },
    as,
  );

/** A guess from so many facts. */
const guess = async (tag: string, memory: string, from: readonly string[] = []) => {
  const { id } = await tell(api, tag, memory, { metadata: { kind: 'guess' } });
  await conclude(id, from);
  return id;
};

describe('inferred memories', () => {
  verifies('memories:inferred:list', 'inferred memories wait for a review', async () => {
    const tag = `${api.newTag()}/with a blank`;
    const facts = (await create(api, tag, ['one', 'two'])).memories.map(({ id }) => id);
    await guess(tag, 'of none');
    const both = await guess(tag, 'of both', facts);
    await guess(tag, 'of one', facts.slice(0, 1));
    const { memories, total } = await inferred(tag);
    expect(total).toBe(3);
    expect(memories.map(({ memory, parentCount }) => [memory, parentCount])).toEqual([
      ['of both', 2],
      ['of one', 1],
      ['of none', 0],
    ]);
    expect(memories[0]).toEqual({
      ...{ id: both, memory: 'of both', parentCount: 2, metadata: { kind: 'guess' } },
      ...{ createdAt: expect.stringMatching(UTC), updatedAt: expect.stringMatching(UTC) },
    });
    await api.ask('DELETE', PATH, { containerTag: tag, id: both });
    expect((await inferred(tag)).total).toBe(2);
    expect(await inferred('a tag that nobody used')).toEqual({ memories: [], total: 0 });
    const key = await api.memoir.scopedKey([api.newTag()]);
    const foreign = await api.ask(
      'GET',
      `/v3/container-tags/${encodeURIComponent(tag)}/inferred`,
      undefined,
      { key },
    );
    expect(foreign.status).toBe(403);
  });

  verifies('memories:inferred:list', 'inferred memories are shown fifty at a time', async () => {
    const tag = api.newTag();
    const { memories } = await create(
      api,
      tag,
      Array.from({ length: 60 }, (_, at) => `Guess ${at}.`),
    );
    for (const { id } of memories) await conclude(id, []);
    const body = await inferred(tag);
    expect([body.memories.length, body.total]).toEqual([50, 60]);
  });

  verifies(
    'memories:review:actions',
    'inferred memories are approved, declined, and taken back',
    async () => {
      const tag = api.newTag();
      const id = await guess(tag, 'Ada may like trains.');
      const entry = async () => (await listMemories(api, tag)).memoryEntries[0];
      const state = { id, isInference: true, isForgotten: false, reviewStatus: null };
      expect((await review(tag, id, 'approve')).body).toEqual({
        ...state,
        isInference: false,
        reviewStatus: 'approved',
      });
      expect(await entry()).toMatchObject({
        isInference: false,
        metadata: { kind: 'guess', reviewStatus: 'approved' },
      });
      expect((await review(tag, id, 'undo')).body).toEqual(state);
      expect((await entry())?.metadata).toEqual({ kind: 'guess' });
      expect((await review(tag, id, 'decline')).body).toEqual({
        ...state,
        isForgotten: true,
        reviewStatus: 'declined',
      });
      expect((await inferred(tag)).total).toBe(0);
      const q = 'Ada may like trains.';
      expect(await recalled(api, tag, q, { include: { forgottenMemories: true } })).toEqual([]);
      expect((await review(tag, id, 'undo')).body).toEqual(state);
      expect(await remembered(api, tag)).toEqual([q]);
    },
  );

  verifies(
    'memories:review:refused',
    'inferred memories are not judged twice, nor is what is no guess',
    async () => {
      const tag = api.newTag();
      const fact = (await tell(api, tag, 'A fact.')).id;
      const id = await guess(tag, 'A guess.');
      for (const [which, action] of [
        [fact, 'approve'],
        [fact, 'decline'],
        [fact, 'undo'],
        [id, 'undo'],
      ] as const) {
        const answer = await review(tag, which, action);
        expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([409, 'false']);
      }
      expect((await review(tag, id, 'approve')).status).toBe(200);
      expect((await review(tag, id, 'decline')).status).toBe(409);
      expect((await review(tag, NOBODY, 'approve')).status).toBe(404);
      expect((await review(api.newTag(), id, 'undo')).status).toBe(404);
      expect((await review(tag, id, 'perhaps')).status).toBe(400);
      const key = await api.memoir.scopedKey([api.newTag()]);
      expect((await review(tag, id, 'undo', { key })).status).toBe(403);
    },
  );
});
