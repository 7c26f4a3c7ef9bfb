// Content sent again while the first is in flight, after a failure, by many at once; and which document a customId means.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { decisionsOf } from './support/beside.ts';
import { searchedOnly } from './support/searched-only.ts';
import { useEmbeddings } from './support/use-embeddings.ts';
import { pathOf, useOwnMemoir } from './support/use-memoir.ts';

const embeddings = useEmbeddings();
const api = searchedOnly(useOwnMemoir(embeddings.env));

const naming = () => ({ customId: `again ${api.newTag()}`, containerTag: api.newTag() });

describe('content that arrives while the first is in flight', () => {
  verifies(
    ['resend:in-flight:processed-after', 'resend:custom-id:same-document', 'resend:custom-id:new-part'],
    'content that arrives while the first is in flight is processed after it, never dropped',
    async () => {
      const named = naming();
      using held = embeddings.hold();
      const first = await api.post({ content: 'user: The first turn.', ...named });
      await held.reached;
      for (const content of ['assistant: The second turn.', 'user: The third turn.']) {
        const { status, body } = await api.post({ content, ...named });
        expect([status, body]).toEqual([200, { id: first.body.id, status: 'queued' }]);
      }
      held.release();
      expect(await api.settled(first.body.id)).toMatchObject({
        status: 'done',
        content: 'user: The first turn.\nassistant: The second turn.\nuser: The third turn.',
      });
      expect(await api.texts(first.body.id)).toHaveLength(3);
      expect(await api.found('turn', named.containerTag)).toHaveLength(3);
    },
  );

  verifies(
    ['resend:in-flight:processed-after', 'resend:superset:new-part-only'],
    'content that arrives while the first is in flight and holds the whole is the whole, once',
    async () => {
      const named = naming();
      using held = embeddings.hold();
      const { body } = await api.post({ content: 'user: The first turn.', ...named });
      await held.reached;
      const whole = 'user: The first turn.\nassistant: The second turn.';
      await api.post({ content: whole, ...named });
      held.release();
      expect(await api.settled(body.id)).toMatchObject({ status: 'done', content: whole });
    },
  );

  verifies(
    'resend:identical:done',
    'content that arrives while the first is in flight and is the same is not queued a second time',
    async () => {
      const named = naming();
      using held = embeddings.hold();
      const first = await api.post({ content: 'user: Only once.', ...named });
      await held.reached;
      const { step } = await api.read(first.body.id);
      expect((await api.post({ content: 'user: Only once.', ...named })).body.id).toBe(first.body.id);
      expect((await api.read(first.body.id)).step, 'no new start').toBe(step);
      held.release();
      expect(await api.settled(first.body.id)).toMatchObject({ content: 'user: Only once.', status: 'done' });
      expect(await api.texts(first.body.id)).toEqual(['Only once.']);
    },
  );

  verifies(
    'resend:file:replaced',
    'content that arrives while the first is in flight replaces it when it is a file',
    async () => {
      const named = { ...naming(), filepath: '/in-flight.md' };
      using held = embeddings.hold();
      const { body } = await api.post({ content: 'The first draft.', ...named });
      await held.reached;
      await api.post({ content: 'Something else entirely.', ...named });
      held.release();
      expect(await api.settled(body.id)).toMatchObject({
        content: 'Something else entirely.',
        status: 'done',
      });
      expect(await api.texts(body.id)).toEqual(['Something else entirely.']);
    },
  );
});

describe('after a failure', () => {
  verifies('resend:failed:retried', 'the same content is processed again', async () => {
    const named = { ...naming(), content: 'user: It failed once.' };
    embeddings.refuseNext('It failed once');
    const { id, status } = await api.add(named);
    expect(status).toBe('failed');
    expect((await api.post(named)).body).toEqual({ id, status: 'queued' });
    expect(await api.settled(id)).toMatchObject({ status: 'done', content: named.content, failure: null });
    expect(await api.holders('failed once', named.containerTag)).toEqual([id]);
  });

  verifies(
    ['resend:failed:retried', 'resend:in-flight:processed-after'],
    'new content brings along what failed before it: nothing that was sent is lost',
    async () => {
      const named = naming();
      const { id } = await api.add({ content: 'user: One.', ...named });
      embeddings.refuseNext('which fails');
      expect((await api.add({ content: 'user: Two, which fails.', ...named })).status).toBe('failed');
      expect(await api.texts(id), 'the old stays searchable').toEqual(['One.']);
      await api.add({ content: 'user: Three.', ...named });
      const content = 'user: One.\nuser: Two, which fails.\nuser: Three.';
      expect(await api.read(id)).toMatchObject({ status: 'done', content, failure: null });
      expect(await api.texts(id)).toEqual(['One.', 'Two, which fails.', 'Three.']);
    },
  );

  verifies('resend:failed:retried', 'what failed is retried by sending it once more', async () => {
    const named = naming();
    const { id } = await api.add({ content: 'user: One.', ...named });
    embeddings.refuseNext('which fails');
    await api.add({ content: 'user: Two, which fails.', ...named });
    await api.add({ content: 'user: Two, which fails.', ...named });
    expect(await api.texts(id)).toEqual(['One.', 'Two, which fails.']);
  });
});

