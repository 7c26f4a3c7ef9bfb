// Redrawing memories over a real store: an earlier reader drew them, and the present reader draws others from the same text.
import { expect, test } from 'vitest';
import type {
  DrawnMemory,
  MemoryReader,
} from '../../../server/adapters/language-model/ports/memory-reader.ts';
import { harvestMemories } from '../../../server/domain/memories/harvest.ts';
import { harvestAgain } from '../../../server/domain/memories/redraw.ts';
import { createRulesReader } from '../../../server/domain/memories/rules/reader.ts';
import { listed, live, present, revised, tell } from '../../adapters/store/contract/telling.ts';
import { everything, only, openWorld, type World } from '../../adapters/store/contract/world.ts';
import { openSqlite } from '../../adapters/store/open-sqlite.ts';

const NEVER = new AbortController().signal;

type Drawn = Partial<DrawnMemory> & Pick<DrawnMemory, 'memory'>;

/** Draws these statements from every passage with the word. */
const readerOf = (table: Record<string, readonly Drawn[]>): MemoryReader => ({
  ...createRulesReader(),
  async read({ fresh }) {
    const memories = fresh.flatMap(({ text, position }) =>
      Object.entries(table).flatMap(([word, drawn]) =>
        text.includes(word)
          ? drawn.map((one) => ({
              isStatic: false,
              isInference: false,
              slot: null,
              about: null,
              relations: [],
              outdatedBy: null,
              saidAt: null,
              eventDates: [],
              forgetAfter: null,
              positions: [position],
              ...one,
            }))
          : [],
      ),
    );
    return { memories };
  },
});

const depsOf = (world: World, reader: MemoryReader) => ({
  store: world.remembering,
  reader,
  spaces: () => [],
  guidance: async () => ({ filterPrompt: null, includeItems: [], excludeItems: [] }),
  served: async () => [],
});

const read = async (world: World, reader: MemoryReader): Promise<void> => {
  await world.index();
  for (;;) {
    const [job] = await world.remembering.claimToRemember(1);
    if (job === undefined) return;
    await world.remembering.remember(await harvestMemories(depsOf(world, reader), job, NEVER), []);
  }
};

const readAgain = async (world: World, reader: MemoryReader, most = Number.POSITIVE_INFINITY) => {
  for (let at = 0; at < most; at++) {
    const [job] = await world.remembering.claimToRedraw(1);
    if (job === undefined) return;
    const { harvest, dropped } = await harvestAgain(depsOf(world, reader), job, NEVER);
    await world.remembering.redraw(harvest, dropped, []);
  }
};

const redraw = async (world: World, reader: MemoryReader): Promise<void> => {
  await world.store.memories.redraw(everything, undefined);
  await readAgain(world, reader);
};

const open = () => openWorld(openSqlite);

const HOME = 'ada/home';
const old = readerOf({
  Lyon: [{ memory: 'Ada lives in Lyon', slot: HOME }, { memory: 'Ada is hello' }],
  tea: [{ memory: 'Ada likes tea' }],
});
const now = readerOf({
  Lyon: [{ memory: 'Ada lives in Lyon', slot: HOME }, { memory: 'Ada has a cat' }],
  tea: [{ memory: 'Ada likes tea' }],
});

test('what is drawn again keeps its id, what is drawn no more is deleted, and what is new is added', async () => {
  await using world = await open();
  await world.add('Hello, Lyon.');
  await read(world, old);
  const [home] = await listed(world);
  await redraw(world, now);
  expect((await live(world)).toSorted()).toEqual(['Ada has a cat', 'Ada lives in Lyon']);
  expect(await listed(world)).toContainEqual(home);
  expect(await world.rows("select memory from memories where memory like '%hello%'")).toEqual([]);
  expect(await world.rows('select count(*) as n from memory_words')).toEqual([{ n: 2 }]);
  expect(await world.rows("select count(*) as n from meta where key = 'unscrubbed'")).toEqual([{ n: 1 }]);
  expect(await world.store.memories.redrawStatus(everything, undefined)).toEqual({
    waiting: 0,
    done: 1,
    failed: 0,
    added: 1,
    removed: 1,
  });
});

test('what a person forgot, corrected, created or stated stays, and is not drawn again from the same text in other words', async () => {
  await using world = await open();
  await world.add('Hello, Lyon.');
  await world.add('No tea.', {
    facts: [{ memory: 'Ada reads', isStatic: false, forgetAfter: null, replaces: null }],
  });
  await world.add('The tea.');
  await read(world, old);
  const [home, hello] = await listed(world);
  const tea = present((await listed(world)).find(({ memory }) => memory === 'Ada likes tea'));
  await revised(world, present(home).id, 'Ada lives in Rome');
  await world.store.memories.forget(everything, [present(hello).id, tea.id], { reason: null, batch: null });
  await tell(world, 'Ada sails');
  const before = await listed(world);
  await redraw(
    world,
    readerOf({
      Lyon: [{ memory: 'Ada resides in Lyon', slot: HOME }, { memory: 'Ada is hello' }],
      tea: [{ memory: 'Ada likes the tea' }],
    }),
  );
  expect(await listed(world)).toEqual(before);
});

