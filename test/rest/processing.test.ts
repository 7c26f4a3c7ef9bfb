// The way of a document from queued to done or failed, watched over REST while an embedding service holds it up.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { searchedOnly } from './support/searched-only.ts';
import { useEmbeddings } from './support/use-embeddings.ts';
import { type DocumentBody, type ListBody, pathOf, useOwnMemoir } from './support/use-memoir.ts';

const embeddings = useEmbeddings();
const api = searchedOnly(useOwnMemoir(embeddings.env));

type Fields = Record<string, unknown>;

interface QueueBody {
  documents: DocumentBody[];
  totalCount: number;
}

const queue = async (query = ''): Promise<QueueBody> =>
  (await api.ask<QueueBody>('GET', `/v3/documents/processing${query}`)).body;

/** So many requests leave no room for another document. */
const EMBEDDED_AT_ONCE = 4;

/** One document that is being embedded, and one that waits behind it and others. */
const heldUp = async (tag: string, fields: Fields = {}) => {
  const held = embeddings.hold(EMBEDDED_AT_ONCE);
  const first = await api.post({ content: 'The first is being read.', containerTag: tag, ...fields });
  await held.reached;
  for (let others = 1; others < EMBEDDED_AT_ONCE; others++) {
    await api.post({ content: `Another is being read: ${others}.`, containerTag: `${tag}-others` });
    await held.arrived(others + 1);
  }
  const second = await api.post({ content: 'The second waits.', containerTag: tag });
  return { held, working: first.body.id, waiting: second.body.id };
};

