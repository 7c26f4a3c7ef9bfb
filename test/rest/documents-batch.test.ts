// Adding several documents in one request over REST.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

interface BatchBody extends Refusal {
  results: { id: string; status: string; error?: string; details?: string }[];
  success: number;
  failed: number;
}

const send = (body: Record<string, unknown>, as?: { key: string }) =>
  api.ask<BatchBody>('POST', '/v3/documents/batch', body, as);

const contents = (results: BatchBody['results']) =>
  Promise.all(results.map(async ({ id }) => (await api.read(id)).content));

describe('a batch', () => {
  verifies(
    ['documents:batch:adds-each', 'documents:batch:queued', 'documents:batch:results'],
    'a batch adds each of its documents and answers in the order of the request',
    async () => {
      const tag = api.newTag();
      const texts = Array.from({ length: 40 }, (_, index) => `Heron number ${index}.`);
      const answer = await send({ documents: texts.map((content) => ({ content })), containerTag: tag });
      expect(answer.status).toBe(200);
      const { results, ...counts } = answer.body;
      expect(counts).toEqual({ success: 40, failed: 0 });
      expect(new Set(results.map(({ id }) => id)).size).toBe(40);
      for (const result of results) expect(result).toEqual({ id: expect.any(String), status: 'queued' });
      expect(await contents(results)).toEqual(texts);
      await api.memoir.idle();
      expect((await api.found('heron', tag)).sort()).toEqual([...texts].sort());
    },
  );

  verifies('documents:batch:strings', 'a batch takes plain strings, also among objects', async () => {
    const tag = api.newTag();
    const { body } = await send({
      documents: ['A plain string.', { content: 'An object.', customId: `${tag}-o` }, 'Another string.'],
      containerTag: tag,
    });
    expect(body.success).toBe(3);
    expect(await contents(body.results)).toEqual(['A plain string.', 'An object.', 'Another string.']);
    expect(await api.read(body.results[0]?.id ?? '')).toMatchObject({ customId: null, containerTags: [tag] });
  });

  verifies(
    'documents:batch:limit',
    'a batch of 600 is taken whole; none, 601 and 100,001 are refused',
    async () => {
      const tag = api.newTag();
      const texts = Array.from({ length: 601 }, (_, index) => `Item ${index}.`);
      const outside: unknown[] = [[], texts, Array.from({ length: 100_001 }, () => 'x'), undefined, 'x', {}];
      for (const documents of outside) {
        const answer = await send({ documents, containerTag: tag });
        expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('documents')]);
      }
      expect((await api.list({ containerTag: tag })).pagination.totalItems).toBe(0);
      const { body } = await send({ documents: texts.slice(0, 600), containerTag: tag });
      expect([body.success, body.failed, body.results.length]).toEqual([600, 0, 600]);
      await api.memoir.idle();
      const done = await api.list({ containerTag: tag, status: 'done', limit: 1 });
      expect(done.pagination.totalItems).toBe(600);
    },
  );

  verifies('documents:batch:item-fails-alone', 'a batch loses only the items that are refused', async () => {
    const tag = api.newTag();
    const bad: [unknown, RegExp][] = [
      [{ content: '' }, /content/],
      ['', /must not be empty/],
      [5, /./],
      [null, /./],
      [{ content: 'x', metadata: { deep: { er: 1 } } }, /metadata\.deep/],
      [{ content: 'x', entityContext: 'x'.repeat(1501) }, /entityContext/],
      [{ content: 'x', customId: 'bulk' }, /customId/],
      [{ content: 'x', containerTag: '' }, /containerTag/],
      [{ content: 'x'.repeat(10 * 1024 * 1024 + 1) }, /10 MiB/],
    ];
    const documents = bad.flatMap(([item], index) => [`Good ${index}.`, item]);
    const { status, body } = await send({ documents, containerTag: tag });
    expect([status, body.success, body.failed]).toEqual([200, bad.length, bad.length]);
    for (const [index, [, says]] of bad.entries()) {
      expect(body.results[2 * index]).toEqual({ id: expect.stringMatching(/.{22}/), status: 'queued' });
      const refused = body.results[2 * index + 1];
      expect(refused).toMatchObject({ id: '', status: 'error', error: expect.stringMatching(/not added/) });
      expect(refused?.details).toMatch(says);
    }
    expect((await api.list({ containerTag: tag })).pagination.totalItems).toBe(bad.length);
  });

  verifies(
    'documents:batch:item-fails-alone',
    'a batch may be refused item by item to the last',
    async () => {
      const { status, body } = await send({ documents: ['', { content: ' ' }] });
      expect([status, body.success, body.failed]).toEqual([200, 0, 2]);
    },
  );
});