const ADDRESS = 'https://pages.internal/page';
const EMPTY = '<title>Empty</title>';

describe('what cannot be read', () => {
  verifies('resend:unreadable:replaced', 'what cannot be read is mended by sending text', async () => {
    const named = naming();
    await api.add({ content: EMPTY, ...named });
    const mended = await api.add({ content: 'The text of it.', ...named });
    expect(mended).toMatchObject({ status: 'done', content: 'The text of it.', failure: null });
    expect(await decisionsOf(api, mended.id)).toEqual(['created', 'replaced']);
  });

  verifies(
    'resend:unreadable:replaced',
    'what cannot be read is mended by sending the HTML of the page',
    async () => {
      const named = naming();
      await api.add({ content: ADDRESS, ...named });
      const { id, type, url, status } = await api.add({
        content: '<p>The <b>page</b> itself.</p>',
        ...named,
      });
      expect([status, type, url]).toEqual(['done', 'text', ADDRESS]);
      expect(await api.texts(id)).toEqual(['The **page** itself.']);
    },
  );

  verifies(
    ['resend:unreadable:left-out', 'resend:in-flight:processed-after'],
    'what cannot be read does not spoil what was sent before and after',
    async () => {
      const named = naming();
      for (const content of ['user: Before.', EMPTY, ADDRESS, '<p></p>'])
        await api.add({ content, ...named });
      const { id, status, content, failure } = await api.add({ content: 'user: After.', ...named });
      expect([status, failure, content]).toEqual(['done', null, 'user: Before.\nuser: After.']);
      expect(await api.texts(id)).toEqual(['Before.', 'After.']);
      const refused = ['unreadable', 'unreadable', 'unreadable'];
      expect(await decisionsOf(api, id)).toEqual(['created', ...refused, 'appended']);
      const { note } = await api.read(id);
      expect(note).toMatch(
        /later could not be read.*pages\.internal\/page could not be read.*later could not/,
      );
      await api.patch(id, { content: 'user: All of it.' });
      expect(await api.settled(id)).toMatchObject({ status: 'done', note: null });
    },
  );

  verifies(
    ['resend:unreadable:left-out', 'processing:failed:reason'],
    'what cannot be read is told as long as nothing was read later, and what was sent with it is found all the same',
    async () => {
      const named = naming();
      using held = embeddings.hold();
      const { body } = await api.post({ content: 'user: The first turn.', ...named });
      await held.reached;
      for (const content of ['user: The second turn.', EMPTY]) await api.post({ content, ...named });
      held.release();
      const failed = await api.settled(body.id);
      expect(failed).toMatchObject({
        status: 'failed',
        content: 'user: The first turn.\nuser: The second turn.',
        failure: { code: 'no_text_found', message: expect.stringMatching(/What was sent before is kept/) },
      });
      expect(await api.texts(body.id)).toEqual(['The first turn.', 'The second turn.']);
      expect(await api.found('turn', named.containerTag)).toHaveLength(2);
      const again = await api.add({ content: EMPTY, ...named });
      expect(again.status, 'tried once more').toBe('failed');
      const known = await api.add({ content: failed.content, ...named });
      expect(known).toMatchObject({ status: 'done', content: failed.content, failure: null });
    },
  );
});