describe('while a document is processed', () => {
  verifies(
    [
      'documents:add:at-once',
      'documents:get:polling',
      'documents:get:status',
      'processing:status:words',
      'processing:step:working',
    ],
    'the add was answered long ago, and polling sees queued, then processing, then done',
    async () => {
      const tag = api.newTag();
      const { held, working, waiting } = await heldUp(tag);
      using _ = held;
      const now = await api.read(working);
      expect(now.status).toBe('processing');
      expect(now.step).toBe('embedding');
      expect(await api.read(waiting)).toMatchObject({ status: 'queued', step: 'queued' });
      expect(await api.chunks(working)).toEqual([]);
      held.release();
      for (const id of [working, waiting])
        expect(await api.settled(id)).toMatchObject({ status: 'done', step: 'done' });
      expect(await api.texts(working)).toEqual(['The first is being read.']);
    },
  );

  verifies(
    ['documents:update:status', 'resend:title:in-work'],
    'an update answers its status as reading does, and a title that is sent again with it is kept',
    async () => {
      const tag = api.newTag();
      const customId = `held in ${tag}`;
      const { held, working, waiting } = await heldUp(tag, { customId });
      using _ = held;
      const metadata = { seen: true };
      expect((await api.patch(working, { metadata })).body).toEqual({ id: working, status: 'processing' });
      expect((await api.patch(waiting, { metadata })).body).toEqual({ id: waiting, status: 'queued' });
      const again = { content: 'The first is being read.', containerTag: tag, customId, title: 'Given' };
      expect((await api.post(again)).body).toEqual({ id: working, status: 'queued' });
      held.release();
      expect(await api.settled(working)).toMatchObject({ status: 'done', title: 'Given', metadata });
    },
  );

  verifies(
    ['documents:processing:working', 'documents:processing:fields'],
    'the queue view holds it, with every published field, and nothing that is done or failed',
    async () => {
      const tag = api.newTag();
      await api.add({ content: 'Done before.', containerTag: tag });
      await api.add({ content: 'https://pages.internal/failed', containerTag: tag });
      const customId = `queued in ${tag}`;
      const { held, working, waiting } = await heldUp(tag, { customId, metadata: { kind: 'held' } });
      using _ = held;
      const query = `?containerTag=${tag}`;
      const { documents, totalCount } = await queue(query);
      expect(documents.map(({ id }) => id)).toEqual([waiting, working]);
      expect(totalCount).toBe(2);
      const { title, type, createdAt, updatedAt } = await api.read(working);
      expect(documents[1]).toEqual({
        ...{ id: working, customId, title, type, createdAt, updatedAt },
        ...{ metadata: { kind: 'held' }, containerTags: [tag], status: 'processing' },
        ...{ step: 'embedding', progress: null, failure: null },
      });
      expect(await queue('?containerTag=another')).toEqual({ documents: [], totalCount: 0 });
      expect((await queue()).totalCount).toBe(1 + EMBEDDED_AT_ONCE);
      held.release();
      await Promise.all([working, waiting].map(api.settled));
      expect(await queue(query)).toEqual({ documents: [], totalCount: 0 });
    },
  );

  verifies(
    ['documents:list:by-status', 'documents:list:status-words'],
    'while a document is processed lists tell it from others by the words of the specification and by the exact steps',
    async () => {
      const tag = api.newTag();
      const done = await api.add({ content: 'Done before.', containerTag: tag });
      const failed = await api.add({ content: 'https://pages.internal/failed', containerTag: tag });
      const { held, working, waiting } = await heldUp(tag);
      using _ = held;
      const listed = async (status: unknown) =>
        (await api.list({ containerTag: tag, status })).memories.map(({ id }) => id);
      const expected: [unknown, string[]][] = [
        ['queued', [waiting]],
        ['processing', [working]],
        ['done', [done.id]],
        ['failed', [failed.id]],
        ['extracting', []],
        ['chunking', []],
        ['embedding', [working]],
        ['indexing', [working]],
        [
          ['queued', 'processing'],
          [waiting, working],
        ],
        [
          ['done', 'failed', 'embedding'],
          [working, failed.id, done.id],
        ],
      ];
      for (const [status, ids] of expected) {
        expect(await listed(status), String(status)).toEqual(ids);
        const query = new URLSearchParams({ containerTag: tag, status: String(status) });
        const { body } = await api.ask<ListBody>('GET', `/v3/documents?${query}`);
        expect(
          body.memories.map(({ id }) => id),
          String(status),
        ).toEqual(ids);
      }
      for (const status of ['unknown', 'Done', '', [], ['done', 'gone']])
        expect((await api.ask('POST', '/v3/documents/list', { status })).status).toBe(400);
      expect((await api.ask('GET', '/v3/documents?status=done,gone')).status).toBe(400);
    },
  );

  verifies('documents:update:metadata-in-place', 'its metadata can change without a new start', async () => {
    const { held, working } = await heldUp(api.newTag(), { metadata: { kind: 'first', kept: 1 } });
    using _ = held;
    const { status, step } = await api.read(working);
    const changed = await embeddings.during(() => api.patch(working, { metadata: { kind: 'second' } }));
    expect(changed).toEqual([]);
    expect(await api.read(working)).toMatchObject({ status, step });
    held.release();
    expect(await api.settled(working)).toMatchObject({
      status: 'done',
      metadata: { kind: 'second', kept: 1 },
    });
  });

  verifies(
    'documents:update:always-replaces',
    'an update replaces it, whatever was still to come',
    async () => {
      const customId = `updated in flight ${api.newTag()}`;
      const { held, working } = await heldUp(api.newTag(), { customId, content: 'user: The old turn.' });
      using _ = held;
      await api.post({ content: 'user: A turn in between.', customId });
      expect((await api.patch(working, { content: 'user: The old turn.' })).body.status).toBe('queued');
      held.release();
      expect(await api.settled(working)).toMatchObject({ status: 'done', content: 'user: The old turn.' });
      expect(await api.texts(working)).toEqual(['The old turn.']);
    },
  );

  verifies('documents:delete:in-flight', 'it can be deleted and does not come back', async () => {
    const tag = api.newTag();
    const customId = `deleted in flight ${tag}`;
    const { held, working, waiting } = await heldUp(tag, { customId });
    using _ = held;
    for (const id of [working, waiting]) expect((await api.remove(id)).status).toBe(204);
    expect(await queue(`?containerTag=${tag}`)).toEqual({ documents: [], totalCount: 0 });
    const again = await api.post({ content: 'A new beginning.', customId, containerTag: tag });
    expect(again.body.id).not.toBe(working);
    held.release();
    await api.settled(again.body.id);
    await api.memoir.idle();
    for (const id of [working, waiting]) expect((await api.ask('GET', pathOf(id))).status).toBe(404);
    expect((await api.list({ containerTag: tag })).memories.map(({ id }) => id)).toEqual([again.body.id]);
    expect(await api.found('first second new beginning read waits', tag)).toEqual(['A new beginning.']);
  });

  verifies('documents:delete:in-flight', 'its whole tag can be deleted', async () => {
    const tag = api.newTag();
    const { held, working } = await heldUp(tag);
    using _ = held;
    const answer = await api.ask('DELETE', '/v3/documents/bulk', { containerTags: [tag] });
    expect(answer.body).toMatchObject({ success: true, deletedCount: 2 });
    held.release();
    await api.memoir.idle();
    expect((await api.ask('GET', pathOf(working))).status).toBe(404);
    expect(await api.found('first second', tag)).toEqual([]);
  });
});

/** The states that polling sees of a document until it is settled, without repetitions. */
const watched = async <T>(id: string, look: (body: DocumentBody) => T): Promise<T[]> => {
  const seen: T[] = [];
  for (;;) {
    const body = await api.read(id);
    const now = look(body);
    if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
    if (body.status === 'done' || body.status === 'failed') return seen;
  }
};

