// Another embedder in the settings of a whole service: the stored vectors serve until the new ones are complete.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { timePasses, until } from '../support/until.ts';
import { chromaOf, collectionsOf } from './support/chroma.ts';
import { spacesIn, spacesWithVectors, unitNumbers, vectorsIn } from './support/database.ts';
import { type Heard, listen } from './support/log.ts';
import { addAll, health, indexAgrees, search, settledWhole, spaces, textsOf } from './support/memoir.ts';
import { byModel, type Paid, startPaid } from './support/paid.ts';
import { repeat } from './support/repeat.ts';
import { CONVERSATION, documentsOf, noteOf, sampleOf } from './support/texts.ts';

const COUNT = 100;
const TAG = 'everybody';
/** The builtin embedder; a setting that is empty is not set. */
const BUILTIN = { MEMOIR_EMBEDDING_MODEL: '', MEMOIR_EMBEDDING_DIMENSIONS: '' };

const tagged = (from: number, count: number) => documentsOf(from, count, { containerTag: TAG });

const everything = () => [...tagged(0, COUNT), { content: CONVERSATION, containerTag: 'talk' }];

/** The embedding service tells stored texts from queries. */
const askedFor = (number: number): string => `${noteOf(number)} asked`;
const isNote = (text: string): boolean => text.includes('Filed as') && !text.endsWith(' asked');

interface Setup {
  memoir: OwnMemoir;
  paid: Paid;
  heard: Heard;
}

const setUp = async (env: (paid: Paid) => Record<string, string>): Promise<Setup> => {
  const paid = await startPaid();
  onTestFinished(() => paid.close());
  const heard = listen();
  const memoir = await startMemoir(env(paid), { searchLimits: { narrow: 40 }, log: heard.log });
  onTestFinished(() => memoir.close());
  return { memoir, paid, heard };
};

/** Serves what is stored, and says everywhere that the settings ask for something else. */
const expectWaiting = async ({ memoir, heard }: Setup, stored: string, wanted: string): Promise<void> => {
  expect(heard.said()).toContain('run memoir reindex');
  const { status, body } = await health(memoir);
  expect([status, body.status, body.ready]).toEqual([200, 'degraded', true]);
  expect(body.parts.embedder).toEqual({
    status: 'degraded',
    detail: expect.stringMatching(new RegExp(`${stored}.*ask for openai ${wanted}.*memoir reindex`)),
  });
  expect(await spaces(memoir)).toMatchObject({
    active: { model: stored, answering: true },
    wanted: { model: wanted },
    reindexNeeded: true,
    reindexing: null,
  });
  for (const number of [1, 2, 3])
    expect(textsOf(await search(memoir, noteOf(number), { containerTag: TAG }))[0]).toBe(noteOf(number));
};

const reindex = async (memoir: OwnMemoir): Promise<void> => {
  const { status, body } = await memoir.ask('POST', '/v3/spaces/reindex', {});
  expect([status, body.reindexing]).toEqual([202, { done: expect.any(Number), total: expect.any(Number) }]);
};

const switched = (memoir: OwnMemoir, model: string): Promise<number> =>
  until(`searches to use ${model}`, async () => {
    const now = await spaces(memoir);
    return now.active?.model === model && !now.reindexNeeded && now.reindexing === null;
  });

/** Between searches: more of them would take the processor from what is tested. */
const PAUSE_MS = 20;

const searchAlways = (memoir: OwnMemoir) =>
  repeat(
    async (turn) => {
      const number = (turn * 31) % COUNT;
      const searchMode = ['semantic', 'hybrid', 'documents', 'keyword'][turn % 4];
      const scope = searchMode === 'documents' ? {} : { containerTag: TAG };
      const found = await search(memoir, askedFor(number), { searchMode, ...scope });
      return { status: found.status, first: textsOf(found)[0], expected: noteOf(number) };
    },
    2,
    PAUSE_MS,
  );

