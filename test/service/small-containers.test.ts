// A whole service whose Chroma holds large containers alone: what searches find in small ones, how a container comes into the
// index, and what changes of the setting do.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CONTAINER_SPAN } from '../../server/core/chunks/chunk-number.ts';
import { verifies } from '../spec/verifies.ts';
import { startMemoir, type TestMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import { collectionsOf, heldBy } from './support/chroma.ts';
import { type ExternalChroma, startExternalChroma } from './support/external-chroma.ts';
import { addAll, type Searched, search, settledWhole, textsOf } from './support/memoir.ts';
import { codeOf, documentsOf, noteOf, sampleOf } from './support/texts.ts';

/** A scope of more is wide. Two small containers are compared exactly, four are too many. */
const WIDE = { narrow: 40 };
const FROM = 30;
const SMALL = 12;
const LARGE = 60;
/** The numbers of the notes: those of small containers first. */
const smallNotes = (at: number): number => at * SMALL;
const LARGE_NOTES = 1000;

let chroma: ExternalChroma;
beforeAll(async () => {
  chroma = await startExternalChroma();
});
afterAll(() => chroma.close());

/** The number of vectors in Chroma, of each container. */
const heldByContainer = async (): Promise<number[]> => {
  const collections = await collectionsOf(chroma.url());
  const held = (await Promise.all(collections.map((each) => heldBy(chroma.url(), each)))).flat();
  const containers = Map.groupBy(held, (n) => Math.floor(n / CONTAINER_SPAN));
  return [...containers.values()].map((ns) => ns.length).sort((a, b) => a - b);
};

/** A container that has grown is taken into the index after its documents are done. */
const untilHeld = (expected: readonly number[]): Promise<number> =>
  until(
    `${expected.join()} vectors in Chroma`,
    async () => (await heldByContainer()).join() === expected.join(),
  );

const start = async (settings: Readonly<Record<string, string>>) => {
  for (const { name } of await collectionsOf(chroma.url()))
    await fetch(
      `${chroma.url()}/api/v2/tenants/default_tenant/databases/default_database/collections/${name}`,
      { method: 'DELETE' },
    );
  const memoir = await startMemoir({ CHROMA_URL: chroma.door.url, ...settings }, { searchLimits: WIDE });
  onTestFinished(() => memoir.close());
  return memoir;
};

/** Small containers of one team each, and one of the team itself. */
const addSmall = (memoir: TestMemoir, at: number, team: string) =>
  addAll(memoir, documentsOf(smallNotes(at), SMALL, { containerTags: [team, `${team}-${at}`] }));

const addLarge = (memoir: TestMemoir, team: string, from = 0, count = LARGE) =>
  addAll(memoir, documentsOf(LARGE_NOTES + from, count, { containerTags: [team] }));

const finds = async (memoir: TestMemoir, number: number, more = {}): Promise<void> => {
  const found = await search(memoir, noteOf(number), more);
  expect([found.error, textsOf(found)[0]]).toEqual([undefined, noteOf(number)]);
};

const queriesOf = async (run: () => Promise<void>): Promise<number> => {
  const before = chroma.door.count('query');
  await run();
  return chroma.door.count('query') - before;
};

const notesOf = async (memoir: TestMemoir, q: string, more = {}) => {
  const { body } = await memoir.ask<{ notes?: { about: string; message: string }[] }>('POST', '/v4/search', {
    ...{ q, searchMode: 'hybrid', threshold: 0, limit: 10, ...more },
  });
  return body.notes?.map(({ about }) => about);
};

const foreign = (found: Searched, numbers: readonly number[]): string[] => {
  const texts = new Set(numbers.map(noteOf));
  return textsOf(found).filter((text) => texts.has(text));
};

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

test('small containers are searched without Chroma, and a container comes into it while documents come in and searches go on', async () => {
  const memoir = await start({ CHROMA_INDEX_FROM: `${FROM}` });
  await addSmall(memoir, 0, 'a');
  await addSmall(memoir, 1, 'a');
  await addSmall(memoir, 2, 'b');
  await settledWhole(memoir);
  expect(await heldByContainer()).toEqual([]);
  const asked = await queriesOf(async () => {
    for (const at of [0, 1]) await finds(memoir, smallNotes(at) + 3, { containerTag: `a-${at}` });
    await finds(memoir, smallNotes(2) + 5);
  });
  expect(asked).toBe(0);

  let isAdding = true;
  const searching = (async () => {
    while (isAdding)
      for (const at of [0, 1, 2])
        await finds(memoir, smallNotes(at) + 7, at < 2 ? { containerTag: 'a' } : {});
  })();
  for (let from = 0; from < LARGE; from += 20) {
    await addLarge(memoir, 'a', from, 20);
    await until('the portion to be found', async () => {
      const found = await search(memoir, noteOf(LARGE_NOTES + from + 19), { containerTag: 'a' });
      return textsOf(found)[0] === noteOf(LARGE_NOTES + from + 19);
    });
    await finds(memoir, LARGE_NOTES + Math.floor(from / 2));
  }
  isAdding = false;
  await searching;
  await settledWhole(memoir);
  await untilHeld([LARGE]);

  const wide = await queriesOf(async () => {
    for (const number of sampleOf(LARGE, 5, 1))
      await finds(memoir, LARGE_NOTES + number, { containerTag: 'a' });
    for (const number of sampleOf(2 * SMALL, 5, 2)) await finds(memoir, number, { containerTag: 'a' });
    for (const number of sampleOf(3 * SMALL, 5, 3)) await finds(memoir, number);
  });
  expect(wide).toBe(15);
  expect(await notesOf(memoir, noteOf(3))).toBeUndefined();
  // The other team is in the same Chroma and in small containers beside.
  for (const number of range(smallNotes(2), SMALL)) {
    const found = await search(memoir, noteOf(number), { containerTag: 'a' });
    expect(found.results.length).toBeGreaterThan(0);
    expect(foreign(found, range(smallNotes(2), SMALL))).toEqual([]);
  }
}, 240_000);

verifies(
  'search:left-out:small',
  'of too many small containers a wide search finds by words alone, and says so; merged into a large one they are in Chroma',
  async () => {
    const memoir = await start({ CHROMA_INDEX_FROM: `${FROM}`, CHROMA_SHARDS: '2' });
    await addLarge(memoir, 'a');
    for (const at of [0, 1, 2, 3]) await addSmall(memoir, at, 'a');
    await settledWhole(memoir);
    await untilHeld([LARGE]);
    const word = codeOf(smallNotes(2) + 4);
    const found = await search(memoir, word, { searchMode: 'hybrid' });
    expect(textsOf(found)[0]).toBe(noteOf(smallNotes(2) + 4));
    expect(await notesOf(memoir, word)).toEqual(['q']);
    expect(await notesOf(memoir, word, { containerTag: 'a-2' })).toBeUndefined();

    const merged = await memoir.ask('POST', '/v3/container-tags/merge', {
      containerTags: ['a-2', 'a-3'],
      targetContainerTag: 'a',
    });
    expect(merged.status).toBeLessThan(300);
    await untilHeld([LARGE + 2 * SMALL]);
    await settledWhole(memoir);
    await finds(memoir, smallNotes(3) + 2);
    expect(await notesOf(memoir, word)).toBeUndefined();
  },
  { timeoutMs: 240_000 },
);

test('erased documents leave Chroma or never were in it, and another bound fills it again', async () => {
  const memoir = await start({});
  const large = await addLarge(memoir, 'a');
  const small = await addSmall(memoir, 0, 'a');
  await addSmall(memoir, 1, 'a');
  await settledWhole(memoir);
  expect(await heldByContainer()).toEqual([SMALL, SMALL, LARGE]);
  for (const [setting, expected] of [
    [{ CHROMA_INDEX_FROM: `${FROM}` }, [LARGE]],
    [{ CHROMA_INDEX_FROM: '5', CHROMA_SHARDS: '2' }, [SMALL, SMALL, LARGE]],
    [{ CHROMA_INDEX_FROM: '0', CHROMA_SHARDS: '1' }, [SMALL, SMALL, LARGE]],
    [{ CHROMA_INDEX_FROM: `${FROM}` }, [LARGE]],
  ] as const) {
    await memoir.restart({ ...setting });
    await finds(memoir, LARGE_NOTES + 11);
    await finds(memoir, smallNotes(1) + 2);
    await settledWhole(memoir);
    await untilHeld(expected);
    await finds(memoir, LARGE_NOTES + 11);
    await finds(memoir, smallNotes(1) + 2);
  }
  const gone = [...large.slice(0, 20), ...small];
  expect((await memoir.ask('DELETE', '/v3/documents/bulk', { ids: gone })).status).toBe(200);
  await untilHeld([LARGE - 20]);
  await settledWhole(memoir);
  const numbers = [...range(LARGE_NOTES, 20), ...range(smallNotes(0), SMALL)];
  for (const number of sampleOf(numbers.length, 8, 5).map((at) => numbers[at] ?? 0))
    expect(foreign(await search(memoir, noteOf(number)), numbers)).toEqual([]);
  await finds(memoir, smallNotes(1) + 2);
}, 240_000);
