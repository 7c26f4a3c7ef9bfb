// Tests of container tags on SQLite: counts, removal, merging, and their memories.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PreparedMemory } from '../../../../../server/adapters/store/ports/memories/memories.ts';
import type { FillSpace } from '../../../../../server/adapters/store/ports/spaces.ts';
import type { OpenedStore } from '../../../../../server/adapters/store/request-side/store.ts';
import { newId } from '../../../../../server/lib/ids.ts';
import { analyse } from '../../../../../server/lib/text/terms/analyse.ts';
import { encodeTerms } from '../../../../../server/lib/text/terms/terms.ts';
import { openTestStore, type TestStore } from '../../../../support/store.ts';
import { SPACE } from '../../contract/reading.ts';
import { everything, only, openWorld, submission, type World } from '../../contract/world.ts';

let opened: TestStore;
let world: World;
let store: OpenedStore;
beforeEach(async () => {
  world = await openWorld(async ({ now }) => {
    opened = openTestStore({ now });
    const { ingest, remembering, merges, syncing, hookDuty, close } = opened;
    const nothing = () => Promise.reject(new Error('not looked at here'));
    const looks = {
      rows: nothing,
      meddle: nothing,
      asRequest: nothing,
      requestSide: nothing,
      vectors: nothing,
      words: nothing,
      bytes: nothing,
    };
    return { store: opened.store, ingest, remembering, merges, syncing, hookDuty, close, ...looks };
  });
  store = opened.store;
});
afterEach(() => world[Symbol.asyncDispose]());

const spaces = (): FillSpace[] => [{ id: world.space, ...SPACE, keepExact: true }];

const said = (memory: string): PreparedMemory => {
  const body = analyse(memory);
  return {
    memory,
    isStatic: false,
    isInference: false,
    slot: null,
    about: null,
    forgetAfter: null,
    forgetReason: null,
    metadata: { told: true },
    documentDate: null,
    eventDates: [],
    body: body.join(' '),
    bodyTokens: body.length,
    terms: encodeTerms({ body }),
    inputHash: memory,
    vectors: new Map([[world.space, new Float32Array(SPACE.dimensions).fill(0.5)]]),
  };
};

const tell = (tags: string[], ...memories: string[]) =>
  store.memories.create(everything, { tags, documentId: newId(), memories: memories.map(said) }, spaces());

const known = async (tag: string): Promise<string[]> =>
  (await store.memories.live(only(tag), { limit: 100 })).map(({ memory }) => memory).sort();

const mergeAll = async (limit = 2): Promise<void> => {
  while (await opened.merges.mergeSlice(limit));
};

const merge = async (sources: string[], target: string) => {
  const id = newId();
  expect(await store.tags.merge(everything, { id, sources, target })).toEqual({ outcome: 'started' });
  return id;
};

const summary = async (tag: string) => (await store.tags.list(everything)).find((each) => each.tag === tag);

describe('records', () => {
  test('count documents and live memories, and contain the time of the last change', async () => {
    await world.add('One.', { tags: ['a'] });
    await world.add('Two.', { tags: ['a', 'b'] });
    world.clock.pass(1000);
    const { memories } = await tell(['a'], 'Ada likes tea.', 'Ada likes figs.');
    await store.memories.forget(everything, [memories[0]?.id ?? ''], { reason: null, batch: null });
    expect(await summary('a')).toMatchObject({
      documents: 3,
      memories: 1,
      lastActivityAt: world.clock.now(),
      merge: null,
    });
    expect(await summary('b')).toMatchObject({ documents: 1, memories: 0 });
  });

  test('are listed and read within the scope alone', async () => {
    await world.add('One.', { tags: ['a'] });
    await world.add('Two.', { tags: ['b'] });
    expect((await store.tags.list(only('a'))).map(({ tag }) => tag)).toEqual(['a']);
    expect(await store.tags.get(only('a'), 'b')).toBeNull();
  });

  test('are made by the first change, and a change keeps omitted fields', async () => {
    await store.tags.upsert(everything, '日本語', { name: 'Notes', entityContext: 'About Ada.' });
    await store.tags.upsert(only('日本語'), '日本語', { profileBuckets: [{ key: 'food', description: '' }] });
    expect(await store.tags.get(everything, '日本語')).toMatchObject({
      name: 'Notes',
      entityContext: 'About Ada.',
      memoryFilesystemPaths: null,
      profileBuckets: [{ key: 'food', description: '' }],
    });
  });
});

