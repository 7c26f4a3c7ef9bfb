// Versions of memories: ordered by the time of the statements, not by their arrival.
import { describe, expect, test } from 'vitest';
import type { MemoryRelation } from '../../../../server/adapters/store/ports/memories/memories.ts';
import type { PreparedRelation } from '../../../../server/adapters/store/ports/memories/remembering.ts';
import { listed, live, present, purgeAll, readForMemories, revised, tell } from './telling.ts';
import { contentPatch, everything, type OpenStore, openWorld, type World } from './world.ts';

const HOUR = 3_600_000;
const year = (number: number): number => Date.UTC(number, 0);

const to = (kind: MemoryRelation | 'updatedBy', known: string): PreparedRelation => ({ kind, to: { known } });

/** Reads a document that says this one thing; its own id and that of the memory. */
const read = async (
  world: World,
  statement: string,
  date: number | null,
  relations: readonly PreparedRelation[] = [],
): Promise<{ document: string; memory: string }> => {
  const document = await world.add(statement);
  await readForMemories(
    world,
    () => [...relations],
    () => ({ documentDate: date }),
  );
  const { n } = await world.get(document);
  const drawn = (await world.store.memories.ofDocuments(everything, [n])).get(n);
  return { document, memory: present(drawn?.find(({ memory }) => memory === statement)).id };
};

/** The versions of the one chain there is, the first one first, as they name each other. */
const chain = async (world: World) => {
  const [latest, ...others] = await listed(world);
  expect(others).toEqual([]);
  const { history, ...last } = present(latest);
  const versions = [...history.toReversed(), last];
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => at + 1));
  expect(versions.map(({ parentId }) => parentId)).toEqual([
    null,
    ...versions.slice(0, -1).map(({ id }) => id),
  ]);
  expect(versions.map(({ rootId }) => rootId)).toEqual(
    versions.map((_, at) => (at === 0 ? null : versions[0]?.id)),
  );
  expect(versions.map(({ isLatest }) => isLatest)).toEqual(
    versions.map((_, at) => at === versions.length - 1),
  );
  const before = versions.at(-2);
  expect(last.relations).toEqual(before ? [{ id: before.id, kind: 'updates' }] : []);
  return versions.map(({ memory }) => memory);
};

const remove = async (world: World, document: string): Promise<void> => {
  await world.store.documents.remove(everything, { by: 'ref', ref: document });
  await purgeAll(world);
};

