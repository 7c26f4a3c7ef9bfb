// Reading documents over REST: one, its chunks.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type ChunksBody, type DocumentBody, pathOf, type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** 22 characters as ids have them, and no document. */
const NOBODY = '1ChDvHAMGsTYotPNsRQ1Zw';

/** Two documents with one customId, under different tags. */
const twins = async () => {
  const customId = `twin of ${api.newTag()}`;
  const one = await api.add({ content: 'The first twin.', customId, containerTag: api.newTag() });
  const other = await api.add({ content: 'The second twin.', customId, containerTag: api.newTag() });
  expect(other.id).not.toBe(one.id);
  for (const { id } of [one, other]) await api.memoir.remembered(id);
  return { customId, ids: [one.id, other.id] };
};

describe('reading a document', () => {
  verifies(
    ['documents:get:fields', 'documents:get:status', 'documents:get:progress'],
    'reading a document gives every published field, with null where there is no value',
    async () => {
      const before = Date.now();
      const { id } = await api.add({ content: 'A bare document.' });
      const body = (await api.memoir.remembered(id)) as unknown as DocumentBody;
      expect(body).toEqual({
        id,
        customId: null,
        connectionId: null,
        content: 'A bare document.',
        title: 'A bare document',
        summary: 'A bare document.',
        type: 'text',
        status: 'done',
        step: 'done',
        progress: null,
        failure: null,
        note: null,
        dreamingStatus: 'done',
        memoryFailure: null,
        usage: { inputTokens: 0, outputTokens: 0 },
        taskType: 'memory',
        latestRevision: 1,
        metadata: null,
        containerTags: ['sm_project_default'],
        filepath: null,
        source: null,
        url: null,
        ogImage: null,
        raw: { titleOrigin: 'drawn', summaryOrigin: 'drawn' },
        spatialPoint: null,
        createdAt: expect.stringMatching(UTC),
        updatedAt: expect.stringMatching(UTC),
      });
      expect(Date.parse(body.createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(body.updatedAt)).toBeLessThanOrEqual(Date.now());
    },
  );

  verifies('documents:get:fields', 'reading a document gives the values where there are some', async () => {
    const sent = {
      customId: `full of ${api.newTag()}`,
      content: 'A full document.',
      title: 'Its title',
      metadata: { kind: 'full' },
      filepath: '/full.md',
      taskType: 'superrag',
    };
    const { id } = await api.add(sent);
    expect(await api.read(id)).toMatchObject(sent);
  });

  verifies(
    'documents:get:revision',
    'latestRevision counts the changes of the content, and no other change',
    async () => {
      const revisionOf = async (ref: string) => (await api.read(ref)).latestRevision;
      const { id } = await api.add({ content: 'First.' });
      await api.patch(id, { metadata: { kind: 'note' } });
      expect(await revisionOf(id)).toBe(1);
      await api.patch(id, { content: 'Second.' });
      await api.settled(id);
      expect(await revisionOf(id)).toBe(2);
    },
  );

  verifies(
    'documents:get:times',
    'reading a document gives times in UTC with milliseconds, the change after the add',
    async () => {
      const added = await api.add({ content: 'Timed.' });
      for (const time of [added.createdAt, added.updatedAt]) {
        expect(time).toMatch(UTC);
        expect(new Date(time).toISOString()).toBe(time);
      }
      await api.patch(added.id, { metadata: { changed: true } });
      const changed = await api.read(added.id);
      expect(changed.createdAt).toBe(added.createdAt);
      expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(added.updatedAt));
      expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(changed.createdAt));
    },
  );

  verifies(
    'documents:get:content',
    'reading a document gives the text as it was sent, to the last blank',
    async () => {
      const texts = [
        '  Blanks around. \n\n',
        'Windows\r\nlines.\r\n',
        '{"role":"user", "content" : "JSON as it was written" }',
        '<p>HTML <b>as</b> it was</p>',
        '\ufeffWith a byte order mark.',
        'Composed é, decomposed e\u0301.',
        'Quote " backslash \\ tab \t null word null',
      ];
      for (const content of texts) expect((await api.add({ content })).content).toBe(content);
    },
  );

  verifies('documents:get:custom-id', 'reading a document takes the customId for the id', async () => {
    const customId = 'notes/2026 06:01 ü?.md';
    const { id } = await api.add({ content: 'By its other name.', customId });
    await api.memoir.remembered(id);
    expect(await api.read(customId)).toEqual(await api.read(id));
  });

  verifies(
    'encoding:path:decoded-once',
    'reading a document decodes what stands in the path exactly once',
    async () => {
      const [plain, encoded] = ['50% off', '50%25 off'];
      const { id } = await api.add({ content: 'Plain.', customId: plain });
      const other = await api.add({ content: 'Encoded.', customId: encoded });
      expect((await api.read(plain)).id).toBe(id);
      expect((await api.read(encoded)).id).toBe(other.id);
      const { body } = await api.ask('GET', '/v3/documents/50%25%20off');
      expect(body.id).toBe(id);
    },
  );

  verifies('documents:get:unknown', 'reading a document that does not exist fails with 404', async () => {
    for (const ref of [NOBODY, 'no such name', 'x'.repeat(255)]) {
      const answer = await api.ask<Refusal>('GET', pathOf(ref));
      expect([answer.status, answer.body.error]).toEqual([404, expect.stringContaining(ref)]);
    }
  });
});

