// Changing stored documents.
import { describe, expect, test } from 'vitest';
import type { Patch } from '../../../../server/adapters/store/ports/documents.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { FLOAT_SPACE, SPACE, vectorOf } from './reading.ts';
import { prepared } from './telling.ts';
import { contentPatch, everything, type OpenStore, only, openWorld, WIDE_SHARE } from './world.ts';

export const updateContract = (open: OpenStore): void => {
  describe('changing', () => {
    test('metadata is merged in place, without indexing, and applies at once', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text', { metadata: { kept: 1, changed: 'old' }, customId: 'c' });
      await world.index();
      const before = await world.get(id);
      const chunks = await world.store.documents.chunks(everything, before.n);
      world.clock.pass(5);
      expect(await world.patch('c', { metadata: { changed: 7, added: true } })).toBe('done');
      expect(await world.get(id)).toEqual({
        ...before,
        metadata: { kept: 1, changed: 7, added: true },
        updatedAt: world.clock.now(),
      });
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
      expect(await world.store.documents.chunks(everything, before.n)).toEqual(chunks);
      const found = (value: string) =>
        world.chosen({
          filter: {
            AND: [
              {
                ...{ key: 'changed', value, filterType: 'metadata', numericOperator: '=' },
                ...{ negate: false, ignoreCase: false },
              },
            ],
          },
        });
      expect(await found('7')).toEqual(['text']);
      expect(await found('old')).toEqual([]);
    });

    test('new content replaces all of it, is readable at once, and is processed', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one\n\ntwo', { customId: 'c' });
      await world.index();
      expect(await world.patch(id, { ...contentPatch('two\n\nthree'), url: null })).toBe('queued');
      expect(await world.get(id)).toMatchObject({ content: 'two\n\nthree', step: 'queued', chunks: 2 });
      await world.index();
      const { n, content } = await world.get(id);
      expect(content).toBe('two\n\nthree');
      expect((await world.store.documents.chunks(everything, n)).map(({ text }) => text)).toEqual([
        'two',
        'three',
      ]);
    });

    test('each new content and each move makes the next revision, and no other change does', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one');
      const revisionAfter = async (patch: Patch) => {
        await world.index();
        await world.patch(id, patch);
        return (await world.get(id)).revision;
      };
      expect((await world.get(id)).revision).toBe(1);
      expect(await revisionAfter(contentPatch('two'))).toBe(2);
      expect(await revisionAfter({ metadata: { kind: 'x' } })).toBe(2);
      expect(await revisionAfter({ tags: ['b'] })).toBe(3);
      expect(await revisionAfter({ ...contentPatch('three'), tags: ['c'] })).toBe(4);
    });

    test('new content takes precedence over text that waited to be merged', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      await world.index();
      await world.add('two', { customId: 'c' });
      await world.patch(id, contentPatch('three'));
      await world.add('four', { customId: 'c' });
      await world.index();
      expect((await world.get(id)).content).toBe('three\n\nfour');
    });

    test('the stored content again is no change, unless it failed or other text waits to be merged', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      await world.index();
      expect(await world.patch(id, contentPatch('one'))).toBe('done');
      await world.add('two', { customId: 'c' });
      expect(await world.patch(id, contentPatch('one'))).toBe('queued');
      await world.index();
      expect((await world.get(id)).content).toBe('one');
      await world.patch(id, contentPatch('bad'));
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (claim) await world.ingest.fail(claim, { code: 'x', message: 'X.', retryable: true });
      expect(await world.patch(id, contentPatch('bad'))).toBe('queued');
    });

    test('a change that needs no processing answers the step at which the document is', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c', dreaming: 'instant' });
      const change = { metadata: { x: 1 } };
      expect(await world.patch(id, change)).toBe('queued');
      expect(await world.patch(id, contentPatch('one'))).toBe('queued');
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      expect(await world.patch(id, change)).toBe('extracting');
      expect(await world.patch(id, contentPatch('one'))).toBe('extracting');
      await world.ingest.fail(claim, { code: 'x', message: 'X.', retryable: true });
      expect(await world.patch(id, change)).toBe('failed');
      await world.add('one', { customId: 'c', dreaming: 'instant' });
      await world.index();
      // Its memories are awaited.
      expect(await world.patch(id, change)).toBe('embedding');
    });

    test('new tags change the readers at once, and the document is indexed under new numbers', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text', { tags: ['a'] });
      await world.index();
      expect(await world.patch(id, { tags: ['b', 'c'] })).toBe('queued');
      expect(await world.store.documents.find(only('a'), id)).toEqual({ outcome: 'foreign' });
      expect(await world.get(id, only('c'))).toMatchObject({ tags: ['b', 'c'] });
      await world.index();
      expect(await world.get(id, only('b'))).toMatchObject({ step: 'done', chunks: 1 });
      expect(await world.patch(id, { tags: ['c', 'b'] })).toBe('done');
      expect(await world.get(id)).toMatchObject({ tags: ['c', 'b'], step: 'done' });
    });

    test('a moved document is not found by readers of its former tags, even before it is indexed again', async () => {
      await using world = await openWorld(open);
      const id = await world.add('zebra', { tags: ['a'] });
      await world.add('zebra too', { tags: ['a'] });
      await world.index();
      const { n } = await world.get(id);
      await world.patch(id, { tags: ['b'] });
      const request = { space: world.space, vector: vectorOf('zebra'), limit: 9 };
      for (const aside of [false, true]) {
        const words = await world.store.search.keyword(only('a'), {}, ['zebra'], { aside, limit: 9 });
        expect(words.matches.map((match) => match.document)).not.toContain(n);
        expect(await world.store.search.scan(only('a'), {}, { ...request, aside })).toHaveLength(1);
        const [best] = await world.store.search.scan(only('b'), {}, { ...request, aside });
        expect(best?.cosine).toBeGreaterThan(0.99);
      }
    });

    test('a moved document takes the vectors of its memories along, and nothing of them stays under the former numbers', async () => {
      await using world = await openWorld(open);
      const { id: exact } = await world.store.spaces.create({
        ...{ embedder: 'paid', model: 'm', dimensions: FLOAT_SPACE.dimensions },
        ...{ state: 'filling', calibration: null },
      });
      const vector = vectorOf('zebra');
      const vectors = new Map([world.space, exact].map((space) => [space, vector]));
      const { documentId } = await world.store.memories.create(
        everything,
        { tags: ['a'], documentId: newId(), memories: [prepared(world, 'zebra', { vectors })] },
        [
          { id: world.space, ...SPACE },
          { id: exact, ...FLOAT_SPACE },
        ],
      );
      const numbers = () => world.rows('select n from memories');
      const [former] = await numbers();
      await world.patch(documentId, { tags: ['b'] });
      const [moved] = await numbers();
      expect(moved).not.toEqual(former);
      expect(await world.rows('select space, n from exact_vectors')).toEqual([{ space: exact, ...moved }]);
      for (const space of [world.space, exact]) expect(await world.vectors(space)).toEqual([moved?.n]);
      const read = await world.ingest.vectorsOf({ id: exact, ...FLOAT_SPACE }, [Number(moved?.n)]);
      expect([...read.values()]).toEqual([vector]);
    });

    test('a customId that another document has under these tags is refused with that document, and nothing changes', async () => {
      await using world = await openWorld(open);
      const holder = await world.add('holder', { customId: 'c', tags: ['a'] });
      const id = await world.add('other', { tags: ['a'], metadata: { x: 1 } });
      const elsewhere = await world.add('elsewhere', { customId: 'c', tags: ['b'] });
      const { documents } = world.store;
      const patch = { customId: 'c', metadata: { x: 2 } };
      expect(await documents.update(everything, id, patch)).toEqual({ outcome: 'taken', id: holder });
      expect(await documents.update(everything, elsewhere, { tags: ['a'] })).toEqual({
        outcome: 'taken',
        id: holder,
      });
      expect(await world.get(id)).toMatchObject({ customId: null, metadata: { x: 1 } });
      expect(await world.get(elsewhere)).toMatchObject({ tags: ['b'] });
      expect(await world.patch(holder, { customId: 'c' })).toBe('queued');
      await documents.remove(everything, { by: 'ref', ref: holder });
      expect(await world.patch(id, patch)).toBe('queued');
      expect(await world.get(id)).toMatchObject({ customId: 'c', metadata: { x: 2 } });
    });

    test('task type, path and the memories that serve as context can be changed', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text', { filepath: '/old' });
      expect(await world.patch(id, { taskType: 'superrag', filepath: '/new' })).toBe('queued');
      expect(await world.get(id)).toMatchObject({ taskType: 'superrag', filepath: '/new', step: 'queued' });
      expect(await world.chosen({ filepath: '/old' })).toEqual([]);
      expect(await world.chosen({ filepath: '/new' })).toEqual(['text']);
      const filter = () => world.rows('select context_filter as filter from documents');
      expect(await filter()).toEqual([{ filter: null }]);
      await world.patch(id, { contextFilter: { kind: 'x' } });
      expect(await filter()).toEqual([{ filter: '{"kind":"x"}' }]);
      await world.patch(id, { filepath: '/newer' });
      expect(await filter()).toEqual([{ filter: '{"kind":"x"}' }]);
    });

    test('a change of a missing document is refused as missing', async () => {
      await using world = await openWorld(open);
      expect(await world.store.documents.update(everything, 'nowhere', {})).toEqual({ outcome: 'missing' });
    });
  });
};
