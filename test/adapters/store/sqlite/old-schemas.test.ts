// A database that any earlier schema wrote opens with the present code: everything in it is found, what waited is
// processed, and it can be changed.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { builtinEmbedder } from '../../../../server/adapters/embed/builtin.ts';
import { createOutlineWorker } from '../../../../server/domain/ingestion/outlines/outline-worker.ts';
import { harvestMemories } from '../../../../server/domain/memories/harvest.ts';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { allDuties } from '../../../../server/lib/async/background/duties.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { checkAccounts } from '../../../crash/accounts.ts';
import { createTestPipeline } from '../../../domain/ingestion/fixtures/pipeline.ts';
import type { OldDatabase } from '../../../fixtures/old-schemas/expected.ts';
import { openTestStore, type TestStore } from '../../../support/store.ts';
import { until } from '../../../support/until.ts';
import { everything, submission } from '../contract/world.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/old-schemas');
/** Of a commit whose fourth migration is the fifth of all others. */
const DISORDERED = '04';
const MIGRATIONS = join(import.meta.dirname, '../../../../server/adapters/store/sqlite/migrations');
const schemas = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.db.gz'))
  .map((name) => name.slice(0, -'.db.gz'.length))
  .filter((name) => name !== DISORDERED);

const PAGE = { sort: 'createdAt', order: 'asc', limit: 100, offset: 0, content: true } as const;
const NEVER = new AbortController().signal;

/** Ingestion and remembering over the space that the old database used. */
const workOver = async ({ store, ingest, remembering }: TestStore) => {
  const [space] = await store.spaces.list();
  const embedder = space && builtinEmbedder.openStored({}, space);
  if (!space || !embedder) throw new Error('The database has no space of the builtin embedder.');
  expect(space.state).toBe('active');
  const filled = { id: space.id, dimensions: space.dimensions, keepExact: false, serves: true, embedder };
  const pipeline = createTestPipeline({ store: ingest, spaces: () => [filled], embedder });
  const remember = async (): Promise<void> => {
    const reader = createRulesReader();
    const deps = {
      store: remembering,
      reader,
      spaces: () => [filled],
      guidance: async () => ({ filterPrompt: null, includeItems: [], excludeItems: [] }),
      served: async () => [],
    };
    for (;;) {
      const [job] = await remembering.claimToRemember(1);
      if (job === undefined) return;
      await remembering.remember(await harvestMemories(deps, job, NEVER), [filled]);
    }
  };
  return { space: space.id, embedder, pipeline, remember };
};

const openOld = (schema: string) => {
  const database = gunzipSync(readFileSync(join(FIXTURES, `${schema}.db.gz`)));
  const expected = JSON.parse(readFileSync(join(FIXTURES, `${schema}.json`), 'utf8')) as OldDatabase;
  const opened = openTestStore({ database });
  const { store } = opened;
  const documents = async () => (await store.documents.list(everything, PAGE)).documents;
  return {
    ...opened,
    expected,
    documents,
    contents: async () =>
      Object.fromEntries((await documents()).map(({ customId, content }) => [customId, content])),
    live: async () => (await store.memories.live(everything, { limit: 100 })).map(({ memory }) => memory),
    [Symbol.asyncDispose]: opened.close,
  };
};

test('every schema before the newest has a database', () => {
  const numbered = readdirSync(MIGRATIONS).map((name) => name.slice(1, 3));
  expect([...schemas, DISORDERED]).toEqual(expect.arrayContaining(numbered.sort().slice(0, -1)));
});

describe.each(schemas)('a database of schema %s', (schema) => {
  test('opens with every document and every memory', async () => {
    await using old = openOld(schema);
    expect(await old.contents()).toEqual(old.expected.contents);
    expect(await old.live()).toEqual(expect.arrayContaining(old.expected.memories));
  });

  test('is searched, and what was in work when it was killed is processed', async () => {
    await using old = openOld(schema);
    const { store, ingest } = old;
    await ingest.takeOver('test');
    const { space, embedder, pipeline, remember } = await workOver(old);
    pipeline.start();
    await until('an empty queue', async () => (await store.counts()).queued === 0);
    expect((await old.documents()).map(({ step }) => step)).toEqual(
      Object.keys(old.expected.contents).map(() => 'done'),
    );
    const words = await store.search.keyword(everything, {}, analyse('tea'), { aside: false, limit: 9 });
    const vector = await embedder.embedQuery('green tea', undefined, NEVER);
    const near = await store.search.scan(everything, {}, { space, vector, limit: 1, aside: false });
    const [passage] = await store.search.passages(everything, {}, [near[0]?.n ?? 0]);
    expect(words.matches.map(({ n }) => n)).toContain(near[0]?.n);
    expect(passage?.text).toContain('green tea');
    await remember();
    await pipeline.stop(1000);
  });

  test('gets a title and a summary for every document, and keeps its times', async () => {
    await using old = openOld(schema);
    const before = await old.documents();
    const worker = createOutlineWorker({
      store: old.ingest,
      duties: allDuties,
      log: { error: () => undefined },
    });
    worker.start();
    const done = (await old.documents())
      .filter(({ step }) => step === 'done')
      .map(({ customId }) => customId);
    const titled = async () => (await old.documents()).filter(({ titleOrigin }) => titleOrigin !== null);
    await until('a title for each', async () => (await titled()).length === done.length);
    await worker.stop();
    const office = (await titled()).find(({ customId }) => customId === 'office');
    expect(office).toMatchObject({
      title: 'The office closes at seven',
      summary: 'The office closes at seven.',
      summaryOrigin: 'drawn',
    });
    expect((await old.documents()).map(({ updatedAt }) => updatedAt)).toEqual(
      before.map(({ updatedAt }) => updatedAt),
    );
  });

  test('takes further content, changes and deletions, and every row still has the rows that it refers to', async () => {
    await using old = openOld(schema);
    const { store, ingest } = old;
    await ingest.takeOver('test');
    const { pipeline, remember } = await workOver(old);
    pipeline.start();
    const later = submission('User: I moved to Oslo.', { customId: 'chat', tags: ['ada'] });
    await store.documents.submit(everything, [later]);
    await store.documents.update(everything, 'tea', { tags: ['bob'] });
    await store.documents.remove(everything, { by: 'ref', ref: 'office' });
    pipeline.wake();
    await until('an empty queue', async () => (await store.counts()).queued === 0);
    await remember();
    while (await ingest.purge(100));
    await pipeline.stop(1000);
    const { office: _office, ...left } = old.expected.contents;
    const contents = await old.contents();
    expect(Object.keys(contents).sort()).toEqual(Object.keys(left).sort());
    expect(contents).toMatchObject({ tea: left.tea, chat: `${left.chat}\nUser: I moved to Oslo.` });
    expect(await old.live()).toEqual(expect.arrayContaining([expect.stringContaining('Oslo')]));
    checkAccounts({ dir: dirname(old.file), key: '', logFile: '' });
  });
});

test('a database whose migrations were applied in another order is refused with what it lacks, and stays as it is', () => {
  expect(() => openOld(DISORDERED)).toThrow(
    'This data folder was written by a development version of Memoir with other migrations: it has schema 4 without documents.layout. Nothing was changed. Start the version that wrote the folder',
  );
});
