// Memories that are stated directly: found, revised, forgotten, listed.
import { describe, expect, test } from 'vitest';
import type { MetadataFilter } from '../../../../server/adapters/store/ports/filters.ts';
import { Scope } from '../../../../server/core/scope.ts';
import { listed, live, prepared, present, revise, revised, tell, tellAll } from './telling.ts';
import { everything, type OpenStore, only, openWorld } from './world.ts';

const HOUR = 3_600_000;

const is = (key: string, value: string): MetadataFilter => ({
  AND: [{ key, value, filterType: 'metadata', numericOperator: '=', negate: false, ignoreCase: false }],
});

const statingContract = (open: OpenStore): void => {
  describe('stating memories', () => {
    test('makes a light document as their source, and they are available at once', async () => {
      await using world = await openWorld(open);
      const { documentId, memories } = await tellAll(world, [
        prepared(world, 'Ada lives in Lyon', { isStatic: true, metadata: { kind: 'home' } }),
        prepared(world, 'Ada drinks tea', { documentDate: 5, eventDates: [7, 9] }),
      ]);
      expect(memories).toMatchObject([
        { memory: 'Ada lives in Lyon', isStatic: true, metadata: { kind: 'home' }, version: 1, tags: ['a'] },
        { memory: 'Ada drinks tea', documentDate: 5, eventDates: [7, 9], parentId: null, rootId: null },
      ]);
      expect(await listed(world)).toMatchObject(
        memories.map((memory) => ({ ...memory, documentIds: [documentId], history: [], relations: [] })),
      );
      expect(await world.get(documentId)).toMatchObject({
        ...{ content: 'Ada lives in Lyon\nAda drinks tea', source: 'memories', chunks: 0 },
        ...{ step: 'done', memoryState: 'done', memoryFailure: null, tags: ['a'] },
      });
      expect(await world.index()).toBe(0);
    });

    test('adds a source and no row for a repeated statement, which lasts as long as either needs it', async () => {
      await using world = await openWorld(open);
      const until = world.clock.now() + HOUR;
      const first = await tell(world, 'Ada drinks tea.', {
        ...{ forgetAfter: until, forgetReason: 'a visit', metadata: { a: 1, b: 1 } },
      });
      const again = await tell(world, 'ada drinks  tea', { isStatic: true, metadata: { b: 2, c: 3 } });
      expect(again).toMatchObject({
        ...{ id: first.id, memory: 'Ada drinks tea.', sourceCount: 2, isStatic: true },
        ...{ forgetAfter: null, forgetReason: null, metadata: { a: 1, b: 2, c: 3 } },
      });
      const filtered = async (key: string, value: string) =>
        (await listed(world, { filter: is(key, value) })).length;
      expect([await filtered('a', '1'), await filtered('b', '1'), await filtered('b', '2')]).toEqual([
        1, 0, 1,
      ]);
      await tell(world, 'Ada drinks tea', { forgetAfter: until });
      world.clock.pass(2 * HOUR);
      expect(await live(world)).toEqual(['Ada drinks tea.']);
    });

    test('stores a statement once when it is repeated in one request', async () => {
      await using world = await openWorld(open);
      const { memories } = await tellAll(world, [
        prepared(world, 'Tea', { metadata: { a: 1 } }),
        prepared(world, 'tea', { metadata: { b: 2 } }),
      ]);
      expect(new Set(memories.map(({ id }) => id)).size).toBe(1);
      expect(memories[1]).toMatchObject({ metadata: { a: 1, b: 2 }, sourceCount: 1 });
    });

    test('shows them as a document with the first statement as its title, however short', async () => {
      await using world = await openWorld(open);
      const stated = ['Tea helps.', 'Ada drinks black tea in the garden.'];
      const { documentId } = await tellAll(
        world,
        stated.map((memory) => prepared(world, memory)),
      );
      expect(await world.store.documents.find(everything, documentId)).toMatchObject({
        document: { title: 'Tea helps', summary: stated.join(' ') },
      });
    });

    test('makes another memory under other tags, or after it was forgotten', async () => {
      await using world = await openWorld(open);
      const first = await tell(world, 'Tea');
      const other = await tell(world, 'Tea', { tags: ['a', 'b'] });
      await world.store.memories.forget(everything, [first.id], { reason: null, batch: null });
      const third = await tell(world, 'Tea');
      expect(new Set([first.id, other.id, third.id]).size).toBe(3);
    });
  });
};

