// An index that leaves small containers out: which vectors it is to hold, and what searches compare besides.
import { describe, expect, test } from 'vitest';
import { CONTAINER_SPAN } from '../../../../server/core/chunks/chunk-number.ts';
import { SPACE, vectorOf } from './reading.ts';
import { contentPatch, everything, type OpenStore, only, openWorld, type World } from './world.ts';

const textsOf = (name: string, from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} ${from + at}`).join('\n\n');

const addTexts = async (world: World, name: string, count: number, tags = [name]): Promise<string> => {
  const id = await world.add(textsOf(name, 0, count), { tags, customId: name });
  await world.index();
  return id;
};

const containerOf = async (world: World, ...tags: string[]): Promise<number> => {
  const [document] = await world.list({ allTags: tags }, only(...tags));
  const [row] = await world.rows(`select container from documents where n = ${document?.n}`);
  return Number(row?.container);
};

const fillSpace = (world: World) => ({ id: world.space, ...SPACE });

const enqueueAll = async (world: World, container: number, limit: number): Promise<void> => {
  while (await world.ingest.enqueueContainer(fillSpace(world), container, limit));
};

const vectorsOf = async (world: World, container: number): Promise<number[]> =>
  (await world.vectors(world.space)).filter((n) => Math.floor(n / CONTAINER_SPAN) === container);

const indexableOf = async (world: World): Promise<number[]> =>
  (await world.ingest.indexable(world.space, await world.vectors(world.space))).sort((a, b) => a - b);

const clearOutbox = async (world: World): Promise<number[]> => {
  const rows = await world.ingest.outbox(world.space, 1000);
  await world.ingest.acknowledge(
    world.space,
    rows.map(({ seq }) => seq),
  );
  return [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);
};

const keepsCount = (open: OpenStore): void => {
  test('holds containers of its size alone, and the count of its vectors follows every write to them', async () => {
    await using world = await openWorld(open);
    const { ingest, space } = world;
    const large = await addTexts(world, 'large', 9);
    await addTexts(world, 'small', 3);
    expect([await ingest.indexedFrom(space), await ingest.countVectors(space)]).toEqual([0, 12]);
    expect(await ingest.containersToIndex(space, null)).toEqual([]);
    await clearOutbox(world);

    await ingest.indexAnew(space, 5);
    expect([await ingest.indexedFrom(space), await ingest.countVectors(space)]).toEqual([5, 0]);
    const container = await containerOf(world, 'large');
    const small = await containerOf(world, 'small');
    expect(await ingest.containersToIndex(space, null)).toEqual([container]);
    expect(await ingest.containersToIndex(space, [small])).toEqual([]);

    expect(await ingest.enqueueContainer(fillSpace(world), container, 4)).toBe(true);
    expect(await ingest.countVectors(space)).toBe(4);
    const all = await vectorsOf(world, container);
    expect(await indexableOf(world)).toEqual(all.slice(0, 4));
    expect(await clearOutbox(world)).toEqual(all.slice(0, 4));
    // Written while it is on its way: some of it is counted with this write, the rest with the next slices.
    await world.patch(large, contentPatch(textsOf('large', 2, 9)), only('large'));
    await world.index();
    expect(await ingest.countVectors(space)).toBe(2);
    await enqueueAll(world, container, 4);
    expect(await ingest.containersToIndex(space, null)).toEqual([]);
    expect(await ingest.countVectors(space)).toBe(9);
    await world.patch(large, contentPatch(textsOf('large', 2, 12)), only('large'));
    await world.index();
    expect(await ingest.countVectors(space)).toBe(12);
    const now = await vectorsOf(world, container);
    expect(await indexableOf(world)).toEqual(now);

    await world.store.documents.remove(only('large'), { by: 'ids', ids: [large] });
    while (await ingest.purge(10));
    expect(await ingest.countVectors(space)).toBe(0);
    expect(await vectorsOf(world, small)).toHaveLength(3);
    await ingest.indexAnew(space, 0);
    expect(await ingest.countVectors(space)).toBe(3);
  });

  test('loses and doubles nothing of what is written while a container comes into it', async () => {
    await using world = await openWorld(open);
    const { ingest, space } = world;
    await addTexts(world, 'busy', 6);
    await ingest.indexAnew(space, 5);
    const container = await containerOf(world, 'busy');
    await clearOutbox(world);
    const add = async () => {
      for (let at = 0; at < 8; at++) {
        await world.add(textsOf(`more ${at}`, 0, 3), { tags: ['busy'] });
        await world.index();
      }
    };
    await Promise.all([add(), enqueueAll(world, container, 2)]);
    const stored = await vectorsOf(world, container);
    expect(stored).toHaveLength(30);
    expect(await ingest.countVectors(space)).toBe(30);
    expect(await clearOutbox(world)).toEqual(stored);
  });

  test('is forgotten together with its space', async () => {
    await using world = await openWorld(open);
    await addTexts(world, 'large', 6);
    await world.ingest.indexAnew(world.space, 1);
    await enqueueAll(world, await containerOf(world, 'large'), 100);
    await world.store.spaces.create({
      ...{ embedder: 'other', model: 'm', dimensions: 24, state: 'filling', calibration: null },
    });
    const [, other] = await world.store.spaces.list();
    await world.ingest.switchTo(other?.id ?? 0);
    await world.ingest.forgetSpace(world.space);
    expect(await world.rows('select container from indexed_containers')).toEqual([]);
  });
};

const tellsSearches = (open: OpenStore): void => {
  const leftOut = (world: World, scope = everything, most = 100) =>
    world.store.search.leftOut(scope, { space: world.space, units: 'chunks', most });

  test('tells a search what it lacks of the scope, as far as that can be compared', async () => {
    await using world = await openWorld(open);
    await addTexts(world, 'large', 9);
    await addTexts(world, 'small', 3);
    await addTexts(world, 'tiny', 2);
    expect(await leftOut(world)).toEqual({ containers: [], units: 0, more: false });
    await world.ingest.indexAnew(world.space, 5);
    const [large, small, tiny] = [
      await containerOf(world, 'large'),
      await containerOf(world, 'small'),
      await containerOf(world, 'tiny'),
    ];
    expect(await leftOut(world)).toEqual({ containers: [large, small, tiny], units: 14, more: false });
    // Not in the index yet, and always compared.
    expect(await leftOut(world, everything, 4.5)).toEqual({ containers: [large], units: 14, more: true });
    // An index that is filled from nothing.
    expect(await leftOut(world, everything, 4)).toBeNull();
    await world.ingest.enqueueContainer(fillSpace(world), large, 4);
    expect(await leftOut(world, only('large'))).toEqual({ containers: [large], units: 9, more: false });
    await enqueueAll(world, large, 4);
    expect(await leftOut(world)).toEqual({ containers: [small, tiny], units: 5, more: false });
    expect(await leftOut(world, everything, 4)).toEqual({ containers: [], units: 5, more: true });
    expect(await leftOut(world, only('tiny', 'large'), 4)).toEqual({
      containers: [tiny],
      units: 2,
      more: false,
    });
    expect(await leftOut(world, only('large'))).toEqual({ containers: [], units: 0, more: false });
  });

  test('has every vector of some containers compared, those of others never', async () => {
    await using world = await openWorld(open);
    await addTexts(world, 'large', 40);
    await addTexts(world, 'small', 40, ['small', 'team']);
    await addTexts(world, 'tiny', 2);
    const [small, tiny] = [await containerOf(world, 'small', 'team'), await containerOf(world, 'tiny')];
    const vector = vectorOf('large 7');
    const request = { space: world.space, vector, limit: 100, aside: false };
    const compared = async (containers: readonly number[], more = {}, scope = everything) =>
      (await world.store.search.scan(scope, more, { ...request, containers })).map(({ n }) => n);
    const all = (await world.store.search.scan(everything, {}, request)).map(({ n }) => n);
    const isOf = (containers: readonly number[]) => (n: number) =>
      containers.includes(Math.floor(n / CONTAINER_SPAN));
    expect(all).toHaveLength(82);
    expect(await compared([small, tiny])).toEqual(all.filter(isOf([small, tiny])));
    expect(await compared([])).toEqual([]);
    // Read through the restriction, and the scope beside it.
    expect(await compared([small, tiny], { allTags: ['team'] })).toEqual(all.filter(isOf([small])));
    expect(await compared([small, tiny], { allTags: ['tiny'] }, only('team'))).toEqual([]);
  });
};

export const indexedContainersContract = (open: OpenStore): void => {
  describe('an index without small containers', () => {
    keepsCount(open);
    tellsSearches(open);
  });
};
