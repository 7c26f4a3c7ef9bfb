// Searching under a filter that allows too much to list it: it finds what a comparison one by one finds.
import { describe, expect, test } from 'vitest';
import type {
  Condition,
  MetadataFilter,
  Restriction,
} from '../../../../server/adapters/store/ports/filters.ts';
import type { Scope } from '../../../../server/core/scope.ts';

import {
  checkKeyword,
  checkScan,
  fill,
  known,
  numbersOf,
  QUERY,
  restrictions,
  scopes,
  settle,
  third,
} from './searched-world.ts';
import { readForMemories, tell } from './telling.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

/** Every filter of these tests allows more. */
const mostListed = 2;

const is = (key: string, value: string, negate = false): Condition => ({ ...third, key, value, negate });

const filters: [string, MetadataFilter][] = [
  ['all of a broad and a narrow one', { AND: [third, { OR: [is('serial', '7'), is('serial', '4')] }] }],
  ['any of a broad and a narrow one', { OR: [third, is('serial', '5')] }],
  ['a broad one without a narrow one', { AND: [third, is('serial', '4', true)] }],
  ['two broad ones', { AND: [third, { OR: [is('name', 'n1'), is('name', 'n2')] }] }],
];

const filtered: [string, Restriction][] = [
  ...restrictions.filter(([, { filter }]) => filter !== undefined),
  ...filters.map(([name, filter]): [string, Restriction] => [name, { filter }]),
];

const MEMORIES = { units: 'memories' } as const;

/** The statements that searches by words and by meaning find, and those that are read by their numbers. */
const statements = async ({ store, space }: World, scope: Scope, filter: MetadataFilter) => {
  const restriction = { ...MEMORIES, filter };
  const { matches } = await store.search.keyword(scope, restriction, ['tea'], { aside: true, limit: 50 });
  const near = { space, vector: QUERY, limit: 50, aside: true };
  const all = await store.search.scan(scope, MEMORIES, near);
  const compared = await store.search.compare(scope, restriction, {
    ...{ space, vector: QUERY, limit: 50 },
    candidates: numbersOf(all),
  });
  const read = await store.recall.statements(scope, restriction, numbersOf(all));
  const scanned = await store.search.scan(scope, restriction, near);
  for (const found of [matches, compared, scanned]) expect(numbersOf(found)).toEqual(numbersOf(read));
  return read.map(({ memory }) => memory).sort();
};