const findingContract = (open: OpenStore): void => {
  describe('finding one memory', () => {
    test('works by its id or its exact text, under its tags', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      const { id } = await tell(world, 'Ada drinks tea.', { tags: ['a', 'b'] });
      for (const tags of [['a'], ['b'], ['a', 'c']])
        for (const target of [
          { tags, id },
          { tags, content: 'Ada drinks tea.' },
        ])
          expect(await memories.find(everything, target)).toMatchObject({ outcome: 'found', memory: { id } });
      for (const target of [
        { tags: ['c'], id },
        { tags: [], id },
        { tags: ['a'], id: id.slice(1) },
        { tags: ['a'], content: 'Ada drinks tea' },
        { tags: ['a'], content: 'ada drinks tea.' },
        { tags: ['a'] },
      ])
        expect(await memories.find(everything, target)).toEqual({ outcome: 'missing' });
    });

    test('tells a foreign id from a missing one, but not a foreign text', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      const { id } = await tell(world, 'Ada drinks tea.', { tags: ['b'] });
      expect(await memories.find(only('a'), { tags: ['a'], id })).toEqual({ outcome: 'foreign' });
      expect(await memories.find(only('a'), { tags: ['a'], id: 'nobody' })).toEqual({ outcome: 'missing' });
      expect(await memories.find(only('a'), { tags: ['a', 'b'], content: 'Ada drinks tea.' })).toEqual({
        outcome: 'missing',
      });
      expect(await memories.find(only('a', 'b'), { tags: ['a'], id })).toEqual({ outcome: 'missing' });
    });

    test('fails for everybody, at once, when its document is deleted', async () => {
      await using world = await openWorld(open);
      const { documentId, memories } = await tellAll(world, [prepared(world, 'Tea')]);
      await world.store.documents.remove(everything, { by: 'ref', ref: documentId });
      const { id } = present(memories[0]);
      for (const scope of [everything, only('a'), only('b')])
        expect(await world.store.memories.find(scope, { tags: ['a'], id })).toEqual({ outcome: 'missing' });
      expect(await listed(world)).toEqual([]);
    });

    test('by a text that was forgotten and stated again finds the live one', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      const old = await tell(world, 'Tea');
      await memories.forget(everything, [old.id], { reason: null, batch: null });
      const target = { tags: ['a'], content: 'Tea' };
      expect(await memories.find(everything, target)).toMatchObject({
        memory: { id: old.id, isForgotten: true },
      });
      const { id } = await tell(world, 'Tea');
      expect(await memories.find(everything, target)).toMatchObject({ memory: { id, isForgotten: false } });
    });

    test('by several ids finds the live ones under the tags, in the order of the ids', async () => {
      await using world = await openWorld(open);
      const [one, two, elsewhere, gone] = [
        await tell(world, 'one'),
        await tell(world, 'two'),
        await tell(world, 'three', { tags: ['b'] }),
        await tell(world, 'four', { forgetAfter: world.clock.now() + HOUR }),
      ];
      world.clock.pass(HOUR);
      const ids = [two.id, gone.id, 'nobody', elsewhere.id, one.id, two.id];
      const among = async (tags: string[], scope = everything) =>
        (await world.store.memories.among(scope, { tags, ids })).map(({ memory }) => memory);
      expect(await among(['a'])).toEqual(['two', 'one']);
      expect(await among(['a', 'b'])).toEqual(['two', 'three', 'one']);
      expect(await among(['a', 'b'], only('b'))).toEqual(['three']);
    });
  });
};

