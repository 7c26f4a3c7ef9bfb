// Documents of a removed connection are hidden by one write, and settled by later ones. Here the later ones fail, as if the
// process had been killed after the first.
import { expect, test } from 'vitest';
import { analyse } from '../../../../../server/lib/text/terms/analyse.ts';
import { readClaim, SPACE, vectorOf } from '../reading.ts';
import { live, purgeAll, readForMemories, tell } from '../telling.ts';
import { everything, only, WIDE_SHARE, type World } from '../world.ts';
import { connect, documentNames, item, lease, look, takeOne } from './support.ts';

/** Two documents of a container cannot be marked as deleted while they have their source. */
const STOP =
  "create unique index stopped on documents (container, deleted) where deleted = 1 and source = 's3'";
const GO_ON = "update documents set source = 'elsewhere' where source = 's3'";

/** A change of the tables after the first statements would have them prepared again. */
const stoppable = async (opened: () => Promise<World>, story: (world: World) => Promise<void>) => {
  await using world = await opened();
  await world.meddle(STOP);
  try {
    await story(world);
  } finally {
    await world.meddle('drop index stopped');
  }
};

const TEXTS: Readonly<Record<string, string>> = {
  first: 'Ada drinks tea',
  second: 'Ada plays chess',
  third: 'Ada lives in Rome',
};

/** A connection with the documents of these texts. */
const synced = async (world: World): Promise<string> => {
  const id = await connect(world);
  const run = await lease(world);
  await look(
    world,
    run,
    Object.keys(TEXTS).map((name) => item(name)),
  );
  for (const wanted of await world.syncing.wanted(id, 100))
    await takeOne(world, run, wanted, TEXTS[wanted.id]);
  return id;
};

const hide = async (world: World, id: string): Promise<void> => {
  await expect(world.store.connections.remove(everything, id, false)).rejects.toThrow();
  const hidden = await world.rows('select count(*) as n from documents_hidden');
  expect(hidden.map(({ n }) => Number(n))).toEqual([Object.keys(TEXTS).length]);
};

const finish = async (world: World): Promise<void> => {
  await world.meddle(GO_ON);
  while (await world.syncing.finishRemovals());
  expect(await world.rows('select doc from documents_hidden')).toEqual([]);
  expect(await world.rows('select id from connections')).toEqual([]);
};

const MEMORIES = { units: 'memories' } as const;

/** The texts that a caller gets in each way. */
const shown = async (world: World, scope = everything) => {
  const { search, recall, documents, tags } = world.store;
  const page = { sort: 'createdAt', order: 'asc', limit: 100, offset: 0, content: true } as const;
  const list = await documents.list(scope, page);
  const texts = async (ns: readonly number[]) => {
    const passages = await search.passages(scope, {}, ns);
    expect(passages).toHaveLength(ns.length);
    return passages.map(({ text }) => text).sort();
  };
  const request = { space: world.space, vector: vectorOf('Ada'), limit: 100 };
  const both = async <T>(read: (aside: boolean) => Promise<T>): Promise<T> => {
    const narrow = await read(false);
    expect(await read(true)).toEqual(narrow);
    return narrow;
  };
  const near = await search.scan(scope, MEMORIES, { ...request, aside: false });
  const [tag] = await tags.list(scope);
  return {
    list: list.documents.map(({ content }) => content).sort(),
    total: list.total,
    words: await both(async (aside) => {
      const found = await search.keyword(scope, {}, analyse('Ada'), { aside, limit: 100 });
      return texts(found.matches.map(({ n }) => n));
    }),
    meaning: await both(async (aside) => {
      const found = await search.scan(scope, {}, { ...request, aside });
      return texts(found.map(({ n }) => n));
    }),
    memories: (await live(world, scope)).sort(),
    recalled: (
      await recall.statements(
        scope,
        MEMORIES,
        near.map(({ n }) => n),
      )
    )
      .map(({ memory }) => memory)
      .sort(),
    counted: [tag?.documents, tag?.memories],
  };
};

const seenAs = (texts: readonly string[]) => ({
  ...{ list: texts, total: texts.length, words: texts, meaning: texts, memories: texts, recalled: texts },
  counted: [texts.length, texts.length],
});

