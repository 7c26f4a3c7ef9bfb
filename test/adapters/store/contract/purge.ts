// Erasing: deleted content is removed from every table, and after scrubbing from every file.
import { describe, expect, test } from 'vitest';
import { FLOAT_SPACE } from './reading.ts';
import { contentPatch, everything, type OpenStore, openWorld, type World } from './world.ts';

const SECRET = 'qxsecretqx';
/** The keyword index leaves out the beginning that a word shares with the one before it. */
const TRACE = 'secretqx';

const purgeAll = async (world: World, slice = 100): Promise<number> => {
  let slices = 0;
  while (await world.ingest.purge(slice)) slices += 1;
  return slices;
};

const TABLES = {
  documents: 'select count(*) as n from documents',
  chunks: 'select count(*) as n from chunks',
  submissions: 'select count(*) as n from submissions',
  document_meta: 'select count(*) as n from document_meta',
  exact_vectors: 'select count(*) as n from exact_vectors',
  words: 'select count(*) as n from chunk_words',
};

const vectorCount = async (world: World): Promise<number> => {
  const spaces = await world.store.spaces.list();
  const vectors = await Promise.all(spaces.map(({ id }) => world.vectors(id)));
  return vectors.flat().length;
};

const sizes = async (world: World): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(TABLES).map(async ([name, statement]) => [
        name,
        Number((await world.rows(statement))[0]?.n),
      ]),
    ),
  );

const holds = async (world: World, text: string): Promise<boolean> => (await world.bytes()).includes(text);

/** Enough around it that the keyword index has several segments and the tables several pages. */
const fillAround = async (world: World): Promise<void> => {
  for (let round = 0; round < 8; round++) {
    for (let at = 0; at < 10; at++)
      await world.add(`public ${round} ${at} ${'filler '.repeat(30)}`, { tags: ['b'] });
    await world.index();
  }
};

const addSecret = (world: World): Promise<string> =>
  world.add(`${SECRET} one ${SECRET}2\n\nmore ${SECRET}`, {
    ...{ customId: `c${SECRET}`, title: `t${SECRET}`, filepath: `/${SECRET}`, tags: ['a'] },
    ...{ url: `https://${SECRET}/`, metadata: { [`k${SECRET}`]: `v${SECRET}` } },
  });

/** Erases the rows of a document that was indexed; its words are still in the files. */
const eraseSecret = async (world: World): Promise<void> => {
  const id = await addSecret(world);
  await world.index();
  await world.store.documents.remove(everything, { by: 'ref', ref: id });
  await purgeAll(world);
};