describe('removing a tag', () => {
  test('deletes documents that have only this tag, and removes it from the others with their memories', async () => {
    const alone = await world.add('One.', { tags: ['a'] });
    const shared = await world.add('Two.', { tags: ['a', 'b'] });
    await world.index();
    await tell(['a'], 'Ada likes tea.');
    await tell(['a', 'b'], 'Ada likes figs.');
    expect(await store.tags.remove(everything, 'a')).toEqual({
      outcome: 'removed',
      documents: 2,
      memories: 1,
    });
    await world.index();
    while (await world.ingest.purge(100));
    expect((await world.list()).map(({ id }) => id)).not.toContain(alone);
    expect((await world.get(shared)).tags).toEqual(['b']);
    expect(await known('b')).toEqual(['Ada likes figs.']);
    expect(await store.tags.get(everything, 'a')).toBeNull();
    expect(await store.tags.remove(everything, 'a')).toEqual({ outcome: 'missing' });
  });

  test('leaves no content that the same tag would find when it is used again', async () => {
    await world.add('Herons wade.', { tags: ['a'] });
    await tell(['a'], 'Ada likes tea.');
    await store.tags.remove(everything, 'a');
    await world.add('Kettles whistle.', { tags: ['a'] });
    await world.index();
    expect((await world.list({}, only('a'))).map(({ content }) => content)).toEqual(['Kettles whistle.']);
    expect(await known('a')).toEqual([]);
    expect(await summary('a')).toMatchObject({ documents: 1, memories: 0, entityContext: null });
  });

  test('counts all documents and memories, however many slices it takes', async () => {
    const many = Array.from({ length: 2100 }, (_, n) => submission(`Heron ${n}.`));
    await store.documents.submit(everything, many);
    await tell(['a'], 'Ada likes tea.', 'Ada likes figs.');
    const removed = await store.tags.remove(everything, 'a');
    expect(removed).toEqual({ outcome: 'removed', documents: 2101, memories: 2 });
  });

  test('is refused to a scope with some tags only', async () => {
    await world.add('One.', { tags: ['a'] });
    expect(await store.tags.remove(only('a'), 'a')).toEqual({ outcome: 'forbidden' });
  });
});

