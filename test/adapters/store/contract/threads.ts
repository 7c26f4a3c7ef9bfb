// Threads: the neighbours of a document, for each caller, after any change.
import { describe, expect, test } from 'vitest';
import type { Submission } from '../../../../server/adapters/store/ports/documents.ts';
import type { Scope } from '../../../../server/core/scope.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

/** The contents of a document and its neighbours. */
const beside = async (world: World, content: string, count = 2, scope: Scope = everything) => {
  const all = await world.list({}, scope);
  const numbers = all.filter((document) => document.content === content).map(({ n }) => n);
  const places = await world.store.search.threads(scope, numbers, count);
  return places.map(({ document }) => all.find(({ n }) => n === document)?.content);
};

const inThread = (threadId: string | number): Partial<Submission> => ({ metadata: { threadId } });

/** Each a little later than the one before. */
const say = async (world: World, contents: string, more: (content: string) => Partial<Submission>) => {
  for (const content of contents) {
    world.clock.pass(1000);
    await world.add(content, more(content));
  }
  await world.index();
};

export const threadsContract = (open: OpenStore): void => {
  const opened = () => openWorld(open);

  describe('threads', () => {
    test('link a document with those before and after it', async () => {
      await using world = await opened();
      await say(world, 'abcdef', () => inThread('t'));
      expect(await beside(world, 'c')).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(await beside(world, 'c', 1)).toEqual(['b', 'c', 'd']);
      expect(await beside(world, 'a')).toEqual(['a', 'b', 'c']);
      expect(await beside(world, 'f')).toEqual(['d', 'e', 'f']);
    });

    test('are separate from each other, and from documents without a thread', async () => {
      await using world = await opened();
      await say(world, 'aAbBxcC', (name) =>
        name === 'x' ? {} : inThread(name === name.toLowerCase() ? 'small' : 'large'),
      );
      expect(await beside(world, 'b', 3)).toEqual(['a', 'b', 'c']);
      expect(await beside(world, 'B', 3)).toEqual(['A', 'B', 'C']);
      expect(await beside(world, 'x', 3)).toEqual([]);
      const all = await world.list();
      const places = await world.store.search.threads(
        everything,
        all.map(({ n }) => n),
        1,
      );
      expect(places).toHaveLength(6);
      expect(new Set(places.map(({ thread }) => thread)).size).toBe(2);
    });

    test('are sorted by the numbers in customIds, whenever their documents came', async () => {
      await using world = await opened();
      await say(world, 'cabed', (name) => ({ customId: `thread-7:${'abcde'.indexOf(name) + 8}` }));
      expect(await beside(world, 'c', 9)).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('belong to one set of tags', async () => {
      await using world = await opened();
      await say(world, 'abcd', (name) => ({ ...inThread('t'), tags: 'ac'.includes(name) ? ['a'] : ['b'] }));
      expect(await beside(world, 'a', 9)).toEqual(['a', 'c']);
      expect(await beside(world, 'a', 9, only('a'))).toEqual(['a', 'c']);
      const [document] = await world.list({}, only('a'));
      expect(await world.store.search.threads(only('b'), [document?.n ?? 0], 9)).toEqual([]);
    });

    test('contain searchable messages only', async () => {
      await using world = await opened();
      await say(world, 'abd', () => inThread('t'));
      const long = Array.from({ length: 5 }, (_, i) => `paragraph ${i}`).join('\n\n');
      await world.add(long, inThread('t'));
      await world.index();
      expect(await beside(world, 'b', 9)).toEqual(['a', 'b', 'd']);
      await world.add('e\n\nf', inThread('t'));
      expect(await beside(world, 'b', 9)).toEqual(['a', 'b', 'd']);
      await world.index();
      expect(await beside(world, 'b', 9)).toEqual(['a', 'b', 'd', 'e\n\nf']);
      const [document] = await world.list({ sort: 'createdAt', order: 'desc' });
      const places = await world.store.search.threads(everything, [document?.n ?? 0], 0);
      expect(places.map(({ messages }) => messages)).toEqual([2]);
    });

    test('follow the metadata and customIds of their documents', async () => {
      await using world = await opened();
      await say(world, 'abcd', (name) => ({ customId: name, ...(name === 'b' ? {} : inThread('t')) }));
      expect(await beside(world, 'c', 9)).toEqual(['a', 'c', 'd']);
      await world.patch('b', { metadata: { threadId: 't' } });
      expect(await beside(world, 'c', 9)).toEqual(['a', 'b', 'c', 'd']);
      await world.send('a', { customId: 'a', metadata: { threadId: 'another' } });
      expect(await beside(world, 'c', 9)).toEqual(['b', 'c', 'd']);
      await world.patch('d', { metadata: { threadId: '' }, customId: 'thread-7:2' });
      expect(await beside(world, 'c', 9)).toEqual(['b', 'c']);
      await world.patch('a', { metadata: { threadId: '' }, customId: 'thread-7:1' });
      expect(await beside(world, 'd', 9)).toEqual(['a', 'd']);
      await world.patch('thread-7:1', { tags: ['b'] });
      expect(await beside(world, 'd', 9)).toEqual(['d']);
      await world.patch('thread-7:2', { tags: ['b'] });
      expect(await beside(world, 'd', 9, only('b'))).toEqual(['a', 'd']);
    });

    test('without a name contain messages within half an hour, at most three at once', async () => {
      await using world = await opened();
      const said = async (minute: number, messages = 1) => {
        const date = new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();
        const content = Array.from({ length: messages }, (_, at) => `${minute}.${at}`).join('\n\n');
        await world.add(content, { metadata: { date } });
      };
      for (const minute of [31, 0, 62, 29]) await said(minute);
      await said(30, 4);
      await said(32, 3);
      await world.index({ spoken: true });
      await world.add('a note of minute 30', { metadata: { date: '2026-03-01T10:30:00Z' } });
      await world.index();
      const three = '32.0\n\n32.1\n\n32.2';
      expect(await beside(world, '31.0', 9)).toEqual(['0.0', '29.0', '31.0', three, '62.0']);
      const all = await world.list();
      const numbers = all.map(({ n }) => n);
      const threads = (places: readonly { thread: string }[]) => new Set(places.map(({ thread }) => thread));
      expect(threads(await world.store.search.threads(everything, numbers, 9)).size).toBe(1);
      const ref = all.find(({ content }) => content === three)?.id ?? '';
      await world.store.documents.remove(everything, { by: 'ref', ref });
      // Now there is a silence of 31 minutes.
      expect(await beside(world, '31.0', 9)).toEqual(['0.0', '29.0', '31.0', '62.0']);
      expect(threads(await world.store.search.threads(everything, numbers, 9)).size).toBe(2);
    });

    test('without a name gain a document that loses its name, and lose one that gets a name', async () => {
      await using world = await opened();
      for (const name of 'abc') await world.add(name, { customId: name });
      await world.index({ spoken: true });
      expect(await beside(world, 'b', 9)).toEqual(['a', 'b', 'c']);
      await world.patch('b', { metadata: { threadId: 't' } });
      expect(await beside(world, 'b', 9)).toEqual(['b']);
      expect(await beside(world, 'a', 9)).toEqual(['a', 'c']);
      await world.patch('b', { metadata: { threadId: '' } });
      expect(await beside(world, 'b', 9)).toEqual(['a', 'b', 'c']);
    });

    test('close the gap of a deleted document', async () => {
      await using world = await opened();
      await say(world, 'abcd', (name) => ({ customId: name, ...inThread('t') }));
      await world.store.documents.remove(everything, { by: 'ref', ref: 'c' });
      expect(await beside(world, 'b', 1)).toEqual(['a', 'b', 'd']);
      await world.store.documents.remove(everything, { by: 'tags', tags: ['a'] });
      while (await world.ingest.purge(100));
      expect(await world.rows('select doc from thread_places')).toEqual([]);
    });
  });
};
