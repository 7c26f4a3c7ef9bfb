// Memories over REST: created directly, updated, named.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import {
  create,
  ID,
  listMemories,
  type MemoryBody,
  NOBODY,
  PATH,
  recalled,
  remembered,
  tell,
} from './support/tell.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

interface UpdatedBody extends MemoryBody, Refusal {
  version: number;
  parentMemoryId: string | null;
  rootMemoryId: string | null;
}

const update = (body: object, as?: { key: string }) => api.ask<UpdatedBody>('PATCH', PATH, body, as);
const forget = (body: object, as?: { key: string }) =>
  api.ask<{ id: string; forgotten: boolean } & Refusal>('DELETE', PATH, body, as);

const noRetry = (headers: Headers) => headers.get('x-should-retry');

describe('creating memories', () => {
  verifies(
    'memories:create:created',
    'creating memories answers 201 with each of them, in order',
    async () => {
      const tag = api.newTag();
      const body = await create(api, tag, [
        { content: 'Ada prefers tea.', isStatic: true, metadata: { kind: 'taste', strength: 2, sure: true } },
        { content: 'Ada is in Lyon.', forgetAfter: '2124-03-08T00:00:00+01:00', forgetReason: 'The trip' },
        { content: 'Ada has a cello.', forgetReason: 'means nothing without a date' },
      ]);
      const [first, second, third] = body.memories;
      const common = { id: expect.stringMatching(ID), createdAt: expect.any(String) };
      const plain = { isStatic: false, forgetAfter: null, forgetReason: null, metadata: null };
      expect(body.documentId).toMatch(ID);
      expect(first).toEqual({
        ...{ ...common, ...plain, memory: 'Ada prefers tea.', isStatic: true },
        metadata: { kind: 'taste', strength: 2, sure: true },
      });
      expect(second).toEqual({
        ...{ ...common, ...plain, memory: 'Ada is in Lyon.', forgetReason: 'The trip' },
        forgetAfter: '2124-03-07T23:00:00.000Z',
      });
      expect(third).toEqual({ ...common, ...plain, memory: 'Ada has a cello.' });
    },
  );

  verifies(
    'memories:create:source',
    'a created memory stands on a light document, and is deleted for good with it',
    async () => {
      const tag = api.newTag();
      const { documentId, memories } = await create(api, tag, ['Ada prefers tea.', 'Ada has a cello.']);
      expect(await api.read(documentId)).toMatchObject({
        ...{ id: documentId, status: 'done', dreamingStatus: 'done', containerTags: [tag], type: 'text' },
        memories: memories.map(({ id }) => ({ id, sourceCount: 1 })),
      });
      expect((await api.remove(documentId)).status).toBe(204);
      expect((await listMemories(api, tag)).memoryEntries).toEqual([]);
      expect(await recalled(api, tag, 'Ada prefers tea.', { include: { forgottenMemories: true } })).toEqual(
        [],
      );
      const [first] = memories;
      expect((await forget({ containerTag: tag, id: first?.id })).status).toBe(404);
    },
  );

  verifies(
    ['memories:create:searchable', 'memories:unknown-tag:created'],
    'creating memories under a tag that nobody used yet makes them found at once',
    async () => {
      const tag = api.newTag();
      await create(api, tag, ['Ada prefers tea to coffee.', 'The boat house has a blue door.']);
      expect(await recalled(api, tag, 'What does Ada like to drink, tea or coffee?')).toEqual([
        'Ada prefers tea to coffee.',
      ]);
      expect(await recalled(api, tag, 'blue door', { searchMode: 'keyword' })).toEqual([
        'The boat house has a blue door.',
      ]);
    },
  );

  verifies(
    ['memories:create:known', 'memories:sources:several'],
    'creating memories that are known adds a source, whoever said it first',
    async () => {
      const tag = api.newTag();
      const first = await create(api, tag, [
        { content: 'Ada lives in Lyon.', forgetAfter: '2124-01-01', metadata: { a: 1, b: 1 } },
      ]);
      const again = await create(api, tag, [
        { content: 'ada lives in  Lyon', isStatic: true, metadata: { b: 2 } },
      ]);
      expect(again.memories).toMatchObject([
        {
          ...{ id: first.memories[0]?.id, memory: 'Ada lives in Lyon.', isStatic: true },
          ...{ forgetAfter: null, metadata: { a: 1, b: 2 } },
        },
      ]);
      const { memoryEntries } = await listMemories(api, tag);
      expect(memoryEntries).toMatchObject([
        { sourceCount: 2, documentIds: [first.documentId, again.documentId] },
      ]);
      await api.remove(first.documentId);
      expect(await listMemories(api, tag)).toMatchObject({
        memoryEntries: [{ sourceCount: 1, documentIds: [again.documentId], memory: 'Ada lives in Lyon.' }],
      });
    },
  );

  verifies(
    'memories:create:temporal-context',
    'creating memories keeps their dates in the metadata',
    async () => {
      const tag = api.newTag();
      const temporalContext = {
        documentDate: '2026-03-01',
        eventDate: ['2026-05-02T10:00:00Z', '2026-06-01'],
      };
      const { metadata } = await tell(api, tag, 'Ada moves twice.', {
        temporalContext,
        metadata: { kind: 'x' },
      });
      const kept = {
        documentDate: '2026-03-01T00:00:00.000Z',
        eventDate: ['2026-05-02T10:00:00.000Z', '2026-06-01T00:00:00.000Z'],
      };
      expect(metadata).toEqual({ kind: 'x', temporalContext: kept });
      const [entry] = (await listMemories(api, tag)).memoryEntries;
      expect(entry).toMatchObject({ metadata, temporalContext: kept });
    },
  );

  verifies(
    'memories:create:invalid',
    'creating memories that are not right fails with 400 and stores none',
    async () => {
      const tag = api.newTag();
      const good = { content: 'Good.' };
      const cases: [object, RegExp][] = [
        [{ memories: [good] }, /container tag/],
        [{ containerTag: tag }, /memories/],
        [{ containerTag: tag, memories: [] }, /memories/],
        [{ containerTag: tag, memories: Array.from({ length: 101 }, () => good) }, /memories/],
        [{ containerTag: tag, memories: [good, { content: '' }] }, /memories\[1\]\.content/],
        [{ containerTag: tag, memories: [good, { content: 'x'.repeat(10_001) }] }, /memories\[1\]\.content/],
        [{ containerTag: tag, memories: [{ ...good, metadata: { a: [1] } }] }, /metadata/],
        [{ containerTag: tag, memories: [{ ...good, forgetAfter: 'soon' }] }, /forgetAfter.*ISO-8601/],
      ];
      for (const [body, why] of cases) {
        const answer = await api.ask<Refusal>('POST', PATH, body);
        expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(why)]);
      }
      expect((await listMemories(api, tag)).memoryEntries).toEqual([]);
    },
  );

  verifies('memories:tag:no-cap', 'the number of memories under one tag has no limit', async () => {
    const tag = api.newTag();
    for (const hundred of [0, 1, 2, 3])
      await create(
        api,
        tag,
        Array.from({ length: 100 }, (_, at) => `Box ${100 * hundred + at} stands in row ${at}.`),
      );
    const { memoryEntries, pagination } = await listMemories(api, tag);
    expect([memoryEntries.length, pagination.totalItems]).toEqual([400, 400]);
    expect(await recalled(api, tag, 'Box 377', { searchMode: 'keyword', limit: 1 })).toEqual([
      'Box 377 stands in row 77.',
    ]);
  });
});

