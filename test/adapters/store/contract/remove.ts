// Deleting: content is hidden at once and for everybody, before it is erased.
import { describe, expect, test } from 'vitest';
import type { Removal } from '../../../../server/adapters/store/ports/documents.ts';
import { Scope } from '../../../../server/core/scope.ts';
import { readClaim, vectorOf } from './reading.ts';
import { everything, type OpenStore, only, openWorld, submission, WIDE_SHARE, type World } from './world.ts';

const remove = (world: World, target: Removal, scope = everything) =>
  world.store.documents.remove(scope, target);

const left = async (world: World): Promise<string> =>
  (await world.list()).map((document) => document.content).join(' ');

export const removeContract = (open: OpenStore): void => {
  describe('deleting', () => {
    test('removes one document by id or by customId', async () => {
      await using world = await openWorld(open);
      const [one, two] = [await world.add('one'), await world.add('two', { customId: 'c' })];
      await world.add('three');
      expect(await remove(world, { by: 'ref', ref: one })).toEqual({
        deleted: [one],
        missing: [],
        forbidden: [],
        ambiguous: [],
      });
      expect((await remove(world, { by: 'ref', ref: 'c' })).deleted).toEqual([two]);
      expect(await remove(world, { by: 'ref', ref: one })).toMatchObject({ deleted: [], missing: [one] });
      expect(await left(world)).toBe('three');
    });

    test('removes several by ids, with an answer for each', async () => {
      await using world = await openWorld(open);
      const mine = await world.add('mine', { tags: ['a'], customId: 'm' });
      const shared = await world.add('shared', { tags: ['a', 'b'] });
      const foreign = await world.add('foreign', { tags: ['b'] });
      const [x, y] = [
        await world.add('x', { tags: ['a'], customId: 'two' }),
        await world.add('y', { tags: ['a', 'c'], customId: 'two' }),
      ];
      const ids = ['m', mine, 'nowhere', shared, foreign, 'two'];
      const removed = await remove(world, { by: 'ids', ids }, Scope.mint(['a', 'c'], ['a', 'c']));
      expect(removed).toEqual({
        deleted: [mine],
        missing: [mine, 'nowhere'],
        forbidden: [shared, foreign],
        ambiguous: ['two'],
      });
      expect([x, y].length).toBe(2);
      expect(await left(world)).toBe('shared foreign x y');
    });

    test('by tags removes everything with one of them that the caller may delete', async () => {
      await using world = await openWorld(open);
      for (const tags of [['a'], ['a', 'b'], ['b'], ['c'], ['a', 'c']])
        await world.add(tags.join(''), { tags });
      const held = Scope.mint(['a', 'b'], ['a', 'b']);
      expect((await remove(world, { by: 'tags', tags: ['a'] }, held)).deleted).toHaveLength(2);
      expect(await left(world)).toBe('b c ac');
      expect((await remove(world, { by: 'tags', tags: ['a', 'c'] })).deleted).toHaveLength(2);
      expect((await remove(world, { by: 'tags', tags: ['nobody'] })).deleted).toEqual([]);
      expect(await left(world)).toBe('b');
    });

    test('by path, exactly or below, removes everything that the caller may delete', async () => {
      await using world = await openWorld(open);
      for (const filepath of ['/a', '/a/b', '/a/c/d', '/ab'])
        await world.add(filepath, { filepath, tags: ['a'] });
      await world.add('foreign', { filepath: '/a/b', tags: ['b'] });
      const of = (filepath: string) => remove(world, { by: 'filepath', filepath }, only('a'));
      expect((await of('/a')).deleted).toHaveLength(1);
      expect((await of('/a/')).deleted).toHaveLength(2);
      expect(await left(world)).toBe('/ab foreign');
    });

    test('by tag removes thousands in one call', async () => {
      await using world = await openWorld(open);
      const items = Array.from({ length: 4100 }, (_, at) => submission(`text ${at}`));
      await world.store.documents.submit(everything, items);
      const kept = await world.add('kept', { tags: ['b'] });
      const removed = await remove(world, { by: 'tags', tags: ['a'] });
      expect(new Set(removed.deleted).size).toBe(4100);
      expect((await world.list()).map(({ id }) => id)).toEqual([kept]);
    });

    test('hides a document from every read and every search at once', async () => {
      await using world = await openWorld(open);
      const id = await world.add('zebra', { customId: 'c' });
      await world.add('zebra crossing');
      await world.index();
      const { n } = await world.get(id);
      const { documents, search } = world.store;
      const chunks = await documents.chunks(everything, n);
      await remove(world, { by: 'ref', ref: id });
      for (const scope of [everything, only('a')]) {
        expect(await documents.find(scope, id)).toEqual({ outcome: 'missing' });
        expect(await documents.find(scope, 'c')).toEqual({ outcome: 'missing' });
        expect(await world.chosen({}, scope)).toEqual(['zebra crossing']);
        expect(await documents.chunks(scope, n)).toEqual([]);
        expect(await search.contents(scope, [n])).toEqual(new Map());
        for (const aside of [false, true]) {
          const words = await search.keyword(scope, {}, ['zebra'], { aside, limit: 10 });
          expect(words.matches.map((match) => match.document)).not.toContain(n);
          expect(words.matches).toHaveLength(1);
          const request = { space: world.space, vector: vectorOf('zebra'), limit: 10, aside };
          expect(await search.scan(scope, {}, request)).toHaveLength(1);
        }
        const ns = chunks.map((chunk) => chunk.n);
        const request = { space: world.space, vector: vectorOf('zebra'), limit: 10, candidates: ns };
        expect((await search.compare(scope, {}, request)).map((match) => match.n)).not.toContain(ns[0]);
        expect(await search.passages(scope, {}, ns)).toEqual([]);
      }
    });

    test('of a document that is being processed is final', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text');
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      await remove(world, { by: 'ref', ref: id });
      expect(await world.ingest.commit([readClaim(claim)], [])).toBe(0);
      await world.ingest.report([{ claim, step: 'embedding' }]);
      await world.ingest.retryLater(claim, { code: 'x', message: 'X.', retryable: true }, 0);
      await world.ingest.fail(claim, { code: 'x', message: 'X.', retryable: true });
      await world.ingest.release([claim]);
      expect(await world.store.documents.find(everything, id)).toEqual({ outcome: 'missing' });
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
    });
  });
};