export const hiddenContract = (opened: () => Promise<World>): void => {
  const hidden = (name: string, story: (world: World) => Promise<void>) =>
    test(name, () => stoppable(opened, story));

  hidden('hide their documents from everybody in one write', async (world) => {
    await world.add('Ada drinks tea', { tags: ['a'] });
    const id = await synced(world);
    await readForMemories(world);
    const all = [...new Set(Object.values(TEXTS))].sort();
    for (const scope of [everything, only('a')])
      expect(await shown(world, scope)).toMatchObject({ memories: all, counted: [4, 3] });
    const theirs = (await world.list()).filter(({ connection }) => connection === id);

    await hide(world, id);
    for (const scope of [everything, only('a')])
      expect(await shown(world, scope)).toEqual(seenAs(['Ada drinks tea']));
    for (const { id: document, n, customId } of theirs) {
      expect(await world.store.documents.find(everything, document)).toEqual({ outcome: 'missing' });
      expect(await world.store.documents.find(only('b'), document)).toEqual({ outcome: 'missing' });
      expect(await world.store.documents.find(everything, customId ?? '')).toEqual({ outcome: 'missing' });
      expect(await world.store.documents.chunks(everything, n)).toEqual([]);
    }
    await purgeAll(world);
    expect(await world.rows('select n from documents')).toHaveLength(4);

    await finish(world);
    expect(await shown(world)).toEqual(seenAs(['Ada drinks tea']));
    await purgeAll(world);
    expect(await world.rows('select n from documents')).toHaveLength(1);
    expect(await shown(world)).toEqual(seenAs(['Ada drinks tea']));
  });

  hidden('give back what the memories of their documents replaced', async (world) => {
    const { id: known } = await tell(world, 'Ada lives in Lyon');
    const id = await synced(world);
    await readForMemories(world, (text) =>
      text === 'Ada lives in Rome' ? [{ kind: 'updates', to: { known } }] : [],
    );
    expect(await live(world)).not.toContain('Ada lives in Lyon');
    await hide(world, id);
    await finish(world);
    expect(await live(world)).toEqual(['Ada lives in Lyon']);
  });

  hidden('leave their names to others, whether they are added, renamed, moved or synced', async (world) => {
    const id = await synced(world);
    const other = await world.add('Of a caller.', { tags: ['b'], customId: 'second' });
    await hide(world, id);
    const added = await world.add('Anew.', { tags: ['a'], customId: 'first' });
    expect(await world.get('first', only('a'))).toMatchObject({ id: added, content: 'Anew.' });
    await world.meddle(GO_ON);
    await world.patch(other, { tags: ['a'] });
    expect(await world.get('second', only('a'))).toMatchObject({ id: other, content: 'Of a caller.' });
    await connect(world, { id: 'another' });
    const run = await lease(world);
    await look(world, run, [item('third')]);
    for (const wanted of await world.syncing.wanted('another', 1))
      expect(await takeOne(world, run, wanted)).toEqual({ outcome: 'added', stored: true });
    expect(await documentNames(world)).toEqual(['first', 'second', 'third']);
    while (await world.syncing.finishRemovals());
    expect(await documentNames(world)).toEqual(['first', 'second', 'third']);
    await purgeAll(world);
    expect(await world.rows('select n from documents')).toHaveLength(3);
    expect((await world.store.tags.list(only('a'))).map(({ documents }) => documents)).toEqual([3]);
  });

  hidden('end the work on their documents', async (world) => {
    const id = await synced(world);
    const claims = await world.ingest.claim('boot', WIDE_SHARE);
    expect(claims).toHaveLength(3);
    await hide(world, id);
    const read = claims.map((claim) => readClaim(claim, { spaces: [world.space] }));
    expect(await world.ingest.commit(read, [{ id: world.space, ...SPACE }])).toBe(0);
    expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
    expect(await world.words()).toEqual([]);
    await finish(world);
    expect(await world.list()).toEqual([]);
  });

  hidden(
    'count their documents once, when the tag is deleted or everything is reset meanwhile',
    async (world) => {
      await world.add('Of a caller.', { tags: ['a'] });
      await hide(world, await synced(world));
      await world.meddle(GO_ON);
      expect(await world.store.tags.remove(everything, 'a')).toMatchObject({ documents: 1 });
      while (await world.syncing.finishRemovals());
      await purgeAll(world);
      expect(await world.rows('select documents from containers where documents <> 0')).toEqual([]);

      await world.add('Of a caller.', { tags: ['a'] });
      await hide(world, await synced(world));
      await world.meddle(GO_ON);
      expect(await world.store.settings.reset('default')).toMatchObject({ documents: 1 });
      expect(await world.rows('select doc from documents_hidden')).toEqual([]);
      expect(await world.rows('select documents from containers where documents <> 0')).toEqual([]);
      await purgeAll(world);
      expect(await world.rows('select n from documents')).toEqual([]);
    },
  );
};