const revisingContract = (open: OpenStore): void => {
  describe('revising', () => {
    test('makes a new version that inherits omitted fields', async () => {
      await using world = await openWorld(open);
      const until = world.clock.now() + HOUR;
      const more = {
        metadata: { a: 1 },
        forgetAfter: until,
        forgetReason: 'r',
        documentDate: 5,
        eventDates: [7],
      };
      const first = await tell(world, 'Ada lives in Lyon', more);
      world.clock.pass(1);
      const second = await revised(world, first.id, 'Ada lives in Rome');
      expect(second).toMatchObject({
        ...{ memory: 'Ada lives in Rome', version: 2, parentId: first.id, rootId: first.id, ...more },
        ...{ isLatest: true, sourceCount: 1 },
      });
      const third = await revised(world, second.id, 'Ada lives in Oslo', {
        ...{ metadata: null, forgetAfter: null, forgetReason: 'never', documentDate: null, eventDates: [] },
      });
      expect(third).toMatchObject({
        ...{ version: 3, parentId: second.id, rootId: first.id, metadata: null, forgetAfter: null },
        ...{ forgetReason: null, documentDate: null, eventDates: [] },
      });
      const [entry, ...others] = await listed(world);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ id: third.id, relations: [{ id: second.id, kind: 'updates' }] });
      expect(entry?.history.map(({ version, isLatest }) => [version, isLatest])).toEqual([
        [2, false],
        [1, false],
      ]);
      expect(await live(world)).toEqual(['Ada lives in Oslo']);
    });

    test('is possible for the latest version alone, and for one of several calls at the same time', async () => {
      await using world = await openWorld(open);
      const { id } = await tell(world, 'one');
      const answers = await Promise.all(['two', 'three', 'four'].map((text) => revise(world, id, text)));
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['revised', 'superseded', 'superseded']);
      expect(await live(world)).toHaveLength(1);
      const found = await world.store.memories.find(everything, { tags: ['a'], id });
      expect(found).toMatchObject({ outcome: 'found', memory: { isLatest: false } });
      expect(found.outcome === 'found' && found.latest).not.toBe(id);
    });

    test('does not revive a forgotten memory, but revives an expired one with another date', async () => {
      await using world = await openWorld(open);
      const forgotten = await tell(world, 'one');
      await world.store.memories.forget(everything, [forgotten.id], { reason: null, batch: null });
      expect(await revise(world, forgotten.id, 'two', { forgetAfter: null })).toEqual({
        outcome: 'forgotten',
      });
      const expired = await tell(world, 'three', { forgetAfter: world.clock.now() });
      expect(await revise(world, expired.id, 'four')).toEqual({ outcome: 'forgotten' });
      await revised(world, expired.id, 'five', { forgetAfter: world.clock.now() + HOUR });
      expect(await live(world)).toEqual(['five']);
    });

    test('needs all tags of the memory', async () => {
      await using world = await openWorld(open);
      const { id } = await tell(world, 'one', { tags: ['a', 'b'] });
      for (const scope of [only('a'), only('c'), Scope.mint(['a', 'b'], ['b'])])
        expect(await revise(world, id, 'two', {}, scope)).toEqual({ outcome: 'missing' });
      expect(await revise(world, 'nobody', 'two')).toEqual({ outcome: 'missing' });
      expect(await revise(world, id, 'two', {}, only('a', 'b'))).toMatchObject({ outcome: 'revised' });
    });
  });
};