/** While it runs: searches without one failure, and content that comes in between. Answers with how long it took. */
const reindexUnderLoad = async (memoir: OwnMemoir, model: string, from: number): Promise<number> => {
  const searches = searchAlways(memoir);
  const began = performance.now();
  await reindex(memoir);
  for (let at = 0; at < 5; at++) await addAll(memoir, tagged(from + at * 20, 20));
  await switched(memoir, model);
  const took = performance.now() - began;
  await memoir.idle();
  const answers = await searches.end();
  expect(answers.length).toBeGreaterThan(5);
  for (const { status, first, expected } of answers)
    expect({ status, first }).toEqual({ status: 200, first: expected });
  return took;
};

/** The new space alone is left, in SQL and in the index, and finds everything. */
const expectOnly = async (memoir: OwnMemoir, model: string, notes: readonly number[]): Promise<void> => {
  await settledWhole(memoir);
  await until('the former space to be gone', () => spacesIn(memoir.dir).length === 1);
  const [space] = spacesIn(memoir.dir);
  expect(space).toMatchObject({ model, state: 'active', vectors: unitNumbers(memoir.dir).length });
  expect(spacesWithVectors(memoir.dir)).toEqual([space?.id]);
  await indexAgrees(memoir.dir);
  for (const number of notes)
    expect(textsOf(await search(memoir, askedFor(number), { containerTag: TAG }))[0]).toBe(noteOf(number));
  expect((await health(memoir)).body.parts.embedder.status).toBe('ok');
};

/** The same content, embedded as it came in. */
const freshVectors = async (env: Record<string, string>) => {
  const fresh = await startMemoir(env);
  onTestFinished(() => fresh.close());
  await addAll(fresh, everything());
  await fresh.idle();
  return vectorsIn(fresh.dir, spacesIn(fresh.dir)[0]?.id ?? 0);
};

const ALL_NOTES = [...sampleOf(COUNT, 12, 3), 1000, 1050, 1099];

describe('another embedder in the settings', () => {
  test('a change from builtin to a paid embedder lets old vectors serve, and fills new ones in as if they were embedded at once', async () => {
    const setup = await setUp(() => BUILTIN);
    const { memoir, paid } = setup;
    await addAll(memoir, everything());
    await memoir.idle();

    await memoir.restart(paid.env('meaning-1'));
    await expectWaiting(setup, 'words-and-meaning-1', 'meaning-1');
    expect(paid.embedded()).toEqual([]);
    const took = await reindexUnderLoad(memoir, 'meaning-1', 1000);
    process.stdout.write(`  reindexed: ${(took / COUNT).toFixed(2)} ms a chunk, under searches\n`);
    await expectOnly(memoir, 'meaning-1', ALL_NOTES);

    await memoir.restart(paid.env('meaning-1'));
    const mark = paid.mark();
    await expectOnly(memoir, 'meaning-1', ALL_NOTES);
    expect(paid.embedded(mark).toSorted()).toEqual(ALL_NOTES.map(askedFor).toSorted());
    const fresh = await freshVectors(paid.env('meaning-1'));
    const known = new Set(fresh.map(({ text }) => text));
    const filled = vectorsIn(memoir.dir, spacesIn(memoir.dir)[0]?.id ?? 0);
    expect(filled.filter(({ text }) => known.has(text))).toEqual(fresh);
  }, 60_000);

  test('a change back to builtin, with no key left for the stored vectors, leaves words to find until the reindex is over', async () => {
    const setup = await setUp((paid) => paid.env('meaning-1'));
    const { memoir, heard } = setup;
    await addAll(memoir, everything());
    await memoir.idle();

    await memoir.restart({ ...BUILTIN, OPENAI_API_KEY: '', OPENAI_BASE_URL: '' });
    expect(heard.said()).toContain('searching by keyword only');
    expect((await health(memoir)).body.parts.embedder.detail).toContain(
      'searches use keywords only; run memoir reindex',
    );
    expect(await spaces(memoir)).toMatchObject({ active: { answering: false }, reindexNeeded: true });
    expect((await search(memoir, noteOf(3))).status).toBe(503);
    const hybrid = await search(memoir, noteOf(3), { searchMode: 'hybrid' });
    expect(textsOf(hybrid)[0]).toBe(noteOf(3));
    await addAll(memoir, tagged(1000, 50));
    await memoir.idle();
    expect(textsOf(await search(memoir, noteOf(1001), { searchMode: 'hybrid' }))[0]).toBe(noteOf(1001));

    await reindex(memoir);
    await switched(memoir, 'words-and-meaning-1');
    await expectOnly(memoir, 'words-and-meaning-1', [...sampleOf(COUNT, 12, 3), 1000, 1049]);
  }, 60_000);

  test('a change from one paid model to another of other dimensions fills new vectors in', async () => {
    const setup = await setUp((paid) => paid.env('meaning-1'));
    const { memoir, paid } = setup;
    await addAll(memoir, everything());
    await memoir.idle();
    await memoir.restart(paid.env('meaning-2', 128));
    await expectWaiting(setup, 'meaning-1', 'meaning-2');
    const mark = paid.mark();
    slowed(paid, 1_000);
    await reindexUnderLoad(memoir, 'meaning-2', 1000);
    paid.server.always(byModel);
    await expectOnly(memoir, 'meaning-2', ALL_NOTES);
    expect(spacesIn(memoir.dir)).toEqual([expect.objectContaining({ dimensions: 128 })]);
    // Earlier texts are embedded once; later ones as well, and for both spaces.
    const sent = (model: string) => paid.embedded(mark, model).filter(isNote);
    expect(sent('meaning-2')).toHaveLength(COUNT + 100);
    expect(sent('meaning-1')).toEqual(expect.arrayContaining([noteOf(1000), noteOf(1019)]));
  }, 60_000);
});