describe('the step of a document', () => {
  /** Long enough that each step can be seen. */
  const page = () => {
    const paragraph = (_: unknown, index: number) =>
      `<p>${`The heron of the ${index}th lake waits for fish. `.repeat(20)}</p>`;
    return `<!doctype html><html><body><article>${Array.from({ length: 1000 }, paragraph).join('')}</article></body></html>`;
  };

  verifies(
    ['processing:steps:order', 'documents:get:step', 'processing:step:working'],
    'the step of a document is queued, extracting, chunking, embedding, done, in this order',
    async () => {
      const { held, working, waiting } = await heldUp(api.newTag());
      using _ = held;
      const { body } = await api.post({ content: page() });
      const steps = watched(body.id, ({ status, step }) => `${status} ${step}`);
      expect((await api.read(working)).step).toBe('embedding');
      held.release();
      expect(await steps).toEqual([
        'queued queued',
        'processing extracting',
        'processing chunking',
        'processing embedding',
        'done done',
      ]);
      await api.settled(waiting);
    },
  );

  verifies(
    ['documents:get:step', 'documents:get:progress', 'documents:processing:fields'],
    'the step of a document is embedding while the service is asked, and a long document tells how far it is',
    async () => {
      using _ = embeddings.slow(250);
      const content = Array.from({ length: 700 }, (_, turn) => `user: This is turn ${turn} of many.`);
      const { body } = await api.post({ content: content.join('\n') });
      const seen = await watched(body.id, ({ step, progress }) => ({ step, progress }));
      expect(seen[0]?.step).not.toBe('done');
      expect(seen.at(-1)).toEqual({ step: 'done', progress: null });
      const embedding = seen.filter(({ step }) => step === 'embedding').map(({ progress }) => progress);
      expect(embedding[0]).toEqual({ done: 0, total: 700, unit: 'chunks' });
      expect(embedding.length).toBeGreaterThanOrEqual(2);
      const done = embedding.map((progress) => progress?.done ?? Number.NaN);
      expect(done).toEqual([...new Set(done)].sort((a, b) => a - b));
      expect(Math.max(...done)).toBeLessThanOrEqual(700);
    },
  );
});

describe('a document that is done', () => {
  verifies(
    ['processing:done:retrievable', 'processing:pipeline:chunks'],
    'a document that is done was split into passages and is found by each of them, by words and by meaning',
    async () => {
      const tag = api.newTag();
      const about = ['Herons nest in tall trees', 'Trains leave at noon', 'Kettles whistle when they boil'];
      const content = about.map((sentence) => `${sentence}. `.repeat(60)).join('\n\n');
      const { id, status } = await api.add({ content, containerTag: tag });
      expect(status).toBe('done');
      const texts = await api.texts(id);
      expect(texts.length).toBeGreaterThanOrEqual(3);
      for (const word of ['herons', 'trains', 'kettles']) {
        const passages = await api.found(word, tag);
        expect(passages.length).toBeGreaterThan(0);
        for (const passage of passages) {
          expect(texts).toContain(passage);
          expect(passage.toLowerCase()).toContain(word);
        }
        const [best] = await api.found(word, tag, { searchMode: 'semantic' });
        expect(best?.toLowerCase()).toContain(word);
      }
    },
  );
});

describe('a document that cannot be processed', () => {
  verifies(
    ['processing:status:failed', 'processing:failed:reason', 'documents:get:progress'],
    'a document that cannot be processed is failed and says why: a code, a sentence, and whether the same may pass later',
    async () => {
      embeddings.refuseNext('The service will refuse this.');
      const refused = await api.add({ content: 'The service will refuse this.' });
      expect(refused).toMatchObject({ status: 'failed', step: 'failed' });
      expect(refused.failure).toEqual({
        code: 'text_refused',
        message: expect.stringMatching(/refused the request \(400\).*answers other texts.*Change it/),
        retryable: false,
      });
      expect(JSON.stringify(refused)).not.toContain('secret');
      const address = await api.add({ content: 'https://pages.internal/page' });
      expect(address.failure).toEqual({
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/^[A-Z].*\.$/),
        retryable: false,
      });
    },
  );

  verifies(
    'processing:failed:readable',
    'a document that cannot be processed stays readable and listable, and can be deleted',
    async () => {
      const tag = api.newTag();
      const content = 'https://pages.internal/kept';
      const { id } = await api.add({ content, containerTag: tag, metadata: { kind: 'kept' } });
      const body = await api.read(id);
      expect(body).toMatchObject({ id, content, status: 'failed', metadata: { kind: 'kept' } });
      const { memories } = await api.list({ containerTag: tag, status: 'failed' });
      expect(memories).toEqual([expect.objectContaining({ id, status: 'failed', failure: body.failure })]);
      expect(await api.chunks(id)).toEqual([]);
      expect((await api.remove(id)).status).toBe(204);
    },
  );

  verifies(
    'documents:update:reprocessed',
    'a document that cannot be processed is processed again by an update, even with the same text',
    async () => {
      const content = 'Refused once.';
      embeddings.refuseNext(content);
      const { id, status } = await api.add({ content });
      expect(status).toBe('failed');
      expect((await api.patch(id, { content })).body).toEqual({ id, status: 'queued' });
      expect(await api.settled(id)).toMatchObject({ status: 'done', failure: null });
      expect(await api.texts(id)).toEqual([content]);
    },
  );
});
