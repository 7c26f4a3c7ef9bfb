// Embedding spaces: one is active, another may be filled, then they are switched; and the small records beside them.
import { describe, expect, test } from 'vitest';
import type { KeyRecord } from '../../../../server/adapters/store/ports/keys.ts';
import type { SpaceRecord } from '../../../../server/adapters/store/ports/spaces.ts';
import { vectorOf } from './reading.ts';
import { contentPatch, everything, type OpenStore, openWorld, type World } from './world.ts';

const NEW: Omit<SpaceRecord, 'id'> = {
  ...{ embedder: 'other', model: 'm', dimensions: 24, state: 'filling' },
  calibration: { slope: 8, middle: 0.4 },
};

const fillOf = (id: number) => ({ id, dimensions: NEW.dimensions, keepExact: true });

const fillAll = async (world: World, id: number, portion = 4): Promise<number> => {
  let after: number | null = -1;
  let filled = 0;
  while (after !== null) {
    const { ns, last } = await world.ingest.missing(fillOf(id), after, portion);
    const passages = await world.ingest.storedPassages(ns);
    const texts = new Map(passages.map(({ n, text }) => [n, text]));
    const vectors = ns.map((n) => ({ n, vector: vectorOf(texts.get(n) ?? '', NEW.dimensions) }));
    await world.ingest.fillVectors(fillOf(id), vectors);
    filled += ns.length;
    after = last;
  }
  return filled;
};

const missing = async (world: World, id: number): Promise<readonly number[]> =>
  (await world.ingest.missing(fillOf(id), -1, 1000)).ns;

const addSome = async (world: World, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await world.add(`text ${at}\n\nmore ${at}`, { tags: [`t${at % 3}`] });
  await world.index();
};

const states = async (world: World) =>
  (await world.store.spaces.list()).map(({ id, state }) => [id, state] as const);