describe('updating a memory', () => {
  verifies(
    'memories:update:version',
    'updating a memory makes a new version in place of the old one',
    async () => {
      const tag = api.newTag();
      const first = await tell(api, tag, 'Ada lives in Lyon.', { isStatic: true });
      const { status, body } = await update({
        containerTag: tag,
        id: first.id,
        newContent: 'Ada lives in Rome.',
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...{ id: expect.stringMatching(ID), memory: 'Ada lives in Rome.', version: 2, metadata: null },
        ...{ parentMemoryId: first.id, rootMemoryId: first.id, createdAt: expect.any(String) },
        ...{ forgetAfter: null, forgetReason: null },
      });
      const third = await update({
        containerTag: tag,
        content: 'Ada lives in Rome.',
        newContent: 'Ada left.',
      });
      expect(third.body).toMatchObject({ version: 3, parentMemoryId: body.id, rootMemoryId: first.id });
      expect(await listMemories(api, tag)).toMatchObject({
        memoryEntries: [
          {
            ...{ id: third.body.id, isLatest: true, isStatic: true, sourceCount: 1 },
            memoryRelations: { [body.id]: 'updates' },
            history: [
              { id: body.id, version: 2, isLatest: false, isForgotten: false, parentMemoryId: first.id },
              { id: first.id, version: 1, isLatest: false, parentMemoryId: null, rootMemoryId: null },
            ],
          },
        ],
      });
      expect(await recalled(api, tag, 'Where does Ada live?', { threshold: 0 })).toEqual(['Ada left.']);
    },
  );

  verifies(
    'memories:update:inherits',
    'updating a memory inherits what is left out, and clears what is null',
    async () => {
      const tag = api.newTag();
      const { id } = await tell(api, tag, 'one', {
        ...{ metadata: { a: 1 }, forgetAfter: '2124-01-01', forgetReason: 'r' },
        temporalContext: { documentDate: '2026-03-01', eventDate: ['2026-05-02'] },
      });
      const target = { containerTag: tag };
      const inherited = await update({ ...target, id, newContent: 'two' });
      const forgetAfter = '2124-01-02T00:00:00.000Z';
      const temporalContext = {
        documentDate: '2026-03-01T00:00:00.000Z',
        eventDate: ['2026-05-02T00:00:00.000Z'],
      };
      expect(inherited.body).toMatchObject({ forgetAfter, forgetReason: 'r' });
      expect(inherited.body.metadata).toEqual({ a: 1, temporalContext });
      const changed = await update({
        ...{ ...target, content: 'two', newContent: 'three', metadata: { b: 2 }, forgetReason: 's' },
        temporalContext: { eventDate: null },
      });
      expect(changed.body).toMatchObject({ forgetAfter, forgetReason: 's' });
      expect(changed.body.metadata).toEqual({ b: 2, temporalContext: { ...temporalContext, eventDate: [] } });
      const cleared = await update({
        ...{ ...target, content: 'three', newContent: 'four', forgetAfter: null, forgetReason: 'kept?' },
      });
      expect(cleared.body).toMatchObject({ forgetAfter: null, forgetReason: null, version: 4 });
    },
  );

  verifies(
    'memories:update:forgotten',
    'updating a memory that is forgotten is refused, unless its time is given anew',
    async () => {
      const tag = api.newTag();
      const forgotten = await tell(api, tag, 'Forgotten.');
      await forget({ containerTag: tag, id: forgotten.id });
      const refused = await update({ containerTag: tag, id: forgotten.id, newContent: 'Back.' });
      expect([refused.status, noRetry(refused.headers)]).toEqual([409, 'false']);
      const expired = await tell(api, tag, 'Expired.', { forgetAfter: '2020-01-01' });
      expect((await update({ containerTag: tag, id: expired.id, newContent: 'Back.' })).status).toBe(409);
      expect(await remembered(api, tag)).toEqual([]);
      const { status } = await update({
        ...{ containerTag: tag, id: expired.id, newContent: 'Back.', forgetAfter: null },
      });
      expect([status, await remembered(api, tag)]).toEqual([200, ['Back.']]);
    },
  );
});