/** Slow enough to be interrupted. */
const slowed = (paid: Paid, ms: number): void =>
  paid.server.always(async (response, request) => {
    if (request.body.input.length > 1) await timePasses(ms, 'the service is slow');
    return byModel(response, request);
  });

describe('a reindex that is interrupted', () => {
  /** More than are embedded at once. */
  const many = 560;
  const atOnce = 512;

  const halfWay = async (): Promise<Setup> => {
    const setup = await setUp((paid) => paid.env('meaning-1'));
    const { memoir, paid } = setup;
    await addAll(memoir, tagged(0, many));
    await memoir.idle();
    await memoir.restart(paid.env('meaning-2', 128));
    slowed(paid, 700);
    await reindex(memoir);
    await until('some of it to be filled', async () => ((await spaces(memoir)).reindexing?.done ?? 0) > 0);
    expect((await spaces(memoir)).reindexing?.done).toBeLessThan(many);
    return setup;
  };

  test('a reindex that is interrupted goes on after a restart where it was', async () => {
    const { memoir, paid } = await halfWay();
    await memoir.restart(paid.env('meaning-2', 128));
    const { reindexing } = await spaces(memoir);
    expect(reindexing?.total).toBe(many);
    expect(reindexing?.done).toBeGreaterThan(0);
    paid.server.always(byModel);
    await switched(memoir, 'meaning-2');
    await expectOnly(memoir, 'meaning-2', [3, 399, many - 1]);
    // Texts that were under way are sent again, and no others.
    expect(paid.embedded(0, 'meaning-2').filter(isNote).length).toBeLessThanOrEqual(many + atOnce);
  }, 60_000);

  test('a reindex that is interrupted is dropped when the settings are as before; it can be begun again', async () => {
    const { memoir, paid } = await halfWay();
    await memoir.restart(paid.env('meaning-1'));
    paid.server.always(byModel);
    expect(await spaces(memoir)).toMatchObject({
      active: { model: 'meaning-1' },
      reindexNeeded: false,
      reindexing: null,
    });
    await expectOnly(memoir, 'meaning-1', [3, 399]);

    await memoir.restart(paid.env('meaning-3', 160));
    await reindexUnderLoad(memoir, 'meaning-3', many);
    await expectOnly(memoir, 'meaning-3', [3, many, many + 99]);
    expect(await collectionsOf(chromaOf(memoir.dir)?.url ?? '')).toHaveLength(1);
  }, 60_000);
});