describe('two hundred at once', () => {
  verifies(
    ['resend:custom-id:concurrent', 'resend:custom-id:same-document', 'resend:in-flight:processed-after'],
    'two hundred at once under one customId are one document with each of their turns',
    async () => {
      const named = naming();
      const turns = Array.from({ length: 200 }, (_, index) => `user: This is turn number ${index}.`);
      const answers = await Promise.all(turns.map((content) => api.post({ content, ...named })));
      expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200));
      const ids = new Set(answers.map(({ body }) => body.id));
      expect(ids.size).toBe(1);
      const [id = ''] = ids;
      expect((await api.settled(id)).status).toBe('done');
      await api.memoir.idle();
      const lines = (await api.read(id)).content?.split('\n') ?? [];
      expect([...lines].sort()).toEqual([...turns].sort());
      expect((await api.texts(id)).length).toBe(200);
      expect((await api.list({ containerTag: named.containerTag })).pagination.totalItems).toBe(1);
    },
  );

  verifies(
    'resend:custom-id:concurrent',
    'two hundred at once under fifty customIds, each four times, are fifty documents',
    async () => {
      const containerTag = api.newTag();
      const sends = Array.from({ length: 200 }, (_, index) => ({
        customId: `${containerTag} of ${index % 50}`,
        content: `Document ${index % 50}.`,
        containerTag,
      }));
      const answers = await Promise.all(sends.map((fields) => api.post(fields)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      await api.memoir.idle();
      const { memories } = await api.list({ containerTag, limit: 100, includeContent: true, status: 'done' });
      expect(memories.map(({ content }) => content).sort()).toEqual(
        sends
          .slice(0, 50)
          .map(({ content }) => content)
          .sort(),
      );
    },
  );
});

describe('which document a customId means', () => {
  verifies(
    'resend:identity:tag-set',
    'the document that a customId means is told by the set of tags, in any order',
    async () => {
      const [a, b] = [api.newTag(), api.newTag()];
      const customId = `named in ${a}`;
      const inTags = async (containerTags: string[], content: string) =>
        (await api.add({ customId, containerTags, content })).id;
      const [one, other, both] = [
        await inTags([a], 'user: In a.'),
        await inTags([b], 'user: In b.'),
        await inTags([a, b], 'user: In both.'),
      ];
      expect(new Set([one, other, both]).size).toBe(3);
      expect(await inTags([b, a], 'user: In both again.')).toBe(both);
      expect(await inTags([a], 'user: In a again.')).toBe(one);
      expect(await api.read(both)).toMatchObject({
        containerTags: [a, b],
        content: 'user: In both.\nuser: In both again.',
      });
      expect((await api.read(one)).content).toBe('user: In a.\nuser: In a again.');
      expect((await api.read(other)).content).toBe('user: In b.');
    },
  );

  verifies(
    'resend:identity:no-tag',
    'the document that a customId means without a tag is the only one there is, else a new one',
    async () => {
      const named = naming();
      const { id } = await api.add({ content: 'user: With a tag.', ...named });
      const again = await api.add({ content: 'user: Without one.', customId: named.customId });
      expect(again).toMatchObject({ id, containerTags: [named.containerTag] });
      expect(again.content).toBe('user: With a tag.\nuser: Without one.');
      const fresh = await api.add({ content: 'user: Nobody has it.', customId: `${named.customId} too` });
      expect(fresh).toMatchObject({ containerTags: ['sm_project_default'] });
      expect(fresh.id).not.toBe(id);
    },
  );

  verifies(
    'resend:identity:several',
    'the document that a customId means without a tag, of several, is the one under the default tag, which is made when it is missing',
    async () => {
      const { customId } = naming();
      const tagged = [
        await api.add({ content: 'user: In one.', customId, containerTag: api.newTag() }),
        await api.add({ content: 'user: In another.', customId, containerTag: api.newTag() }),
      ];
      const made = await api.add({ content: 'user: In none.', customId });
      expect(made.containerTags).toEqual(['sm_project_default']);
      expect(tagged.map(({ id }) => id)).not.toContain(made.id);
      const again = await api.add({ content: 'user: In none again.', customId });
      expect(again).toMatchObject({ id: made.id, content: 'user: In none.\nuser: In none again.' });
      for (const { id, content } of tagged) expect((await api.read(id)).content).toBe(content);
    },
  );

  verifies(
    'resend:identity:no-tag',
    'the document that a customId means to a key is never one that it does not see',
    async () => {
      const named = naming();
      const { id } = await api.add({ content: 'user: Not yours.', ...named });
      const own = api.newTag();
      const key = await api.memoir.scopedKey([own]);
      const answer = await api.post({ content: 'user: Mine.', customId: named.customId }, { key });
      expect(answer.body.id).not.toBe(id);
      expect(await api.settled(answer.body.id)).toMatchObject({
        containerTags: [own],
        content: 'user: Mine.',
      });
      expect((await api.read(id)).content).toBe('user: Not yours.');
      expect((await api.ask('GET', pathOf(id), undefined, { key })).status).toBe(403);
    },
  );
});