export const broadFiltersContract = (open: OpenStore): void => {
  describe('a filter that allows too much to list it', () => {
    test('restricts words, vectors and passages in every scope, together with every other restriction', async () => {
      await using world = await openWorld(open, { mostListed });
      await fill(world);
      await settle(world);
      const all = numbersOf(await known(world, everything, {}));
      for (const [scopeName, scope] of scopes)
        for (const [name, restriction] of filtered) {
          const there = numbersOf(await known(world, scope, restriction));
          await checkKeyword(world, scope, restriction);
          await checkScan(world, scope, restriction);
          const { search } = world.store;
          const passages = await search.passages(scope, restriction, [...all, 4711]);
          expect(numbersOf(passages), `${scopeName}, ${name}`).toEqual(there);
          const asked = { space: world.space, vector: QUERY, candidates: all, limit: 500 };
          expect(numbersOf(await search.compare(scope, restriction, asked))).toEqual(there);
          expect((await search.extent(scope, restriction, 1000)).chunks).toBe(there.length);
        }
    }, 60_000);

    test('shows nothing that is deleted or moved while that is still pending', async () => {
      await using world = await openWorld(open, { mostListed });
      await fill(world);
      for (const [, scope] of scopes)
        for (const [, restriction] of filtered) await checkScan(world, scope, restriction);
    }, 60_000);

    test('leaves more than is counted, unless the scope or the rest of the restriction leaves few', async () => {
      await using world = await openWorld(open, { mostListed });
      for (let at = 0; at < 12; at++)
        await world.add(`text ${at}`, { metadata: { third: 1 }, filepath: `/f${at % 4}/${at}` });
      await world.index();
      const counted = async (restriction: Restriction, bound: number) =>
        (await world.store.search.extent(only('a'), restriction, bound)).chunks;
      expect(await counted({ filter: third }, 5)).toBe(6);
      expect(await counted({ filter: third }, 12)).toBe(12);
      expect(await counted({ filter: third, filepath: '/f1/' }, 5)).toBe(3);
    });

    test('is looked at for the matches with the rarest words first', async () => {
      await using world = await openWorld(open, { mostListed });
      for (let at = 0; at < 40; at++)
        await world.add(at % 10 === 7 ? `common rare ${at}` : `common ${at}`, {
          metadata: { third: at % 2 },
        });
      await world.index();
      const options = { aside: true, limit: 5 };
      const found = await world.store.search.keyword(
        only('a'),
        { filter: third },
        ['common', 'rare'],
        options,
      );
      const texts = await world.store.search.passages(everything, {}, numbersOf(found.matches));
      expect(texts.filter(({ text }) => text.includes('rare'))).toHaveLength(4);
      expect(texts.every(({ document }) => document.metadata?.third === 1)).toBe(true);
      expect(texts).toHaveLength(5);
    });

    test('leaves the words of the whole scope counted where no match is wanted', async () => {
      await using world = await openWorld(open, { mostListed });
      for (let at = 0; at < 12; at++) await world.add(`common ${at}`, { metadata: { third: at % 2 } });
      await world.index();
      const options = { aside: true, limit: 0 };
      const found = await world.store.search.keyword(
        only('a'),
        { filter: third },
        ['common', 'rare'],
        options,
      );
      expect([found.matches, found.frequencies]).toEqual([[], [12, 0]]);
    });

    test('finds matches that stand behind very many others', async () => {
      await using world = await openWorld(open, { mostListed });
      for (let at = 0; at < 40; at++)
        await world.add(at < 36 ? `common rare ${at}` : `common ${at}`, {
          metadata: { third: at < 36 ? 0 : 1 },
        });
      await world.index();
      const found = await world.store.search.keyword(only('a'), { filter: third }, ['common', 'rare'], {
        ...{ aside: true, limit: 2 },
      });
      const texts = await world.store.search.passages(everything, {}, numbersOf(found.matches));
      expect(texts).toHaveLength(2);
      expect(texts.every(({ document }) => document.metadata?.third === 1)).toBe(true);
    });

    test('counts the metadata of a memory and of its documents', async () => {
      await using world = await openWorld(open, { mostListed });
      for (const name of ['Ada', 'Ben', 'Cleo', 'Dana'])
        await tell(world, `${name} drinks tea`, { metadata: { third: 1 } });
      await tell(world, 'Emil drinks tea', { metadata: { third: 2 } });
      await tell(world, 'Fritz drinks tea', { tags: ['b'], metadata: { third: 1 } });
      const drawn = await world.add('Gita drinks tea', { metadata: { third: 1, kind: 'chat' } });
      await readForMemories(world);
      const drinkers = async (scope: Scope, filter: MetadataFilter) =>
        (await statements(world, scope, filter)).map((text) => text.split(' ')[0]);
      expect(await drinkers(only('a'), third)).toEqual(['Ada', 'Ben', 'Cleo', 'Dana', 'Gita']);
      expect(await drinkers(only('b'), third)).toEqual(['Fritz']);
      expect(await drinkers(only('a'), { ...third, negate: true })).toEqual(['Emil']);
      expect(await drinkers(only('a'), { AND: [third, is('kind', 'chat')] })).toEqual(['Gita']);
      await world.store.documents.remove(everything, { by: 'ref', ref: drawn });
      expect(await drinkers(everything, third)).toEqual(['Ada', 'Ben', 'Cleo', 'Dana', 'Fritz']);
    });
  });
};