const orderContract = (open: OpenStore): void => {
  describe('versions', () => {
    test('that arrive late are placed before later statements', async () => {
      await using world = await openWorld(open);
      const munich = await read(world, 'Munich', year(2023));
      const paris = await read(world, 'Paris', year(2019), [to('updatedBy', munich.memory)]);
      expect(await chain(world)).toEqual(['Paris', 'Munich']);
      await read(world, 'Berlin', year(2021), [to('updatedBy', munich.memory)]);
      expect(await chain(world)).toEqual(['Paris', 'Berlin', 'Munich']);
      expect(await live(world)).toEqual(['Munich']);
      const { parents, children } = present(
        (await world.store.memories.relatives(everything, [present((await listed(world))[0]).n]))
          .values()
          .next().value,
      );
      expect(parents.map(({ memory, version }) => [memory, version])).toEqual([
        ['Berlin', -1],
        ['Paris', -2],
      ]);
      expect(children).toEqual([]);
      await remove(world, paris.document);
      expect(await chain(world)).toEqual(['Berlin', 'Munich']);
      await remove(world, munich.document);
      expect(await chain(world)).toEqual(['Berlin']);
    });

    test('are in the order of their dates also when the reader knew an earlier state', async () => {
      await using world = await openWorld(open);
      const first = await read(world, 'Paris', year(2019));
      await read(world, 'Munich', year(2023), [to('updates', first.memory)]);
      await read(world, 'Berlin', year(2021), [to('updates', first.memory)]);
      expect(await chain(world)).toEqual(['Paris', 'Berlin', 'Munich']);
    });

    test('of one date are in the order of their arrival, and so are undated ones', async () => {
      await using world = await openWorld(open);
      const first = await read(world, 'Paris', year(2023));
      world.clock.pass(1);
      await read(world, 'Berlin', year(2023), [to('updates', first.memory)]);
      await read(world, 'Munich', null, [to('updates', first.memory)]);
      await read(world, 'Vienna', year(2024), [to('updates', first.memory)]);
      expect(await chain(world)).toEqual(['Paris', 'Berlin', 'Munich', 'Vienna']);
    });

    test('without a date were said when they were received, if they came by themselves', async () => {
      await using world = await openWorld(open);
      const first = await read(world, 'Munich', null);
      world.clock.pass(2 * HOUR);
      await read(world, 'Berlin', year(2021), [to('updates', first.memory)]);
      expect(await chain(world)).toEqual(['Berlin', 'Munich']);
      await read(world, 'Vienna', null, [to('updates', first.memory)]);
      expect(await chain(world)).toEqual(['Berlin', 'Munich', 'Vienna']);
    });

    test('with the same statement and nothing between them become one, with two sources', async () => {
      await using world = await openWorld(open);
      const berlin = await read(world, 'Berlin', year(2020));
      const munich = await read(world, 'Munich', year(2023), [to('updates', berlin.memory)]);
      const again = await read(world, 'Berlin', year(2021), [to('updatedBy', munich.memory)]);
      expect(again.memory).toBe(berlin.memory);
      expect(await chain(world)).toEqual(['Berlin', 'Munich']);
      await read(world, 'Berlin', year(2024), [to('updates', munich.memory)]);
      expect(await chain(world)).toEqual(['Berlin', 'Munich', 'Berlin']);
    });

    test('of one document are in the order of its text, also after an edit', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Berlin\n\nMunich', { customId: 'c' });
      const known = new Map<string, string>();
      const relations = (text: string): PreparedRelation[] =>
        text === 'Munich'
          ? [{ kind: 'updates', to: { drawn: 0 } }]
          : [...known.values()].map((one) => to('updates', one));
      await readForMemories(world, relations);
      known.set('Munich', present((await listed(world))[0]).id);
      world.clock.pass(HOUR);
      await world.patch(id, contentPatch('Hamburg\n\nMunich'));
      await readForMemories(world, relations);
      expect(await chain(world)).toEqual(['Hamburg', 'Munich']);
    });

    test('that a deletion has hidden are not the latest while they wait to be erased', async () => {
      await using world = await openWorld(open);
      const paris = await read(world, 'Paris', year(2019));
      const berlin = await read(world, 'Berlin', year(2021), [to('updates', paris.memory)]);
      const munich = await read(world, 'Munich', year(2023), [to('updates', berlin.memory)]);
      const { documents } = world.store;
      await documents.remove(everything, { by: 'ids', ids: [munich.document, berlin.document] });
      expect(await live(world)).toEqual(['Paris']);
      await read(world, 'Vienna', year(2020), [to('updates', paris.memory)]);
      expect(await live(world)).toEqual(['Vienna']);
      await purgeAll(world);
      expect(await chain(world)).toEqual(['Paris', 'Vienna']);
      await documents.remove(everything, { by: 'tags', tags: ['a'] });
      expect(await live(world)).toEqual([]);
      await purgeAll(world);
      expect(await world.rows('select count(*) as n from memories')).toEqual([{ n: 0 }]);
    });

    test('by a caller are the latest, whatever their dates', async () => {
      await using world = await openWorld(open);
      const { id } = await tell(world, 'Munich', { documentDate: world.clock.now() + HOUR });
      const second = await revised(world, id, 'Berlin', { documentDate: year(2020) });
      expect(await chain(world)).toEqual(['Munich', 'Berlin']);
      await read(world, 'Paris', year(2024), [to('updates', second.id)]);
      expect(await chain(world)).toEqual(['Paris', 'Munich', 'Berlin']);
    });
  });
};