const forgettingContract = (open: OpenStore): void => {
  describe('forgetting', () => {
    test('is soft: the memory is marked in lists, not live any more, and forgotten once', async () => {
      await using world = await openWorld(open);
      const ids = [(await tell(world, 'one')).id, (await tell(world, 'two')).id];
      const kept = await tell(world, 'three');
      const request = { reason: 'because', batch: 'batch' };
      const { memories } = world.store;
      expect((await memories.forget(everything, [...ids, 'nobody'], request)).sort()).toEqual(ids.sort());
      expect(await memories.forget(everything, ids, request)).toEqual([]);
      expect(await live(world)).toEqual([kept.memory]);
      expect(await listed(world, { forgotten: false })).toMatchObject([{ memory: 'three' }]);
      expect(await listed(world)).toMatchObject([
        { isForgotten: true, forgetReason: 'because' },
        { isForgotten: true, forgetReason: 'because' },
        { isForgotten: false, forgetReason: null },
      ]);
      expect(await world.rows("select id from memories where forget_batch = 'batch'")).toHaveLength(2);
    });

    test('needs all tags of a memory, and the latest version', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      const request = { reason: null, batch: null };
      const { id } = await tell(world, 'one', { tags: ['a', 'b'] });
      for (const scope of [only('a'), only('c')])
        expect(await memories.forget(scope, [id], request)).toEqual([]);
      const next = await revised(world, id, 'two');
      expect(await memories.forget(everything, [id], request)).toEqual([]);
      expect(await memories.forget(only('b', 'a'), [next.id], request)).toEqual([next.id]);
    });

    test('happens by itself at its time, at the moment of the query', async () => {
      await using world = await openWorld(open);
      const { id } = await tell(world, 'one', { forgetAfter: world.clock.now() + HOUR });
      const { memories, search } = world.store;
      const restriction = { units: 'memories' } as const;
      const numbers = async () => ({
        live: await live(world),
        shown: (await listed(world)).map(({ isForgotten }) => isForgotten),
        forgotten: await memories.forget(everything, [], { reason: null, batch: null }),
        read: (await memories.memories(everything, restriction, [present((await listed(world))[0]).n]))
          .length,
        among: (await memories.among(everything, { tags: ['a'], ids: [id] })).length,
      });
      world.clock.pass(HOUR - 1);
      expect(await numbers()).toEqual({ live: ['one'], shown: [false], forgotten: [], read: 1, among: 1 });
      world.clock.pass(1);
      expect(await numbers()).toEqual({ live: [], shown: [true], forgotten: [], read: 0, among: 0 });
      expect((await search.extent(everything, { ...restriction, forgotten: true }, 10)).chunks).toBe(1);
    });
  });
};

const listingContract = (open: OpenStore): void => {
  describe('listing', () => {
    test('returns page after page, in either order, by either time', async () => {
      await using world = await openWorld(open);
      const told = [];
      for (const text of ['one', 'two', 'three', 'four']) {
        told.push(await tell(world, text));
        world.clock.pass(1);
      }
      await world.store.memories.forget(everything, [present(told[1]).id], { reason: null, batch: null });
      const texts = async (query: Parameters<typeof listed>[1]) =>
        (await listed(world, query)).map(({ memory }) => memory);
      expect(await texts({ limit: 2 })).toEqual(['one', 'two']);
      expect(await texts({ limit: 2, offset: 2 })).toEqual(['three', 'four']);
      expect(await texts({ order: 'desc' })).toEqual(['four', 'three', 'two', 'one']);
      expect(await texts({ sort: 'updatedAt', order: 'desc', limit: 1 })).toEqual(['two']);
      const page = await world.store.memories.list(everything, {
        ...{ forgotten: false, sort: 'createdAt', order: 'asc', limit: 1, offset: 1 },
      });
      expect(page).toMatchObject({ total: 3, memories: [{ memory: 'three' }] });
    });

    test('shows memories within the scope, by kind and by metadata', async () => {
      await using world = await openWorld(open);
      await tell(world, 'one', { tags: ['a'], isStatic: true, metadata: { kind: 'x' } });
      await tell(world, 'two', { tags: ['a', 'b'], isInference: true });
      await tell(world, 'three', { tags: ['b'], metadata: { kind: 'x' } });
      const texts = async (query: Parameters<typeof listed>[1], scope = everything) =>
        (await listed(world, query, scope)).map(({ memory }) => memory);
      expect(await texts({}, only('a'))).toEqual(['one', 'two']);
      expect(await texts({}, only('b'))).toEqual(['two', 'three']);
      expect(await texts({}, only('c'))).toEqual([]);
      expect(await texts({ filter: is('kind', 'x') })).toEqual(['one', 'three']);
      expect(await texts({ filter: is('kind', 'x') }, only('b'))).toEqual(['three']);
      expect(await texts({ isStatic: true })).toEqual(['one']);
      expect(await texts({ isInference: true })).toEqual(['two']);
    });
  });
};

export const memoriesContract = (open: OpenStore): void => {
  statingContract(open);
  findingContract(open);
  revisingContract(open);
  forgettingContract(open);
  listingContract(open);
};
