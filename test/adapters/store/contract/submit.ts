// Adding, and sending again under a customId.
import { describe, expect, test } from 'vitest';
import type { Submission } from '../../../../server/adapters/store/ports/documents.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { readClaim } from './reading.ts';
import { revised, tell } from './telling.ts';
import { everything, type OpenStore, only, openWorld, submission, WIDE_SHARE } from './world.ts';

export const submitContract = (open: OpenStore): void => {
  describe('adding', () => {
    test('a fact replaces the latest version alone, unless it is sent again, and a refused one stores nothing', async () => {
      await using world = await openWorld(open);
      const lyon = await tell(world, 'Ada lives in Lyon');
      const rome = await revised(world, lyon.id, 'Ada lives in Rome');
      const tea = await tell(world, 'Ada drinks tea');
      await world.store.memories.forget(everything, [tea.id], { reason: null, batch: null });
      const stored = await world.list();
      const stating = (memory: string, replaces: string, more: Partial<Submission> = {}) =>
        world.send('A letter.', {
          facts: [{ memory, isStatic: false, forgetAfter: null, replaces }],
          ...more,
        });
      const oslo = 'Ada lives in Oslo';
      expect(await stating(oslo, lyon.id)).toEqual({
        outcome: 'older version',
        id: lyon.id,
        latest: rome.id,
      });
      expect(await stating(oslo, tea.id)).toEqual({ outcome: 'forgotten memory', id: tea.id });
      expect(await stating(oslo, rome.id, { tags: ['b'] })).toEqual({
        ...{ outcome: 'unknown memory', id: rome.id, tags: ['b'] },
      });
      expect(await stating(oslo, rome.id, { taskType: 'superrag' })).toEqual({ outcome: 'searched only' });
      expect(await world.list()).toEqual(stored);
      expect(await stating(oslo, rome.id)).toMatchObject({ outcome: 'accepted' });
      // It may have replaced the older version already, and the client sends it again.
      expect(await stating('Ada lives in Rome', lyon.id)).toMatchObject({ outcome: 'accepted' });
    });

    test('a new document waits, and can be read at once as it was sent', async () => {
      await using world = await openWorld(open);
      const id = newId();
      const sent = {
        ...{ id, customId: 'mine', tags: ['b', 'a'], type: 'text', title: 'Title', filepath: '/x/y.md' },
        ...{ metadata: { s: 'ä', n: 1.5, b: false }, url: 'https://example.org/', source: 'mail' },
        taskType: 'superrag',
      };
      expect(await world.send('Text  with\n spaces ', sent)).toEqual({
        outcome: 'accepted',
        id,
        status: 'queued',
        stored: true,
      });
      expect(await world.get(id)).toMatchObject({
        ...sent,
        n: expect.any(Number),
        content: 'Text  with\n spaces ',
        summary: null,
        step: 'queued',
        progress: null,
        failure: null,
        chunks: 0,
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
      });
      expect((await world.get('mine')).id).toBe(id);
    });

    test('equal texts without a customId are separate documents', async () => {
      await using world = await openWorld(open);
      expect(await world.add('same')).not.toBe(await world.add('same'));
      expect(await world.list()).toHaveLength(2);
    });

    test('the time of creation can be set', async () => {
      await using world = await openWorld(open);
      const id = await world.add('old', { createdAt: 1000 });
      expect(await world.get(id)).toMatchObject({ createdAt: 1000, updatedAt: world.clock.now() });
    });

    test('several documents are answered in their order', async () => {
      await using world = await openWorld(open);
      const items = Array.from({ length: 50 }, (_, at) => submission(`text ${at}`));
      const answers = await world.store.documents.submit(everything, items);
      expect(answers).toEqual(
        items.map(({ id }) => ({ outcome: 'accepted', id, status: 'queued', stored: true })),
      );
      expect(await world.list()).toHaveLength(50);
    });

    test('several documents are numbered in their order, with a customId and without one', async () => {
      await using world = await openWorld(open);
      await world.add('there before');
      const sent = ['one', 'two', 'three', 'four'].map((text, at) =>
        submission(text, { customId: at % 2 === 1 ? `name-${at}` : null }),
      );
      await world.store.documents.submit(everything, sent);
      const rows = await world.rows(
        "select content from documents where content <> 'there before' order by n",
      );
      expect(rows.map(({ content }) => content)).toEqual(['one', 'two', 'three', 'four']);
    });

    test('the default tags are used when no tag is named', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text', { tags: null, defaultTags: ['home'] });
      expect((await world.get(id)).tags).toEqual(['home']);
    });
  });

  describe('sending again', () => {
    const again = { customId: 'c', tags: ['a', 'b'] };

    test('the same customId and tags name the same document, in any order of the tags', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      expect(await world.add('two', { ...again, tags: ['b', 'a'] })).toBe(id);
      expect(await world.add('two', { ...again, tags: ['b', 'a', 'b'] })).toBe(id);
      expect(await world.list()).toHaveLength(1);
      expect((await world.get(id)).tags).toEqual(['a', 'b']);
    });

    test('the same customId under other tags names another document', async () => {
      await using world = await openWorld(open);
      const ids = [
        await world.add('one', { customId: 'c', tags: ['a', 'b'] }),
        await world.add('one', { customId: 'c', tags: ['a'] }),
        await world.add('one', { customId: 'c', tags: ['b'] }),
        await world.add('one', { customId: 'c', tags: ['a', 'b', 'c'] }),
        await world.add('one', { customId: 'c', tags: ['ab'] }),
      ];
      expect(new Set(ids).size).toBe(5);
    });

    test('the customId alone names the only visible document with it', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c', tags: ['x'] });
      await world.add('foreign', { customId: 'c', tags: ['y'] });
      const unnamed = { customId: 'c', tags: null, defaultTags: ['x'] };
      expect(await world.add('two', unnamed, only('x'))).toBe(id);
      expect(await world.list({}, only('x'))).toHaveLength(1);
    });

    test('the customId alone names the document under the default tags when several are visible, else a new one', async () => {
      await using world = await openWorld(open);
      const x = await world.add('one', { customId: 'c', tags: ['x'] });
      const y = await world.add('one', { customId: 'c', tags: ['y'] });
      const unnamed = { customId: 'c', tags: null };
      expect(await world.add('two', { ...unnamed, defaultTags: ['y'] })).toBe(y);
      const made = await world.add('two', { ...unnamed, defaultTags: ['z'] });
      expect([x, y]).not.toContain(made);
      expect((await world.get(made)).tags).toEqual(['z']);
    });

    test('identical text changes nothing: it is done when it is indexed, and queued while it waits', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      expect(await world.send('one', again)).toMatchObject({ id, status: 'queued' });
      expect(await world.index()).toBe(1);
      const before = await world.get(id);
      expect(await world.send('one', again)).toEqual({
        outcome: 'accepted',
        id,
        status: 'done',
        stored: false,
      });
      expect(await world.get(id)).toEqual(before);
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
    });

    test('text identical with the last part changes nothing either', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      await world.index();
      await world.add('two', again);
      await world.index();
      expect(await world.send('two', again)).toMatchObject({ id, status: 'done' });
      expect((await world.get(id)).content).toBe('one\n\ntwo');
    });

    test('text that failed, or yielded nothing, is processed again', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      await world.ingest.fail(claim, { code: 'bad', message: 'It was bad.', retryable: false });
      expect(await world.get(id)).toMatchObject({
        step: 'failed',
        failure: { code: 'bad', retryable: false },
      });
      expect(await world.send('one', again)).toMatchObject({ id, status: 'queued' });
      expect(await world.get(id)).toMatchObject({ step: 'queued', failure: null });
      await world.index();
      expect(await world.get(id)).toMatchObject({ step: 'done', chunks: 1 });

      const empty = await world.add('\n\n', { customId: 'empty' });
      await world.index();
      expect(await world.get(empty)).toMatchObject({ step: 'done', chunks: 0 });
      expect(await world.send('\n\n', { customId: 'empty' })).toMatchObject({ id: empty, status: 'queued' });
    });

    test('different text waits to be merged, in the order of arrival, and the stored text stays until then', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      await world.index();
      for (const text of ['two', 'three', 'two']) await world.add(text, again);
      expect(await world.get(id)).toMatchObject({ content: 'one', step: 'queued' });
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      expect(claim?.submissions.map(({ mode, content }) => [mode, content])).toEqual([
        ['merge', 'two'],
        ['merge', 'three'],
        ['merge', 'two'],
      ]);
    });

    test('merged text is not merged a second time', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      await world.add('two', again);
      await world.index();
      await world.add('three', again);
      await world.index();
      expect((await world.get(id)).content).toBe('one\n\ntwo\n\nthree');
    });

    test('a replacement is readable at once', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      await world.index();
      await world.add('two', { ...again, replace: true, type: 'webpage', url: 'https://example.org/' });
      expect(await world.get(id)).toMatchObject({
        content: 'two',
        type: 'webpage',
        url: 'https://example.org/',
      });
      await world.index();
      expect(await world.get(id)).toMatchObject({ content: 'two', step: 'done', chunks: 1 });
    });

    test('a replacement with the words of the last part is still a replacement', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      await world.add('two', again);
      await world.index();
      expect(await world.send('two', { ...again, replace: true })).toMatchObject({ status: 'queued' });
      await world.index();
      expect((await world.get(id)).content).toBe('two');
      expect(await world.send('two', { ...again, replace: true })).toMatchObject({ status: 'done' });
    });

    test('the fields beside the text are stored, also when the text is identical', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { ...again, metadata: { kept: 1, changed: 'old' } });
      await world.index();
      world.clock.pass(1000);
      const more = { metadata: { changed: 'new', added: true }, title: 'Title', filepath: '/f' };
      expect(await world.send('one', { ...again, ...more })).toMatchObject({ status: 'done' });
      expect(await world.get(id)).toMatchObject({
        metadata: { kept: 1, changed: 'new', added: true },
        title: 'Title',
        filepath: '/f',
        updatedAt: world.clock.now(),
      });
      const condition = {
        key: 'changed',
        value: 'new',
        filterType: 'metadata',
        numericOperator: '=',
      } as const;
      const filter = { AND: [{ ...condition, negate: false, ignoreCase: false }] };
      expect(await world.list({ filter })).toHaveLength(1);
      const before = { AND: [{ ...condition, value: 'old', negate: false, ignoreCase: false }] };
      expect(await world.list({ filter: before })).toHaveLength(0);
    });

    test('a title that is sent while the document is in work is kept', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      expect(await world.send('one', { ...again, title: 'Given' })).toMatchObject({ id, status: 'queued' });
      await world.ingest.commit([{ ...readClaim(claim), title: 'Drawn from the text' }], []);
      expect(await world.get(id)).toMatchObject({ step: 'done', title: 'Given' });
    });

    test('a caller who does not hold all tags of the document is refused', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      const unnamed = { customId: 'c', tags: null, defaultTags: ['a'] };
      expect(await world.send('two', unnamed, only('a'))).toEqual({ outcome: 'forbidden', id });
      expect((await world.get(id)).step).toBe('queued');
      expect(await world.send('two', unnamed, only('a', 'b', 'c'))).toMatchObject({
        outcome: 'accepted',
        id,
      });
    });

    test('the second of two equal customIds in one call finds the first', async () => {
      await using world = await openWorld(open);
      const items = ['one', 'one', 'two'].map((text) => submission(text, again));
      const answers = await world.store.documents.submit(everything, items);
      expect(new Set(answers.map((answer) => ('id' in answer ? answer.id : null)))).toEqual(
        new Set([items[0]?.id]),
      );
      await world.index();
      expect((await world.list()).map((document) => document.content)).toEqual(['one\n\ntwo']);
    });

    test('after a deletion the customId begins a new document', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', again);
      await world.store.documents.remove(everything, { by: 'ref', ref: 'c' });
      const next = await world.add('two', again);
      expect(next).not.toBe(id);
      expect(await world.get('c')).toMatchObject({ id: next, content: 'two' });
    });

    test('a document that got its customId later knows its text', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { tags: ['a', 'b'] });
      await world.index();
      await world.patch(id, { customId: 'c' });
      expect(await world.send('one', again)).toMatchObject({ id, status: 'done' });
    });
  });
};