const severalContract = (open: OpenStore): void => {
  describe('a memory that replaces several', () => {
    test('makes none of them the latest, and all of them are the latest again when it is removed', async () => {
      await using world = await openWorld(open);
      const dog = await read(world, 'Ada has a dog', null);
      const cat = await read(world, 'Ada has a cat', null);
      const none = await read(world, 'Ada has no pets', null, [
        to('updates', dog.memory),
        to('updates', cat.memory),
      ]);
      expect(await live(world)).toEqual(['Ada has no pets']);
      expect(await listed(world)).toMatchObject([
        {
          memory: 'Ada has no pets',
          relations: [
            { id: dog.memory, kind: 'updates' },
            { id: cat.memory, kind: 'updates' },
          ],
        },
      ]);
      const found = await world.store.memories.find(everything, { tags: ['a'], id: cat.memory });
      expect(found).toMatchObject({ latest: none.memory, memory: { isLatest: false } });
      await world.store.documents.remove(everything, { by: 'ref', ref: none.document });
      // Before anything is erased, and after it.
      expect((await live(world)).sort()).toEqual(['Ada has a cat', 'Ada has a dog']);
      await purgeAll(world);
      expect((await live(world)).sort()).toEqual(['Ada has a cat', 'Ada has a dog']);
    });

    test('is the latest of each version of them, and of nothing else', async () => {
      await using world = await openWorld(open);
      const car = await read(world, 'Tom has a car', null);
      const bike = await read(world, 'Tom has a bike', null);
      await read(world, 'Tom walks', null, [to('updates', car.memory), to('updates', bike.memory)]);
      const kitten = await read(world, 'Ada has a kitten', year(2020));
      const cat = await read(world, 'Ada has a cat', year(2021), [to('updates', kitten.memory)]);
      const dog = await read(world, 'Ada has a dog', year(2021));
      await read(world, 'Ada feeds a cat', year(2022), [to('extends', cat.memory)]);
      const none = await read(world, 'Ada has no pets', year(2023), [
        to('updates', dog.memory),
        to('updates', cat.memory),
      ]);
      for (const id of [kitten.memory, cat.memory, dog.memory])
        expect(await world.store.memories.find(everything, { tags: ['a'], id })).toMatchObject({
          latest: none.memory,
        });
    });

    test('is placed between them and another memory that replaces it', async () => {
      await using world = await openWorld(open);
      const dog = await read(world, 'Ada has a dog', year(2020));
      const cat = await read(world, 'Ada has a cat', year(2024));
      await read(world, 'Ada has no pets', year(2022), [
        to('updates', dog.memory),
        to('updatedBy', cat.memory),
      ]);
      expect(await live(world)).toEqual(['Ada has a cat']);
    });
  });
};

const revisedContract = (open: OpenStore): void => {
  describe('a version by a caller', () => {
    test('stays when the documents of the previous version are deleted', async () => {
      await using world = await openWorld(open);
      const berlin = await read(world, 'Ada lives in Berlin', null);
      const rome = await revised(world, berlin.memory, 'Ada lives in Rome');
      expect(rome).toMatchObject({ version: 2, sourceCount: 2 });
      await remove(world, berlin.document);
      const [left] = await listed(world);
      expect(left).toMatchObject({ id: rome.id, version: 1, parentId: null, rootId: null, sourceCount: 1 });
      await remove(world, present(left?.documentIds[0]));
      expect(await listed(world)).toEqual([]);
    });

    test('is removed only with its own request, and the previous version becomes the latest again', async () => {
      await using world = await openWorld(open);
      const berlin = await tell(world, 'Ada lives in Berlin');
      const rome = await revised(world, berlin.id, 'Ada lives in Rome');
      const [entry] = await listed(world);
      expect(entry).toMatchObject({ id: rome.id, sourceCount: 1 });
      await remove(world, present(entry?.documentIds[0]));
      expect(await listed(world)).toMatchObject([{ id: berlin.id, isLatest: true, version: 1 }]);
    });
  });
};

export const versionsContract = (open: OpenStore): void => {
  orderContract(open);
  severalContract(open);
  revisedContract(open);
};
