// Merging container tags over REST: in the background, whole, and on after a restart.
import { describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import { agentKey } from './support/keys.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface MergeBody extends Refusal {
  mergeId: string;
  [field: string]: unknown;
}

const merge = (containerTags: string[], targetContainerTag: string, key?: string) =>
  api.ask<MergeBody>(
    'POST',
    '/v3/container-tags/merge',
    { containerTags, targetContainerTag },
    key ? { key } : {},
  );

const stateOf = async (id: string) => (await api.ask('GET', `/v3/container-tags/merge/${id}`)).body;

const completed = async (id: string) => {
  await expect.poll(() => stateOf(id), { timeout: 20_000 }).toMatchObject({ status: 'completed' });
  await api.memoir.idle();
  return stateOf(id);
};

const addMany = async (tag: string, count: number, more: object = {}): Promise<void> => {
  const documents = Array.from({ length: count }, (_, n) => ({ content: `Heron ${n} of ${tag}.` }));
  await api.ask('POST', '/v3/documents/batch', { documents, containerTag: tag, ...more });
};

const memoriesUnder = async (tag: string): Promise<string[]> => {
  const { body } = await api.ask<{ memoryEntries: { memory: string; isForgotten: boolean }[] }>(
    'POST',
    '/v4/memories/list',
    {
      containerTags: [tag],
      limit: 100,
    },
  );
  return body.memoryEntries.filter((entry) => !entry.isForgotten).map(({ memory }) => memory);
};

/** Without the texts that only fill the tag. */
const ofThePerson = async (tag: string): Promise<string[]> =>
  (await memoriesUnder(tag)).filter((memory) => !memory.startsWith('Heron'));

describe('a merge', () => {
  verifies(
    ['tags:merge:moves', 'tags:merge:status'],
    'a merge moves documents and memories, tells how far it is, and the source is gone',
    async () => {
      const [source, target] = [`a/b c@d ${api.newTag()}`, `日本語 ${api.newTag()}`];
      await addMany(source, 120);
      await addMany(target, 2);
      await api.ask('POST', '/v4/memories', {
        containerTag: source,
        memories: [{ content: 'Ada plays the cello.', isStatic: true }],
      });
      const started = await merge([source, target], target);
      expect([started.status, started.body]).toEqual([
        202,
        {
          success: true,
          status: 'queued',
          mergeId: expect.any(String),
          targetTag: target,
          sourceTags: [source],
        },
      ]);
      expect(await completed(started.body.mergeId)).toMatchObject({
        id: started.body.mergeId,
        targetTag: target,
        sourceTags: [source],
        mergedCount: 121,
        customIdsDropped: 0,
      });
      expect((await api.list({ containerTag: target })).pagination.totalItems).toBe(123);
      expect(await api.found('heron', target)).toHaveLength(100);
      expect(await memoriesUnder(target)).toContain('Ada plays the cello.');
      expect((await api.ask('GET', `/v3/container-tags/${encodeURIComponent(source)}`)).status).toBe(404);
    },
  );

  verifies('tags:merge:resumed', 'a merge goes on after a restart where it stood', async () => {
    const [source, target] = [api.newTag(), api.newTag()];
    await addMany(source, 30);
    await addMany(target, 1);
    await api.memoir.idle();
    const id = 'merge-that-was-interrupted';
    await api.memoir.restart({}, async () => {
      await storedRows(
        api.memoir,
        "insert into merges (id, sources, target, status, moved, created_at, updated_at) values (?, ?, ?, 'processing', 7, 1, 1)",
        ...[id, JSON.stringify([source]), target],
      );
    });
    expect(await completed(id)).toMatchObject({ mergedCount: 37 });
    expect((await api.list({ containerTag: target })).pagination.totalItems).toBe(31);
  });

  verifies(
    'tags:merge:memories',
    'a merge brings nothing back that was forgotten, nor draws anything twice',
    async () => {
      const [source, target, last] = [api.newTag(), api.newTag(), api.newTag()];
      await addMany(target, 1);
      const { id } = await api.add({
        content: 'user: I live in Porto. I work as a nurse at the harbour clinic.',
        containerTag: source,
      });
      await expect.poll(() => memoriesUnder(source), { timeout: 10_000 }).toHaveLength(2);
      const [kept = ''] = (await memoriesUnder(source)).filter((memory) => memory.includes('nurse'));
      const [gone = ''] = (await memoriesUnder(source)).filter((memory) => memory.includes('Porto'));
      const forgotten = await api.ask('DELETE', '/v4/memories', { containerTag: source, content: gone });
      expect(forgotten.status).toBe(200);
      const { body } = await merge([source], target);
      await completed(body.mergeId);
      expect(await ofThePerson(target)).toEqual([kept]);
      expect((await api.patch(id, { containerTag: last })).status).toBe(200);
      await api.settled(id);
      await api.memoir.idle();
      await expect
        .poll(async () => (await api.ask('GET', `/v3/documents/${id}`)).body.dreamingStatus)
        .toBe('done');
      expect(await ofThePerson(last)).toEqual([kept]);
      expect(await ofThePerson(target)).toEqual([]);
    },
  );

  test('a merge of several tags, some on the same documents, leaves each document once', async () => {
    const [one, two, target] = [api.newTag(), api.newTag(), api.newTag()];
    const { id } = await api.add({ content: 'Herons.', containerTags: [one, two] });
    await addMany(target, 1);
    const { body } = await merge([one, two], target);
    await completed(body.mergeId);
    expect((await api.read(id)).containerTags).toEqual([target]);
  });

  verifies(
    'tags:merge:custom-id',
    'a merge keeps the customId of the target where both have it',
    async () => {
      const [source, target] = [api.newTag(), api.newTag()];
      const arriving = await api.add({ content: 'One.', customId: 'same', containerTag: source });
      const there = await api.add({ content: 'Two.', customId: 'same', containerTag: target });
      const { body } = await merge([source], target);
      expect(await completed(body.mergeId)).toMatchObject({ mergedCount: 1, customIdsDropped: 1 });
      expect((await api.read(arriving.id)).customId).toBeNull();
      expect((await api.read('same')).id).toBe(there.id);
    },
  );
});

describe('a merge is refused', () => {
  verifies('tags:merge:full-key', 'a merge is refused to a bound key', async () => {
    const [source, target] = [api.newTag(), api.newTag()];
    await addMany(source, 1);
    await addMany(target, 1);
    const { key } = await agentKey(api, { containerTags: [source, target] });
    expect((await merge([source], target, key)).status).toBe(403);
    const status = await api.ask('GET', '/v3/container-tags/merge/any', undefined, { key });
    expect(status.status).toBe(403);
  });

  test('a merge is refused for tags that are not there, for nothing but the target, and for an unknown id', async () => {
    const tag = api.newTag();
    await addMany(tag, 1);
    const missing = await merge(['nowhere'], tag);
    expect([missing.status, missing.body.error.includes('"nowhere"')]).toEqual([404, true]);
    expect((await merge([tag], 'nowhere')).status).toBe(404);
    expect((await merge([tag], tag)).status).toBe(400);
    expect((await merge([], tag)).status).toBe(400);
    expect((await api.ask('POST', '/v3/container-tags/merge', { containerTags: [tag] })).status).toBe(400);
    expect((await api.ask('GET', '/v3/container-tags/merge/nowhere')).status).toBe(404);
    expect((await api.ask('GET', '/v3/container-tags/merge')).status).toBe(405);
  });
});