verifies(
  ['documents:batch:item-fails-alone', 'documents:add:several-tags-must-choose'],
  'an item that names none of several tags is refused alone, with the tags it may name',
  async () => {
    const tags = [api.newTag(), api.newTag()];
    const key = await api.memoir.scopedKey(tags);
    const documents = ['Where to?', { content: 'There.', containerTag: tags[1] }];
    const { status, body } = await send({ documents }, { key });
    expect([status, body.success, body.failed]).toEqual([200, 1, 1]);
    expect(body.results).toMatchObject([{ id: '', status: 'error' }, { status: 'queued' }]);
    for (const tag of tags) expect(body.results[0]?.error).toContain(`"${tag}"`);
    expect((await api.list({ containerTags: tags })).pagination.totalItems).toBe(1);
  },
);

describe('fields of the batch', () => {
  verifies(
    'documents:batch:shared-fields',
    "fields of the batch hold for every item, and an item's own field wins",
    async () => {
      const [shared, own] = [api.newTag(), api.newTag()];
      const { body } = await send({
        documents: [
          { content: 'Takes all.' },
          {
            content: 'Has its own.',
            containerTags: [own],
            metadata: { from: 'item', more: true },
            taskType: 'memory',
            filepath: '/own.md',
          },
        ],
        containerTag: shared,
        metadata: { from: 'batch', kept: 1 },
        taskType: 'superrag',
        filepath: '/shared.md',
      });
      const [first, second] = await Promise.all(body.results.map(({ id }) => api.read(id)));
      expect(first).toMatchObject({
        containerTags: [shared],
        metadata: { from: 'batch', kept: 1 },
        taskType: 'superrag',
        filepath: '/shared.md',
      });
      expect(second).toMatchObject({
        containerTags: [own],
        metadata: { from: 'item', more: true, kept: 1 },
        taskType: 'memory',
        filepath: '/own.md',
      });
    },
  );

  verifies(
    'documents:batch:shared-fields',
    'fields of the batch that are not valid refuse the whole batch',
    async () => {
      const tag = api.newTag();
      const wrong = [{ metadata: { deep: {} } }, { entityContext: 'x'.repeat(1501) }, { taskType: 'rag' }];
      for (const fields of wrong) {
        const answer = await send({ documents: ['Good.'], containerTag: tag, ...fields });
        expect(answer.status, JSON.stringify(fields).slice(0, 60)).toBe(400);
      }
      expect((await api.list({ containerTag: tag })).memories).toEqual([]);
    },
  );
});

verifies(
  ['documents:batch:adds-each', 'resend:custom-id:same-document'],
  'several items with one customId are one document, with the turns of each in their order',
  async () => {
    const tag = api.newTag();
    const turns = ['user: The kettle whistles.', 'assistant: Take it off.', 'user: Done, thank you.'];
    const documents = turns.map((content) => ({ content, customId: `${tag}-chat` }));
    const { body } = await send({ documents, containerTag: tag });
    expect(new Set(body.results.map(({ id }) => id)).size).toBe(1);
    await api.memoir.idle();
    expect(await api.read(`${tag}-chat`)).toMatchObject({ content: turns.join('\n'), status: 'done' });
  },
);

verifies(
  'documents:batch:pace',
  'three to five adds at once, again and again, are never refused',
  async () => {
    const tag = api.newTag();
    const started = Array.from({ length: 20 }, (_, round) => 3 + (round % 3));
    for (const [round, many] of started.entries()) {
      const adds = Array.from({ length: many }, (_, index) =>
        api.post({ content: `Round ${round}, document ${index}.`, containerTag: tag }),
      );
      expect((await Promise.all(adds)).map(({ status }) => status)).toEqual(Array(many).fill(200));
    }
    await api.memoir.idle();
    const total = started.reduce((sum, many) => sum + many, 0);
    expect((await api.list({ containerTag: tag, status: 'done' })).pagination.totalItems).toBe(total);
  },
);