export const purgeContract = (open: OpenStore): void => {
  describe('erasing', () => {
    test('removes every row of a deleted document, and keeps the others complete', async () => {
      await using world = await openWorld(open);
      await world.add('kept one\n\nkept two', { customId: 'k', metadata: { x: 1 }, tags: ['a'] });
      await world.index();
      const before = await sizes(world);
      const vectors = await world.ingest.countVectors(world.space);
      const id = await addSecret(world);
      await world.index();
      await world.send(`again ${SECRET}`, { customId: `c${SECRET}`, tags: ['a'] });
      await world.index();
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      await purgeAll(world);
      expect(await sizes(world)).toEqual(before);
      expect(await world.ingest.countVectors(world.space)).toBe(vectors);
      expect(await world.store.counts()).toMatchObject({ documents: 1, chunks: 2 });
      const last = (await world.ingest.outbox(world.space, 100)).slice(-3);
      expect(last.map(({ op }) => op)).toEqual(['remove', 'remove', 'remove']);
    });

    test('works in slices, and reports when there was nothing', async () => {
      await using world = await openWorld(open);
      expect(await world.ingest.purge(100)).toBe(false);
      for (let at = 0; at < 5; at++) await world.add(`${at}\n\none\n\ntwo\n\nthree`);
      await world.index();
      await world.store.documents.remove(everything, { by: 'tags', tags: ['a'] });
      const left: unknown[] = [];
      while (await world.ingest.purge(6)) left.push((await sizes(world)).chunks);
      expect(left).toEqual([14, 8, 3, 0]);
      expect(await sizes(world)).toMatchObject({ documents: 0, chunks: 0, words: 0 });
      expect(await vectorCount(world)).toBe(0);
    });

    test('removes content that was never indexed', async () => {
      await using world = await openWorld(open);
      await addSecret(world);
      await world.store.documents.remove(everything, { by: 'tags', tags: ['a'] });
      expect(await purgeAll(world)).toBe(1);
      expect(await sizes(world)).toMatchObject({ documents: 0, submissions: 0, document_meta: 0 });
    });

    test('removes exact vectors too, and those of a space whose embedder does not answer', async () => {
      await using world = await openWorld(open);
      const other = await world.store.spaces.create({
        ...{ embedder: 'paid', model: 'm', dimensions: FLOAT_SPACE.dimensions },
        ...{ state: 'filling', calibration: null },
      });
      const id = await world.add('one\n\ntwo', { customId: 'c' });
      await world.index({ exact: other.id });
      expect(await sizes(world)).toMatchObject({ exact_vectors: 2 });
      expect(await vectorCount(world)).toBe(4);
      await world.patch(id, contentPatch('two'));
      await world.index();
      expect(await sizes(world)).toMatchObject({ exact_vectors: 1, chunks: 1 });
      expect(await world.ingest.countVectors(other.id)).toBe(1);
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      await purgeAll(world);
      expect(await sizes(world)).toMatchObject({ exact_vectors: 0 });
      expect(await vectorCount(world)).toBe(0);
      expect(await world.ingest.countVectors(other.id)).toBe(0);
    });

    test('leaves no byte of a deleted text in any file after scrubbing', async () => {
      await using world = await openWorld(open);
      await fillAround(world);
      const id = await addSecret(world);
      await world.index();
      await fillAround(world);
      await world.send(`later ${SECRET}`, { customId: `c${SECRET}`, tags: ['a'] });
      await world.index();
      expect(await holds(world, TRACE)).toBe(true);
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      await purgeAll(world);
      expect(await world.ingest.needsScrub()).toBe(true);
      await world.ingest.scrub();
      expect(await holds(world, TRACE)).toBe(false);
      expect(await holds(world, 'filler')).toBe(true);
      expect(await world.ingest.needsScrub()).toBe(false);
      const { matches } = await world.store.search.keyword(everything, {}, ['filler'], {
        aside: false,
        limit: 500,
      });
      expect(matches).toHaveLength(160);
    });

    test('leaves no byte of a replaced text in any file after scrubbing', async () => {
      await using world = await openWorld(open);
      await fillAround(world);
      const customId = 'edited';
      const id = await world.add('public', { customId, tags: ['a'] });
      await world.index();
      for (const content of [`${SECRET} one`, `${SECRET} two`]) {
        await world.patch(id, contentPatch(content));
        await world.index();
      }
      await world.send(`a file that says ${SECRET}`, { customId, tags: ['a'], replace: true });
      await world.index();
      await world.patch(id, contentPatch('harmless'));
      await world.index();
      const kept = await world.rows('select hash, decision, content from submissions order by n');
      expect(kept.map(({ content }) => content)).toEqual(Array(5).fill(null));
      expect(new Set(kept.map(({ hash }) => hash)).size).toBe(5);
      expect(await world.ingest.needsScrub()).toBe(true);
      await world.ingest.scrub();
      expect(await holds(world, TRACE)).toBe(false);
      const again = await world.send('harmless', { customId, tags: ['a'], replace: true });
      expect(again).toMatchObject({ status: expect.any(String), stored: false });
    });

    test('keeps what was sent until it is decided, whatever stopped in between', async () => {
      await using world = await openWorld(open);
      await world.add('one', { customId: 'c' });
      await world.index();
      await world.send('two', { customId: 'c' });
      const [claim] = await world.ingest.claim('boot', { documents: 1, containers: 1 });
      await world.ingest.takeOver('another boot');
      const [again] = await world.ingest.claim('another boot', { documents: 1, containers: 1 });
      expect([claim, again].map((held) => held?.submissions.map(({ content }) => content))).toEqual([
        ['two'],
        ['two'],
      ]);
      await world.ingest.release(again === undefined ? [] : [again]);
      await world.index();
      expect(await world.rows('select content from submissions where content is not null')).toEqual([]);
    });

    test('removes a text that was replaced before its document was deleted', async () => {
      await using world = await openWorld(open);
      const id = await addSecret(world);
      await world.index();
      await world.patch(id, contentPatch('harmless'));
      await world.index();
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      await purgeAll(world);
      await world.ingest.scrub();
      expect(await holds(world, TRACE)).toBe(false);
    });

    test('keeps in mind what was erased while it scrubbed', async () => {
      await using world = await openWorld(open);
      await fillAround(world);
      await eraseSecret(world);
      const scrubbing = world.ingest.scrub();
      const later = await world.add('also erased', { customId: 'later' });
      await world.index();
      await world.store.documents.remove(everything, { by: 'ref', ref: later });
      await purgeAll(world);
      await scrubbing;
      // A scrub that began after the erasure has scrubbed it too.
      expect((await world.ingest.needsScrub()) || !(await holds(world, 'also erased'))).toBe(true);
      await world.ingest.scrub();
      expect(await world.ingest.needsScrub()).toBe(false);
    });

    test('scrubs a single short document as well', async () => {
      await using world = await openWorld(open);
      await world.add('public');
      const id = await world.add(SECRET);
      await world.index();
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      expect(await purgeAll(world)).toBe(1);
      await world.ingest.scrub();
      expect(await holds(world, TRACE)).toBe(false);
    });

    test('resumes an interrupted scrub, and loses nothing by it', async () => {
      await using world = await openWorld(open);
      await fillAround(world);
      await eraseSecret(world);
      await world.ingest.scrub(AbortSignal.abort());
      if (await world.ingest.needsScrub()) await world.ingest.scrub();
      expect(await holds(world, TRACE)).toBe(false);
    });

    test('accepts adds while it scrubs', async () => {
      await using world = await openWorld(open);
      await fillAround(world);
      await eraseSecret(world);
      const adding = Promise.all(Array.from({ length: 20 }, (_, at) => world.add(`meanwhile ${at}`)));
      await world.ingest.scrub();
      await adding;
      await world.index();
      expect(await holds(world, TRACE)).toBe(false);
      const { matches } = await world.store.search.keyword(everything, {}, ['meanwhil'], {
        aside: false,
        limit: 99,
      });
      expect(matches).toHaveLength(20);
    });
  });
};