export const spacesContract = (open: OpenStore): void => {
  describe('spaces', () => {
    test('are listed as they were made, with their calibration', async () => {
      await using world = await openWorld(open);
      const made = await world.store.spaces.create(NEW);
      expect(made).toEqual({ ...NEW, id: made.id });
      expect((await world.store.spaces.list()).at(-1)).toEqual(made);
      await world.store.spaces.calibrate(made.id, { slope: 1, middle: 2 });
      expect((await world.ingest.spaces()).at(-1)).toEqual({ ...made, calibration: { slope: 1, middle: 2 } });
    });

    test('are abandoned for good while they are filled, and never while they serve', async () => {
      await using world = await openWorld(open);
      const { id } = await world.store.spaces.create(NEW);
      await world.store.spaces.abandon(id);
      await world.store.spaces.abandon(world.space);
      expect(await world.ingest.switchTo(id)).toBeNull();
      expect(await states(world)).toEqual([
        [world.space, 'active'],
        [id, 'retired'],
      ]);
    });

    test('are filled portion by portion and switched, and the former one is forgotten', async () => {
      await using world = await openWorld(open);
      await addSome(world, 10);
      const { id } = await world.store.spaces.create(NEW);
      expect(await world.store.spaces.progress(id)).toEqual({ done: 0, total: 20 });
      expect(await fillAll(world, id)).toBe(20);
      expect(await world.store.spaces.progress(id)).toEqual({ done: 20, total: 20 });
      expect(await missing(world, id)).toEqual([]);
      expect(await world.ingest.outbox(id, 100)).toHaveLength(20);
      expect(await world.ingest.switchTo(id)).toEqual({ retired: world.space });
      expect(await states(world)).toEqual([
        [world.space, 'retired'],
        [id, 'active'],
      ]);
      await world.ingest.forgetSpace(world.space);
      expect(await states(world)).toEqual([[id, 'active']]);
      expect(await world.vectors(world.space)).toEqual([]);
      expect(await world.vectors(id)).toHaveLength(20);
      expect(await world.rows(`select seq from vector_outbox where space <> ${id}`)).toEqual([]);
      const query = vectorOf('text 4', NEW.dimensions);
      const request = { space: id, vector: query, limit: 1, aside: false };
      const [best] = await world.store.search.scan(everything, {}, request);
      const [passage] = await world.store.search.passages(everything, {}, [best?.n ?? 0]);
      expect(passage?.text).toBe('text 4');
    });

    test('are never forgotten while they are active', async () => {
      await using world = await openWorld(open);
      await addSome(world, 2);
      await expect(world.ingest.forgetSpace(world.space)).rejects.toThrow('serves searches');
      expect(await world.ingest.countVectors(world.space)).toBe(4);
    });

    test('are forgotten in slices when they are large', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 60; at++)
        await world.add(Array.from({ length: 12 }, (_, part) => `text ${at} ${part}`).join('\n\n'), {
          tags: [`t${at}`],
        });
      await world.index();
      const { id } = await world.store.spaces.create(NEW);
      await fillAll(world, id, 200);
      await world.ingest.forgetSpace(id);
      expect(await world.vectors(id)).toEqual([]);
      expect(await world.rows('select space from exact_vectors')).toEqual([]);
      expect(await states(world)).toEqual([[world.space, 'active']]);
    });

    test('are filled without changing rows that the pipeline wrote or removed meanwhile', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one\n\ntwo', { customId: 'c' });
      await world.index();
      const { id: space } = await world.store.spaces.create(NEW);
      const ns = await missing(world, space);
      await world.patch(id, contentPatch('two\n\nthree'));
      await world.index({ spaces: [space], dimensions: NEW.dimensions });
      const stale = vectorOf('stale', NEW.dimensions);
      await world.ingest.fillVectors(
        fillOf(space),
        ns.map((n) => ({ n, vector: stale })),
      );
      await fillAll(world, space);
      const chunks = await world.store.documents.chunks(everything, (await world.get(id)).n);
      expect(await world.ingest.countVectors(space)).toBe(2);
      const vectors = await world.ingest.vectorsOf(fillOf(space), ns);
      expect([...vectors.keys()]).toEqual([chunks[0]?.n]);
    });

    test('are filled with the neighbours of each passage', async () => {
      await using world = await openWorld(open);
      await world.add(Array.from({ length: 12 }, (_, at) => `turn ${at}`).join('\n\n'));
      await world.add('another document');
      await world.index();
      const [first, , , , , , middle] = await missing(world, 999);
      const around = async (ns: number[]) =>
        (await world.ingest.storedPassages(ns)).map(({ text, position }) => [text, position]);
      expect(await around([first ?? 0])).toEqual([0, 1, 2, 3].map((at) => [`turn ${at}`, at]));
      const wanted = [first ?? 0, middle ?? 0];
      expect((await around(wanted)).map(([, position]) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });

  describe('records', () => {
    const key: KeyRecord = {
      ...{ id: 'k1', hash: 'h1', start: 'sm_ab', name: 'Name', permission: 'write', tags: ['b', 'a'] },
      ...{ enabled: true, expiresAt: 99, rateLimitMax: 5, rateLimitWindowMs: 60_000, pluginId: 'p' },
      ...{ madeBy: null, ownerId: null, role: null, replacedBy: null },
      ...{ createdAt: 7, lastUsedAt: null },
    };

    test('of keys are read as they were made', async () => {
      await using world = await openWorld(open);
      const { keys } = world.store;
      const bare: KeyRecord = {
        ...key,
        id: 'k2',
        hash: 'h2',
        tags: null,
        expiresAt: null,
        rateLimitMax: null,
      };
      await keys.create(key);
      await keys.create({ ...bare, createdAt: 3 });
      expect(await keys.list()).toEqual([{ ...bare, createdAt: 3 }, key]);
      expect(await keys.byHash('h1')).toEqual({ ...key, makers: [], owner: null });
      expect(await keys.byId('k1')).toEqual({ ...key, makers: [], owner: null });
      expect([await keys.byHash('k1'), await keys.byId('h1')]).toEqual([null, null]);
      await expect(keys.create({ ...key, id: 'k3' })).rejects.toThrow();
    });

    test('of keys are read with the keys that made them, as far as these exist', async () => {
      await using world = await openWorld(open);
      const { keys } = world.store;
      const second = { ...key, id: 'k2', hash: 'h2', madeBy: 'k1' };
      const third = { ...key, id: 'k3', hash: 'h3', madeBy: 'k2' };
      const orphan = { ...key, id: 'k4', hash: 'h4', madeBy: 'nobody' };
      for (const one of [key, second, third, orphan]) await keys.create(one);
      expect(await keys.byHash('h3')).toEqual({
        ...third,
        makers: expect.arrayContaining([key, second]),
        owner: null,
      });
      expect((await keys.byId('k3'))?.makers).toHaveLength(2);
      expect(await keys.byId('k2')).toEqual({ ...second, makers: [key], owner: null });
      expect(await keys.byId('k4')).toEqual({ ...orphan, makers: [], owner: null });
    });

    test('of keys are disabled, enabled and touched', async () => {
      await using world = await openWorld(open);
      const { keys } = world.store;
      await keys.create(key);
      expect(await keys.setEnabled('k1', false)).toBe(true);
      expect((await keys.byId('k1'))?.enabled).toBe(false);
      expect(await keys.setEnabled('k1', true)).toBe(true);
      expect(await keys.setEnabled('nobody', true)).toBe(false);
      await keys.touch([
        { id: 'k1', at: 11 },
        { id: 'nobody', at: 12 },
        { id: 'k1', at: 13 },
      ]);
      expect(await keys.byId('k1')).toEqual({ ...key, lastUsedAt: 13, makers: [], owner: null });
    });

    test('of the organisation are made once, also by many at the same time', async () => {
      await using world = await openWorld(open);
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, at) => world.store.organisation({ id: `o${at}`, createdAt: at })),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await world.store.organisation({ id: 'late', createdAt: 99 })).toEqual(made[0]);
    });

    test('count the stored, the waiting and the failed documents', async () => {
      await using world = await openWorld(open);
      const none = { documents: 0, chunks: 0, queued: 0, failed: 0, held: 0, heldBecause: null, outbox: [] };
      expect(await world.store.counts()).toEqual(none);
      await addSome(world, 3);
      await world.add('waits');
      expect(await world.store.counts()).toEqual({
        documents: 4,
        chunks: 6,
        queued: 1,
        failed: 0,
        held: 0,
        heldBecause: null,
        outbox: [{ space: world.space, vectors: 6 }],
      });
      const [claim] = await world.ingest.claim('boot', { documents: 1, containers: 1 });
      if (claim) await world.ingest.fail(claim, { code: 'x', message: 'X.', retryable: true });
      expect(await world.store.counts()).toMatchObject({ queued: 0, failed: 1 });
    });
  });
};