test('a version in the middle of a chain disappears, and those around it follow each other', async () => {
  await using world = await open();
  const said = (memory: string): Drawn[] => [{ memory, slot: HOME }];
  for (const text of ['Lyon', 'Paris', 'Rome']) {
    await world.add(text);
    await read(world, readerOf({ [text]: said(`Ada lives in ${text}`) }));
  }
  expect(await live(world)).toEqual(['Ada lives in Rome']);
  await redraw(world, readerOf({ Lyon: said('Ada lives in Lyon'), Rome: said('Ada lives in Rome') }));
  expect(await live(world)).toEqual(['Ada lives in Rome']);
  const rome = present((await listed(world)).find(({ isLatest }) => isLatest));
  expect(rome).toMatchObject({ version: 2 });
  expect(rome.history.map(({ memory }) => memory)).toEqual(['Ada lives in Lyon']);
  expect(rome.parentId).toBe(rome.history[0]?.id);
});

test('a fact is current again when the present reader no longer draws what replaced it', async () => {
  await using world = await open();
  await world.add('Lyon');
  await read(world, readerOf({ Lyon: [{ memory: 'Ada lives in Lyon', slot: HOME }] }));
  await world.add('A joke about Mars');
  await read(world, readerOf({ Mars: [{ memory: 'Ada lives in Mars', slot: HOME }] }));
  expect(await live(world)).toEqual(['Ada lives in Mars']);
  await redraw(world, readerOf({ Lyon: [{ memory: 'Ada lives in Lyon', slot: HOME }] }));
  expect(await live(world)).toEqual(['Ada lives in Lyon']);
});

test('new documents go first, and a redraw that was cut off goes on where it was', async () => {
  await using world = await open();
  for (const text of ['Lyon 1', 'Lyon 2', 'Lyon 3']) await world.add(text);
  await read(world, old);
  expect(await world.store.memories.redraw(everything, undefined)).toBe(3);
  await world.add('tea');
  expect(await world.remembering.claimToRedraw(1)).toEqual([]);
  await read(world, now);
  await readAgain(world, now, 1);
  expect(await world.store.memories.redrawStatus(everything, undefined)).toMatchObject({
    waiting: 2,
    done: 1,
  });
  // The process ends while a document is under a lease, and after its new memories were stored.
  const [cut] = await world.remembering.claimToRedraw(1);
  const { harvest } = await harvestAgain(depsOf(world, now), present(cut), NEVER);
  await world.remembering.redraw(harvest, [], []);
  await world.store.memories.redraw(everything, undefined);
  await world.remembering.claimToRedraw(2);
  await world.ingest.takeOver('another', false);
  await readAgain(world, now);
  expect((await live(world)).toSorted()).toEqual(['Ada has a cat', 'Ada likes tea', 'Ada lives in Lyon']);
});

test('a redraw of one tag reads no document of another', async () => {
  await using world = await open();
  await world.add('Lyon', { tags: ['a'] });
  await world.add('Lyon', { tags: ['b'] });
  await world.add('Lyon', { tags: ['a', 'b'] });
  await read(world, old);
  // The key holds one of the two tags of the third document, so it may not change it.
  expect(await world.store.memories.redraw(only('a'), undefined)).toBe(1);
  expect(await world.store.memories.redraw(everything, ['b'])).toBe(2);
  expect(await world.store.memories.redrawStatus(everything, ['b'])).toMatchObject({ waiting: 2, done: 0 });
});

test('a redraw changes no memory of another tag', async () => {
  await using world = await open();
  await world.add('Lyon', { tags: ['a'] });
  await world.add('Lyon', { tags: ['b'] });
  await read(world, old);
  await world.store.memories.redraw(everything, ['a']);
  await readAgain(world, now);
  expect((await live(world, only('b'))).filter((memory) => memory === 'Ada has a cat')).toEqual([]);
  expect(await world.store.memories.redrawStatus(only('b'), undefined)).toMatchObject({
    waiting: 0,
    done: 0,
  });
});

test('a document that was changed while it was read again is read again later', async () => {
  await using world = await open();
  const id = await world.add('Lyon', { customId: 'c' });
  await read(world, old);
  await world.store.memories.redraw(everything, undefined);
  const [job] = await world.remembering.claimToRedraw(1);
  const { harvest, dropped } = await harvestAgain(depsOf(world, now), present(job), NEVER);
  await world.patch(id, { content: 'Lyon\n\ntea', hash: 'other', type: 'text' });
  await world.index();
  await world.remembering.redraw(harvest, dropped, []);
  expect(await live(world)).not.toContain('Ada has a cat');
  await read(world, now);
  await readAgain(world, now);
  expect(await live(world)).toContain('Ada has a cat');
});
