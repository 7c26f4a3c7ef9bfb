// Lists: pages without gaps, and filters.
import { describe, expect, test } from 'vitest';
import type { ChunkListQuery, ListQuery } from '../../../../server/adapters/store/ports/documents.ts';
import type { Condition, MetadataFilter } from '../../../../server/adapters/store/ports/filters.ts';
import type { Metadata } from '../../../../server/adapters/store/ports/metadata.ts';
import { everything, type OpenStore, only, openWorld, WIDE_SHARE, type World } from './world.ts';

const where = (key: string, value: string, more: Partial<Condition> = {}): Condition => ({
  key,
  value,
  filterType: 'metadata',
  numericOperator: '=',
  negate: false,
  ignoreCase: false,
  ...more,
});

const described: readonly (Metadata | null)[] = [
  { name: 'Ada', n: 5, on: true },
  { name: 'ada', n: 5.0001, on: false },
  { name: 'Ädà', n: -7, path: '50% of_all\\' },
  { name: '5', n: 1e21, path: '50x ofyall' },
  { other: 'x' },
  null,
];

/** Named by their place in `described`. */
const fill = async (world: World): Promise<void> => {
  for (const [at, metadata] of described.entries()) await world.add(String(at), { metadata });
};

const matches = async (world: World, ...conditions: MetadataFilter[]): Promise<string> =>
  (await world.chosen({ filter: { AND: conditions } })).join('');