describe('merging tags', () => {
  test('moves documents in batches, and then removes the source', async () => {
    for (let i = 0; i < 5; i++) await world.add(`Heron ${i}.`, { tags: i % 2 ? ['a'] : ['a', 'c'] });
    await world.add('Kept.', { tags: ['b'] });
    await world.index();
    const id = await merge(['a'], 'b');
    expect((await summary('a'))?.merge).toEqual({ id, as: 'source', target: 'b' });
    expect((await summary('b'))?.merge).toEqual({ id, as: 'target', target: 'b' });
    expect(await opened.merges.mergeSlice(2)).toBe(true);
    expect(await store.tags.mergeStatus(everything, id)).toMatchObject({ status: 'processing', moved: 2 });
    await mergeAll();
    await world.index();
    expect(await store.tags.mergeStatus(everything, id)).toMatchObject({ status: 'completed', moved: 5 });
    expect((await world.list({}, only('b'))).map(({ content }) => content)).toHaveLength(6);
    expect((await store.tags.list(everything)).map(({ tag }) => tag).sort()).toEqual(['b', 'c']);
  });

  test('moves memories with their versions, forgetting, metadata and vectors', async () => {
    const { memories } = await tell(['a'], 'Ada lives in Berlin.', 'Ada likes tea.', 'Ada has a cat.');
    const [home, tea] = memories.map(({ id }) => id);
    await store.memories.revise(everything, home ?? '', { prepared: said('Ada lives in Munich.') }, spaces());
    await store.memories.forget(everything, [tea ?? ''], { reason: 'asked', batch: null });
    await world.add('Kept.', { tags: ['b'] });
    await merge(['a'], 'b');
    await mergeAll();
    expect(await known('b')).toEqual(['Ada has a cat.', 'Ada lives in Munich.']);
    const listed = await store.memories.list(only('b'), {
      forgotten: true,
      sort: 'createdAt',
      order: 'asc',
      limit: 10,
      offset: 0,
    });
    const munich = listed.memories.find(({ memory }) => memory.includes('Munich'));
    expect(munich?.history.map(({ memory }) => memory)).toEqual(['Ada lives in Berlin.']);
    const found = await store.search.scan(
      only('b'),
      { units: 'memories' },
      {
        space: world.space,
        vector: new Float32Array(SPACE.dimensions).fill(0.5),
        limit: 10,
        aside: false,
      },
    );
    expect(found).toHaveLength(2);
    const words = await store.search.keyword(only('b'), { units: 'memories' }, analyse('cat'), {
      aside: false,
      limit: 10,
    });
    expect(words.matches).toHaveLength(1);
  });

  test('joins two memories with the same statement', async () => {
    await tell(['a'], 'Ada likes tea.');
    await tell(['b'], 'Ada likes tea.');
    await merge(['a'], 'b');
    await mergeAll();
    expect(await known('b')).toEqual(['Ada likes tea.']);
    expect((await store.memories.live(only('b'), { limit: 5 }))[0]?.sourceCount).toBe(2);
  });

  test('keeps the fields of the target, and fills its gaps from the source', async () => {
    await store.tags.upsert(everything, 'a', {
      name: 'From',
      entityContext: 'About Ada.',
      profileBuckets: [{ key: 'food', description: 'theirs' }],
    });
    await store.tags.upsert(everything, 'b', { name: 'To' });
    await merge(['a'], 'b');
    await mergeAll();
    expect(await store.tags.get(everything, 'b')).toMatchObject({
      name: 'To',
      entityContext: 'About Ada.',
      profileBuckets: [{ key: 'food', description: 'theirs' }],
    });
  });

  test('removes a customId from the moved document when the target already has it', async () => {
    const arriving = await world.add('One.', { tags: ['a'], customId: 'same' });
    const there = await world.add('Two.', { tags: ['b'], customId: 'same' });
    const id = await merge(['a'], 'b');
    await mergeAll();
    expect((await world.get(arriving)).customId).toBeNull();
    expect((await world.get(there)).customId).toBe('same');
    expect(await store.tags.mergeStatus(everything, id)).toMatchObject({ moved: 1, unnamed: 1 });
  });

  test('is refused for a tag that is being merged or does not exist', async () => {
    await world.add('One.', { tags: ['a'] });
    await world.add('Two.', { tags: ['b'] });
    const request = { sources: ['a'], target: 'nowhere' };
    expect(await store.tags.merge(everything, { id: newId(), ...request })).toEqual({
      outcome: 'missing',
      tags: ['nowhere'],
    });
    const id = await merge(['a'], 'b');
    const again = await store.tags.merge(everything, { id: newId(), sources: ['b'], target: 'a' });
    expect(again).toEqual({ outcome: 'merging', id });
    expect(await store.tags.remove(everything, 'a')).toEqual({ outcome: 'merging', id });
  });
});

describe('moving one document', () => {
  test('moves its own memories, and leaves those that other documents state too', async () => {
    const first = await tell(['a'], 'Ada likes tea.', 'Ada has a cat.');
    await tell(['a'], 'Ada likes tea.');
    await world.patch(first.documentId, { tags: ['b'] });
    expect(await known('a')).toEqual(['Ada likes tea.']);
    expect(await known('b')).toEqual(['Ada has a cat.', 'Ada likes tea.']);
    expect((await world.get(first.documentId)).step).toBe('done');
  });
});

test('a reset leaves the default tag and nothing else', async () => {
  await world.add('One.', { tags: ['a'] });
  await world.add('Two.', { tags: ['default'] });
  await tell(['a'], 'Ada likes tea.');
  await store.settings.write({ filterPrompt: 'Only birds.' });
  expect(await store.settings.reset('default')).toEqual({
    documents: 3,
    batches: 1,
    memories: 1,
    tags: 1,
    connections: 0,
    clearedDefault: false,
  });
  expect(await world.list()).toEqual([]);
  expect((await store.tags.list(everything)).map(({ tag }) => tag)).toEqual(['default']);
  expect(await store.settings.read()).toEqual({});
});

test('a reset does not count the memories of documents that were deleted before, erased or not', async () => {
  const { documentId } = await tell(['a'], 'Ada likes tea.');
  await tell(['a'], 'Ada has a cat.');
  await store.documents.remove(everything, { by: 'ref', ref: documentId });
  expect(await store.settings.reset('default')).toMatchObject({ documents: 1, memories: 1 });
});
