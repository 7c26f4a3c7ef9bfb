// Scopes: one shared tag is enough to read, and a change needs all tags.
import { describe, expect, test } from 'vitest';
import { Scope } from '../../../../server/core/scope.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

/** One document for each set of tags, named by its tags. */
const fill = async (world: World): Promise<Map<string, string>> => {
  const ids = new Map<string, string>();
  for (const tags of [['a'], ['b'], ['a', 'b'], ['c']])
    ids.set(tags.join(''), await world.add(`text of ${tags}`, { tags, customId: tags.join('') }));
  await world.index();
  return ids;
};

export const scopesContract = (open: OpenStore): void => {
  describe('scopes', () => {
    test('let a document be read with any of its tags', async () => {
      await using world = await openWorld(open);
      const ids = await fill(world);
      const readable = async (scope: Scope) => {
        const found: string[] = [];
        for (const [name, id] of ids)
          if ((await world.store.documents.find(scope, id)).outcome === 'found') found.push(name);
        expect((await world.list({}, scope)).map((document) => document.customId)).toEqual(found);
        return found;
      };
      expect(await readable(everything)).toEqual(['a', 'b', 'ab', 'c']);
      expect(await readable(only('a'))).toEqual(['a', 'ab']);
      expect(await readable(only('b', 'c'))).toEqual(['b', 'ab', 'c']);
      expect(await readable(only())).toEqual([]);
      expect(await readable(only('nobody', 'a"b', '%'))).toEqual([]);
      expect(await readable(Scope.mint(['b'], ['a', 'b', 'c']))).toEqual(['b', 'ab']);
    });

    test('tell a foreign id from a missing one, but not a foreign customId', async () => {
      await using world = await openWorld(open);
      const ids = await fill(world);
      const { documents } = world.store;
      expect(await documents.find(only('a'), ids.get('b') ?? '')).toEqual({ outcome: 'foreign' });
      expect(await documents.find(only('a'), 'nowhere')).toEqual({ outcome: 'missing' });
      expect(await documents.find(only('a'), 'b')).toEqual({ outcome: 'missing' });
      expect(await documents.update(only('a'), ids.get('b') ?? '', {})).toEqual({ outcome: 'foreign' });
      expect(await documents.update(only('a'), 'b', {})).toEqual({ outcome: 'missing' });
    });

    test('show the id of a deleted document as missing to everybody', async () => {
      await using world = await openWorld(open);
      const ids = await fill(world);
      const b = ids.get('b') ?? '';
      await world.store.documents.remove(everything, { by: 'ref', ref: b });
      for (const scope of [everything, only('a'), only('b')])
        expect(await world.store.documents.find(scope, b)).toEqual({ outcome: 'missing' });
    });

    test('let a document be changed and deleted only with all of its tags', async () => {
      await using world = await openWorld(open);
      const ids = await fill(world);
      const id = ids.get('ab') ?? '';
      const before = await world.get(id);
      const { documents } = world.store;
      expect(await documents.update(only('a'), id, { metadata: { x: 1 } })).toEqual({
        outcome: 'forbidden',
        id,
      });
      expect(await documents.remove(only('b'), { by: 'ref', ref: 'ab' })).toMatchObject({
        deleted: [],
        forbidden: [id],
      });
      expect(await world.get(id)).toEqual(before);
      expect(await documents.update(only('a', 'b'), id, {})).toMatchObject({ outcome: 'updated' });
      expect(await documents.remove(only('b', 'a'), { by: 'ref', ref: id })).toMatchObject({ deleted: [id] });
    });

    test('refuse a customId of several visible documents with their ids, and do nothing', async () => {
      await using world = await openWorld(open);
      const ids = [
        await world.add('one', { customId: 'c', tags: ['a'] }),
        await world.add('two', { customId: 'c', tags: ['b'] }),
      ];
      const { documents } = world.store;
      expect(await documents.find(everything, 'c')).toEqual({ outcome: 'ambiguous', ids });
      expect(await documents.update(everything, 'c', { metadata: { x: 1 } })).toEqual({
        outcome: 'ambiguous',
        ids,
      });
      expect(await documents.remove(everything, { by: 'ref', ref: 'c' })).toMatchObject({
        deleted: [],
        ambiguous: ids,
      });
      expect(await documents.find(only('a'), 'c')).toMatchObject({
        outcome: 'found',
        document: { id: ids[0] },
      });
      expect(await world.list()).toHaveLength(2);
    });

    test("prefer an id to another document's customId", async () => {
      await using world = await openWorld(open);
      const id = await world.add('one');
      await world.add('two', { customId: id });
      expect((await world.get(id)).content).toBe('one');
    });

    test('restrict chunks, neighbours and contents', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const { n } = await world.get('b');
      const { documents, search } = world.store;
      expect(await documents.chunks(only('a'), n)).toEqual([]);
      expect(await documents.chunks(only('b'), n)).toMatchObject([{ text: 'text of b' }]);
      const whole = [{ document: n, from: 0, to: 9 }];
      expect(await search.neighbours(only('a'), whole)).toEqual([[]]);
      expect(await search.neighbours(only('b'), whole)).toMatchObject([[{ text: 'text of b' }]]);
      expect(await search.contents(only('a'), [n])).toEqual(new Map());
      expect(await search.contents(only('b'), [n])).toEqual(new Map([[n, 'text of b']]));
    });

    test('accept tags with any characters', async () => {
      await using world = await openWorld(open);
      const names = ['a/b c@d', '日本語', "it's", '"quoted"', 'a,b', '[x]', 'NULL', '\\', 'Ä', 'ä'];
      for (const tag of names) await world.add(`of ${tag}`, { tags: [tag] });
      for (const tag of names)
        expect((await world.list({}, only(tag))).map((document) => document.content)).toEqual([`of ${tag}`]);
    });
  });
};