export const listContract = (open: OpenStore): void => {
  describe('lists', () => {
    test('return every document once over their pages, ties included, in both directions', async () => {
      await using world = await openWorld(open);
      const ids: string[] = [];
      for (let at = 0; at < 23; at++) {
        if (at % 5 === 0) world.clock.pass(1);
        ids.push(await world.add(`text ${at}`));
      }
      const walk = async (sort: ListQuery['sort'], order: ListQuery['order']) => {
        const met: string[] = [];
        for (let offset = 0; offset < 30; offset += 4) {
          const query = { sort, order, limit: 4, offset, content: false };
          const page = await world.store.documents.list(everything, query);
          expect(page.total).toBe(23);
          met.push(...page.documents.map((document) => document.id));
        }
        return met;
      };
      expect(await walk('createdAt', 'asc')).toEqual(ids);
      expect(await walk('createdAt', 'desc')).toEqual(ids.toReversed());
      expect(await walk('updatedAt', 'asc')).toEqual(ids);
    });

    test('can be sorted by change, with the latest change last', async () => {
      await using world = await openWorld(open);
      const [first, second] = [await world.add('one'), await world.add('two')];
      world.clock.pass(10);
      await world.patch(first, { metadata: { x: 1 } });
      expect((await world.list({ sort: 'updatedAt' })).map(({ id }) => id)).toEqual([second, first]);
      expect((await world.list({ sort: 'createdAt' })).map(({ id }) => id)).toEqual([first, second]);
    });

    test('contain the text only on request', async () => {
      await using world = await openWorld(open);
      await world.add('long text');
      expect((await world.list({ content: false }))[0]?.content).toBeNull();
      expect((await world.list({ content: true }))[0]?.content).toBe('long text');
    });

    test('can be restricted by step', async () => {
      await using world = await openWorld(open);
      await world.add('done');
      await world.index();
      await world.add('taken');
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      await world.add('waits');
      const steps = async (...steps: ListQuery['steps'] & object) =>
        (await world.list({ steps })).map((document) => document.content);
      expect(await steps('done')).toEqual(['done']);
      expect(await steps('queued')).toEqual(['waits']);
      expect(await steps('extracting', 'done')).toEqual(['done', 'taken']);
      expect(await steps('failed')).toEqual([]);
      if (claim) await world.ingest.fail(claim, { code: 'x', message: 'X.', retryable: true });
      expect(await steps('failed')).toEqual(['taken']);
    });

    test('of chunks hold those of every document in the scope, in the order asked for, page by page', async () => {
      await using world = await openWorld(open);
      const [first, second] = [
        await world.add('one\n\ntwo', { tags: ['a'], metadata: { x: 1 } }),
        await world.add('three', { tags: ['a'] }),
      ];
      await world.add('four', { tags: ['b'] });
      await world.index();
      world.clock.pass(10);
      await world.patch(first, { metadata: { y: 1 } });
      const listed = async (query: Partial<ChunkListQuery> = {}) => {
        const usual = { sort: 'createdAt', order: 'asc', limit: 10, offset: 0 } as const;
        const { chunks, total } = await world.store.documents.listChunks(only('a'), { ...usual, ...query });
        return [total, ...chunks.map(({ text }) => text)];
      };
      expect(await listed()).toEqual([3, 'one', 'two', 'three']);
      expect(await listed({ order: 'desc', limit: 1, offset: 1 })).toEqual([3, 'two']);
      expect(await listed({ sort: 'updatedAt' })).toEqual([3, 'three', 'one', 'two']);
      expect(await listed({ sort: 'position' })).toEqual([3, 'one', 'three', 'two']);
      expect(await listed({ filter: { AND: [where('x', '1')] } })).toEqual([2, 'one', 'two']);
      const { chunks } = await world.store.documents.listChunks(only('a'), {
        ...{ sort: 'createdAt', order: 'asc', limit: 10, offset: 0 },
      });
      expect(chunks.map(({ documentId }) => documentId)).toEqual([first, first, second]);
    });

    test('accept several tags, any of them as the scope, all of them as a restriction', async () => {
      await using world = await openWorld(open);
      for (const tags of [['a'], ['b'], ['b', 'a'], ['a', 'b', 'c'], ['c']])
        await world.add(tags.join(''), { tags });
      expect(await world.chosen({}, only('a', 'b'))).toEqual(['a', 'b', 'ba', 'abc']);
      expect(await world.chosen({ allTags: ['a', 'b'] }, only('a', 'b'))).toEqual(['ba', 'abc']);
      expect(await world.chosen({ allTags: ['b', 'a', 'b'] })).toEqual(['ba', 'abc']);
      expect(await world.chosen({ allTags: ['a', 'nobody'] })).toEqual([]);
    });

    test('can be restricted by id or customId', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      await world.add('two');
      expect(await world.chosen({ document: id })).toEqual(['one']);
      expect(await world.chosen({ document: 'c' })).toEqual(['one']);
      expect(await world.chosen({ document: 'c' }, only('b'))).toEqual([]);
    });

    test('can be restricted by path, exactly, or to everything below when it ends with a slash', async () => {
      await using world = await openWorld(open);
      for (const filepath of ['/a', '/a/', '/a/b', '/a/b/ü', '/ab', '/A/b', '/a%b', null])
        await world.add(String(filepath), { filepath });
      expect(await world.chosen({ filepath: '/a' })).toEqual(['/a']);
      expect(await world.chosen({ filepath: '/a/' })).toEqual(['/a/', '/a/b', '/a/b/ü']);
      expect(await world.chosen({ filepath: '/a/b/ü' })).toEqual(['/a/b/ü']);
      expect(await world.chosen({ filepath: '/' })).toHaveLength(7);
      expect(await world.chosen({ filepath: '/a%/' })).toEqual([]);
    });
  });

  describe('filters', () => {
    test('compare a text letter by letter, a number by its value, a boolean by its word', async () => {
      await using world = await openWorld(open);
      await fill(world);
      expect(await matches(world, where('name', 'Ada'))).toBe('0');
      expect(await matches(world, where('name', 'ADA'))).toBe('');
      expect(await matches(world, where('Name', 'Ada'))).toBe('');
      expect(await matches(world, where('n', '5'))).toBe('0');
      expect(await matches(world, where('n', '5.0'))).toBe('0');
      expect(await matches(world, where('n', ' '))).toBe('');
      expect(await matches(world, where('n', '1000000000000000000000'))).toBe('3');
      expect(await matches(world, where('name', '5'))).toBe('3');
      expect(await matches(world, where('name', '5.0'))).toBe('');
      expect(await matches(world, where('on', 'true'))).toBe('0');
      expect(await matches(world, where('on', '1'))).toBe('');
      expect(await matches(world, where('name', 'Ada', { filterType: 'array_contains' }))).toBe('0');
    });

    test('can ignore case, beyond ASCII too', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const ignoreCase = true;
      expect(await matches(world, where('name', 'ADA', { ignoreCase }))).toBe('01');
      expect(await matches(world, where('name', 'äDÀ', { ignoreCase }))).toBe('2');
      expect(await matches(world, where('name', 'a\u0308da\u0300', { ignoreCase }))).toBe('2');
      expect(await matches(world, where('name', 'DÀ', { ignoreCase, filterType: 'string_contains' }))).toBe(
        '2',
      );
    });

    test('find a part of a value, with % and _ and \\ as plain characters', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const holds = (value: string) =>
        matches(world, where('path', value, { filterType: 'string_contains' }));
      expect(await holds('50')).toBe('23');
      expect(await holds('50%')).toBe('2');
      expect(await holds('of_all')).toBe('2');
      expect(await holds('all\\')).toBe('2');
      expect(await holds('OF')).toBe('');
      expect(await holds('')).toBe('23');
      expect(await matches(world, where('name', 'da', { filterType: 'string_contains' }))).toBe('01');
    });

    test('compare numbers as numbers', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const number = (numericOperator: Condition['numericOperator'], value: string) =>
        matches(world, where('n', value, { filterType: 'numeric', numericOperator }));
      expect(await number('=', '5.0')).toBe('0');
      expect(await number('>', '5')).toBe('13');
      expect(await number('>=', '5')).toBe('013');
      expect(await number('<', '5')).toBe('2');
      expect(await number('<=', '5e0')).toBe('02');
      expect(await number('>', '-8')).toBe('0123');
      expect(await matches(world, where('name', '5', { filterType: 'numeric' }))).toBe('');
    });

    test('match documents that lack the key when they are negated', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const negate = true;
      expect(await matches(world, where('name', 'Ada', { negate }))).toBe('12345');
      expect(
        await matches(world, where('n', '5', { negate, filterType: 'numeric', numericOperator: '>' })),
      ).toBe('0245');
      expect(await matches(world, where('path', '50', { negate, filterType: 'string_contains' }))).toBe(
        '0145',
      );
      expect(await matches(world, where('nowhere', 'x', { negate }))).toBe('012345');
    });

    test('nest groups of AND and OR', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const [ada, five, x] = [where('name', 'Ada'), where('name', '5'), where('other', 'x')];
      const on = where('on', 'true');
      expect(await matches(world, { OR: [ada, five, x] })).toBe('034');
      expect(await matches(world, ada, on)).toBe('0');
      expect(await matches(world, five, on)).toBe('');
      expect(await matches(world, { OR: [{ AND: [ada, on] }, { AND: [five, on] }, x] })).toBe('04');
      expect(await matches(world, { OR: [ada, x] }, { ...ada, negate: true })).toBe('4');
    });

    test('accept two hundred conditions, eight levels deep, with long values', async () => {
      await using world = await openWorld(open);
      await fill(world);
      const many = Array.from({ length: 199 }, (_, at) =>
        where('name', `${at} ${'long '.repeat(800)}`, { filterType: 'string_contains' }),
      );
      let tree: MetadataFilter = { OR: [...many, where('name', 'Ada')] };
      for (let level = 0; level < 7; level++) tree = level % 2 ? { OR: [tree] } : { AND: [tree] };
      expect(await world.chosen({ filter: tree })).toEqual(['0']);
    });

    test('see nothing outside the scope, and give the same results inside it', async () => {
      await using world = await openWorld(open);
      await world.add('mine', { tags: ['a'], metadata: { k: 'v' } });
      await world.add('shared', { tags: ['b', 'a'], metadata: { k: 'v' } });
      await world.add('foreign', { tags: ['b'], metadata: { k: 'v' } });
      const filter = { AND: [where('k', 'v')] };
      expect(await world.chosen({ filter }, only('a'))).toEqual(['mine', 'shared']);
      expect(await world.chosen({ filter }, only('b'))).toEqual(['shared', 'foreign']);
      const negated = { AND: [where('k', 'v', { negate: true })] };
      expect(await world.chosen({ filter: negated }, only('a'))).toEqual([]);
    });

    test('match metadata with very many and unusual keys', async () => {
      await using world = await openWorld(open);
      const metadata: Record<string, string | number | boolean> = {
        '': 'no name',
        'k"e\'y': 'q',
        ключ: 'да',
      };
      for (let at = 0; at < 150; at++) metadata[`key ${at}`] = at;
      const id = await world.add('odd', { metadata });
      expect((await world.get(id)).metadata).toEqual(metadata);
      for (const [key, value] of Object.entries(metadata))
        expect(await matches(world, where(key, String(value)))).toBe('odd');
    });
  });
};
