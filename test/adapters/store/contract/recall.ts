// Memories as searches read them: their numbers near a vector, and their statements. A store may keep what it has read; every
// change shows in the next search.
import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../../server/core/scope.ts';
import { vectorOf } from './reading.ts';
import { listed, purgeAll, readForMemories, revised, tell } from './telling.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

const HOUR = 3_600_000;
const MEMORIES = { units: 'memories' } as const;

/** The numbers that a search compares. */
const near = async ({ store, space }: World, scope: Scope): Promise<number[]> => {
  const request = { space, vector: vectorOf('tea'), limit: 100, aside: false };
  return (await store.search.scan(scope, MEMORIES, request)).map(({ n }) => n);
};

/** The statements that a search reads of what it compared, twice, as the second search of a tag would. */
const found = async (world: World, scope: Scope): Promise<string[]> => {
  const read = async () => world.store.recall.statements(scope, MEMORIES, await near(world, scope));
  const first = await read();
  expect(await read()).toEqual(first);
  return first.map(({ memory }) => memory).sort();
};

export const recallContract = (open: OpenStore): void => {
  describe('memories that a search reads', () => {
    test('show every change in the next search', async () => {
      await using world = await openWorld(open);
      const { memories, documents } = world.store;
      const tea = await tell(world, 'Ada drinks tea');
      const home = await tell(world, 'Ada lives in Lyon');
      expect(await found(world, only('a'))).toEqual(['Ada drinks tea', 'Ada lives in Lyon']);

      await tell(world, 'Ada plays chess');
      expect(await found(world, only('a'))).toHaveLength(3);

      await revised(world, home.id, 'Ada lives in Bern');
      expect(await found(world, only('a'))).toEqual([
        'Ada drinks tea',
        'Ada lives in Bern',
        'Ada plays chess',
      ]);

      await memories.forget(everything, [tea.id], { reason: null, batch: null });
      expect(await found(world, only('a'))).toEqual(['Ada lives in Bern', 'Ada plays chess']);

      const drawn = await world.add('Ada sings');
      await readForMemories(world);
      expect(await found(world, only('a'))).toContain('Ada sings');
      await documents.remove(everything, { by: 'ref', ref: drawn });
      expect(await found(world, only('a'))).toEqual(['Ada lives in Bern', 'Ada plays chess']);
      await purgeAll(world);
      expect(await found(world, only('a'))).toEqual(['Ada lives in Bern', 'Ada plays chess']);
    });

    test('are those of the tags of the search alone', async () => {
      await using world = await openWorld(open);
      await tell(world, 'Ada drinks tea', { tags: ['a'] });
      await tell(world, 'Ben drinks tea', { tags: ['b'] });
      await tell(world, 'Both drink tea', { tags: ['a', 'b'] });
      for (const round of ['read', 'kept']) {
        expect(await found(world, only('a')), round).toEqual(['Ada drinks tea', 'Both drink tea']);
        expect(await found(world, only('b')), round).toEqual(['Ben drinks tea', 'Both drink tea']);
        expect(await found(world, only('c')), round).toEqual([]);
        expect(await found(world, everything), round).toHaveLength(3);
      }
      const numbers = await near(world, only('b'));
      const foreign = await world.store.recall.statements(only('a'), MEMORIES, numbers);
      expect(foreign.map(({ memory }) => memory)).toEqual(['Both drink tea']);
      await world.store.tags.remove(everything, 'b');
      expect(await found(world, only('b'))).toEqual([]);
    });

    test('end at their time, also where nothing was written meanwhile', async () => {
      await using world = await openWorld(open);
      await tell(world, 'Ada drinks tea');
      await tell(world, 'Ada is in Lyon', { forgetAfter: Date.now() + HOUR });
      const numbers = await near(world, only('a'));
      const read = async () =>
        (await world.store.recall.statements(only('a'), MEMORIES, numbers)).map(({ memory }) => memory);
      expect(await read()).toEqual(['Ada drinks tea', 'Ada is in Lyon']);
      world.clock.pass(Date.now() + 2 * HOUR - world.clock.now());
      expect(await read()).toEqual(['Ada drinks tea']);
    });

    test('are in doubt while a live memory perhaps replaces them', async () => {
      await using world = await openWorld(open);
      const { recall, memories, documents } = world.store;
      const volvo = await tell(world, 'Ada drives a Volvo');
      await tell(world, 'Ada rows');
      const doubted = async (scope: Scope) => [...(await recall.inDoubt(scope, [volvo.n], 'doubts'))];
      const doubtIt = () => readForMemories(world, () => [{ kind: 'doubts', to: { known: volvo.id } }]);
      expect(await doubted(only('a'))).toEqual([]);

      world.clock.pass(HOUR);
      const skoda = await world.add('Ada drives a Skoda');
      await doubtIt();
      const [later] = await memories.live(only('a'), { limit: 1 });
      expect(later?.memory).toBe('Ada drives a Skoda');
      expect(await doubted(only('a'))).toEqual([[volvo.n, later?.n]]);
      expect(await doubted(only('b'))).toEqual([]);
      const [detail] = (await listed(world)).filter(({ id }) => id === later?.id);
      expect(detail?.relations).toEqual([]);
      expect((await memories.relatives(everything, [volvo.n], true)).get(volvo.n)?.related).toEqual([]);
      expect((await recall.inDoubt(only('a'), [volvo.n], 'hints')).size).toBe(0);

      const renewed = await revised(world, later?.id ?? '', 'Ada drives a green Skoda');
      expect(await doubted(only('a'))).toEqual([[volvo.n, renewed.n]]);
      await memories.forget(everything, [renewed.id], { reason: null, batch: null });
      expect(await doubted(only('a'))).toEqual([]);
      await documents.remove(everything, { by: 'ref', ref: skoda });
      await purgeAll(world);
      expect(await doubted(only('a'))).toEqual([]);
    });

    test('leave the passages behind that say only what they replaced', async () => {
      await using world = await openWorld(open);
      const { recall, search } = world.store;
      await world.add('Ada drives a Volvo');
      await world.add('Ada rows');
      await readForMemories(world);
      const chunks = async () =>
        (
          await search.scan(
            only('a'),
            {},
            { space: world.space, vector: vectorOf('tea'), limit: 9, aside: false },
          )
        )
          .map(({ n }) => n)
          .sort((a, b) => a - b);
      const [first = 0, ...others] = await chunks();
      expect([...(await recall.outdated(only('a'), [first, ...others]))]).toEqual([]);
      const [volvo] = (await listed(world)).filter(({ memory }) => memory.endsWith('Volvo'));
      world.clock.pass(HOUR);
      await world.add('Ada drives a Skoda');
      await readForMemories(world, () => [{ kind: 'updates', to: { known: volvo?.id ?? '' } }]);
      expect([...(await recall.outdated(only('a'), [first, ...others]))]).toEqual([[first, 'wholly']]);
      expect([...(await recall.outdated(only('b'), [first]))]).toEqual([]);
      const [skoda] = (await world.store.memories.live(only('a'), { limit: 9 })).filter(({ memory }) =>
        memory.endsWith('Skoda'),
      );
      expect([...(await recall.replacing(only('a'), [first, ...others]))]).toEqual([
        [first, [{ memory: 'Ada drives a Volvo', by: skoda?.n }]],
      ]);
      expect([...(await recall.replacing(only('b'), [first]))]).toEqual([]);
      await world.store.memories.forget(everything, [skoda?.id ?? ''], { reason: null, batch: null });
      expect([...(await recall.replacing(only('a'), [first]))]).toEqual([[first, []]]);
    });

    test('are hinted at apart from doubts, and no answer shows it', async () => {
      await using world = await openWorld(open);
      const { recall, memories } = world.store;
      const volvo = await tell(world, 'Ada drives a Volvo');
      world.clock.pass(HOUR);
      await world.add('Ada drives a Skoda');
      await readForMemories(world, () => [{ kind: 'hints', to: { known: volvo.id } }]);
      const [later] = await memories.live(only('a'), { limit: 1 });
      expect([...(await recall.inDoubt(only('a'), [volvo.n], 'hints'))]).toEqual([[volvo.n, later?.n]]);
      expect((await recall.inDoubt(only('a'), [volvo.n], 'doubts')).size).toBe(0);
      const [detail] = (await listed(world)).filter(({ id }) => id === later?.id);
      expect(detail?.relations).toEqual([]);
      expect((await memories.relatives(everything, [volvo.n], true)).get(volvo.n)?.related).toEqual([]);
    });

    test('are named with their documents once they are forgotten or expired', async () => {
      await using world = await openWorld(open);
      const { recall, memories } = world.store;
      await world.add('Ada sings');
      await readForMemories(world);
      const [sings] = await memories.live(only('a'), { limit: 1 });
      const stay = await tell(world, 'Ada is in Lyon', { forgetAfter: Date.now() + HOUR });
      const rows = await tell(world, 'Ada rows');
      const told = [sings?.n ?? 0, stay.n, rows.n];
      const sources = await recall.sources(only('a'), told);
      const documents = told.map((n) => sources.get(n)?.documents[0]?.n ?? 0);
      const gone = async (scope: Scope) => [...(await recall.forgottenOf(scope, documents))];
      expect(await gone(only('a'))).toEqual([]);
      await memories.forget(everything, [sings?.id ?? ''], { reason: null, batch: null });
      expect(await gone(only('a'))).toEqual([[documents[0], ['Ada sings']]]);
      world.clock.pass(Date.now() + 2 * HOUR - world.clock.now());
      expect(new Map(await gone(only('a')))).toEqual(
        new Map([
          [documents[0], ['Ada sings']],
          [documents[1], ['Ada is in Lyon']],
        ]),
      );
      expect(await gone(only('b'))).toEqual([]);
    });

    test('are in doubt no longer once they are said again', async () => {
      await using world = await openWorld(open);
      const volvo = await tell(world, 'Ada drives a Volvo');
      world.clock.pass(HOUR);
      await world.add('Ada drives a Skoda');
      await readForMemories(world, () => [{ kind: 'doubts', to: { known: volvo.id } }]);
      expect((await world.store.recall.inDoubt(only('a'), [volvo.n], 'doubts')).size).toBe(1);
      world.clock.pass(HOUR);
      await world.add('Ada drives a Volvo');
      await readForMemories(world);
      expect((await world.store.recall.inDoubt(only('a'), [volvo.n], 'doubts')).size).toBe(0);
    });
  });
};