describe('a customId that several documents have', () => {
  verifies(
    'documents:get:ambiguous',
    'a customId that several documents have is refused with their ids, and nothing is done',
    async () => {
      const { customId, ids } = await twins();
      const before = await Promise.all(ids.map((id) => api.read(id)));
      const calls: [method: string, path: string, body?: unknown][] = [
        ['GET', pathOf(customId)],
        ['GET', `${pathOf(customId)}/chunks`],
        ['PATCH', pathOf(customId), { content: 'Changed.', metadata: { changed: true } }],
        ['DELETE', pathOf(customId)],
      ];
      for (const [method, path, body] of calls) {
        const answer = await api.ask<Refusal>(method, path, body);
        expect(answer.status, method).toBe(400);
        for (const id of ids) expect(answer.body.error, method).toContain(id);
      }
      expect(await Promise.all(ids.map((id) => api.read(id)))).toEqual(before);
    },
  );

  verifies(
    'documents:get:ambiguous',
    'a customId that several documents have is clear to a key that sees one of them',
    async () => {
      const { customId, ids } = await twins();
      const [, own] = await Promise.all(ids.map((id) => api.read(id)));
      const key = await api.memoir.scopedKey(own?.containerTags ?? []);
      expect((await api.read(customId, { key })).id).toBe(own?.id);
    },
  );

  verifies(
    'documents:get:custom-id',
    'a customId that several documents have gives way to an internal id of the same letters',
    async () => {
      const { id } = await api.add({ content: 'The one with the id.' });
      await api.add({
        content: 'The one that took it for a name.',
        customId: id,
        containerTag: api.newTag(),
      });
      expect((await api.read(id)).content).toBe('The one with the id.');
    },
  );
});

describe('the chunks of a document', () => {
  const paragraphs = Array.from(
    { length: 30 },
    (_, index) => `Paragraph ${index}. ${`The river has bend ${index} here. `.repeat(12)}`,
  );

  verifies(
    ['documents:chunks:ordered', 'documents:chunks:fields'],
    'the chunks of a document come in order, counted from 0, with their total and nothing but the published fields',
    async () => {
      const document = await api.add({ content: paragraphs.join('\n\n') });
      const { body } = await api.ask<ChunksBody>('GET', `${pathOf(document.id)}/chunks`);
      expect(body).toEqual({
        documentId: document.id,
        total: body.chunks.length,
        chunks: expect.any(Array),
      });
      expect(body.total).toBeGreaterThan(5);
      expect(body.chunks.map(({ position }) => position)).toEqual(body.chunks.map((_, index) => index));
      for (const chunk of body.chunks) {
        expect(chunk).toEqual({
          id: expect.any(String),
          position: expect.any(Number),
          content: expect.stringMatching(/bend/),
          type: 'text',
          createdAt: expect.stringMatching(UTC),
          metadata: null,
        });
      }
      expect(new Set(body.chunks.map(({ id }) => id)).size).toBe(body.total);
      const places = body.chunks.map(({ content }) => Number(/bend (\d+)/.exec(content)?.[1]));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      for (const [index] of paragraphs.entries())
        expect(
          body.chunks.some(({ content }) => content.includes(`Paragraph ${index}.`)),
          `paragraph ${index}`,
        ).toBe(true);
    },
  );

  verifies('documents:chunks:ordered', 'the chunks of a long turn have places of their own too', async () => {
    const long = `user: ${paragraphs.join(' ')}\nassistant: Thank you.`;
    const chunks = await api.chunks((await api.add({ content: long })).id);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, index) => index));
    expect(chunks.at(-1)?.content).toBe('Thank you.');
  });

  verifies('documents:chunks:ordered', 'the chunks of a document are found by customId as well', async () => {
    const customId = `chunked ${api.newTag()}`;
    const { id } = await api.add({ content: 'One chunk.', customId });
    expect(await api.chunks(customId)).toEqual(await api.chunks(id));
    expect(await api.texts(customId)).toEqual(['One chunk.']);
  });

  verifies('documents:chunks:unknown', 'the chunks of an unknown document fail with 404', async () => {
    for (const ref of [NOBODY, 'nobody'])
      expect((await api.ask('GET', `${pathOf(ref)}/chunks`)).status).toBe(404);
  });
});