describe('a memory that is named', () => {
  verifies(
    'memories:target:id-or-content',
    'a memory is named by its id or its exact text, and its tag',
    async () => {
      const tag = api.newTag();
      const { id } = await tell(api, tag, 'Ada prefers tea.');
      const rest = { newContent: 'x', reason: 'r' };
      for (const body of [{ containerTag: tag }, { id }, { content: 'Ada prefers tea.' }, {}])
        for (const method of ['PATCH', 'DELETE'])
          expect((await api.ask(method, PATH, { ...body, ...rest })).status).toBe(400);
      expect((await update({ containerTag: tag, id })).status).toBe(400);
      expect((await update({ containerTag: tag, id, newContent: '' })).status).toBe(400);
      expect(await remembered(api, tag)).toEqual(['Ada prefers tea.']);
    },
  );

  verifies('memories:target:unknown', 'a memory that is named and is not there fails with 404', async () => {
    const [tag, other] = [api.newTag(), api.newTag()];
    const { documentId, memories } = await create(api, tag, ['Ada prefers tea.']);
    const [memory] = memories;
    for (const target of [
      { containerTag: tag, id: NOBODY },
      { containerTag: tag, id: documentId },
      { containerTag: tag, content: 'Ada prefers tea' },
      { containerTag: tag, content: 'tea' },
      { containerTag: other, id: memory?.id },
      { containerTag: other, content: 'Ada prefers tea.' },
    ])
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await api.ask<Refusal>(method, PATH, { ...target, newContent: 'x' });
        expect([answer.status, answer.body.error]).toEqual([404, expect.stringContaining('No memory under')]);
      }
    expect(await remembered(api, tag)).toEqual(['Ada prefers tea.']);
  });

  verifies(
    'memories:target:superseded',
    'a memory that is named and has a newer version fails with 409 that names it',
    async () => {
      const tag = api.newTag();
      const { id } = await tell(api, tag, 'one');
      const { body: latest } = await update({ containerTag: tag, id, newContent: 'two' });
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await api.ask<Refusal>(method, PATH, { containerTag: tag, id, newContent: 'three' });
        expect([answer.status, noRetry(answer.headers)]).toEqual([409, 'false']);
        expect(answer.body.error).toContain(latest.id);
      }
      expect(await remembered(api, tag)).toEqual(['two']);
    },
  );

  verifies(
    ['memories:target:foreign', 'isolation:shared:memories'],
    'a memory that is named and belongs to other tags is out of reach, or may only be read',
    async () => {
      const [mine, theirs] = [api.newTag(), api.newTag()];
      const as = { key: await api.memoir.scopedKey([mine]) };
      const foreign = await tell(api, theirs, 'Theirs.');
      const shared = await api.ask<{ memories: MemoryBody[] }>('POST', PATH, {
        ...{ containerTags: [mine, theirs], memories: [{ content: 'Shared.' }] },
      });
      const tried = async (target: object) => {
        const body = { containerTag: mine, newContent: 'x', ...target };
        return [(await update(body, as)).status, (await forget(body, as)).status];
      };
      expect(await tried({ containerTag: theirs, id: foreign.id })).toEqual([403, 403]);
      expect(await tried({ id: foreign.id })).toEqual([403, 403]);
      expect(await tried({ content: 'Theirs.' })).toEqual([404, 404]);
      expect(await tried({ id: shared.body.memories[0]?.id })).toEqual([403, 403]);
      expect(await tried({ content: 'Shared.' })).toEqual([403, 403]);
      const { memoryEntries } = await listMemories(api, mine, {}, as);
      expect(memoryEntries).toMatchObject([{ memory: 'Shared.', spaceId: mine, isForgotten: false }]);
      expect(await remembered(api, theirs)).toEqual(['Theirs.', 'Shared.']);
    },
  );
});
