// Reads that a thread keeps for its searches are never older than the database: after every kind of change a store that has read
// everything before answers as one that was opened just now.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReader } from '../../../../server/adapters/store/request-side/reader.ts';
import { createRequestStore } from '../../../../server/adapters/store/request-side/store.ts';
import { openSqliteConnection } from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { createClock } from '../../../support/clock.ts';
import { openTestStore, type TestStore } from '../../../support/store.ts';
import { connect, item, lease, look, takeOne } from '../contract/connections/support.ts';
import { FLOAT_SPACE, vectorOf } from '../contract/reading.ts';
import { listed, purgeAll, readForMemories, revised, tell } from '../contract/telling.ts';
import {
  contentPatch,
  everything,
  only,
  openWorld,
  type StoreUnderTest,
  type World,
} from '../contract/world.ts';

const HOUR = 3_600_000;
const SCOPES = [only('a'), only('b'), only('a', 'b'), only('a', 'b', 'c'), everything];
const MEMORIES = { units: 'memories' } as const;
const NOTES = {
  filter: {
    ...{ key: 'kind', value: 'note', filterType: 'metadata' },
    ...{ numericOperator: '=', negate: false, ignoreCase: false },
  },
} as const;

/** A thread that searches, without others. */
const openThread = (file: string, now: () => number) => {
  const connection = openSqliteConnection(file, { readOnly: true, scopedReads: true });
  const db = kyselyOver(connection);
  const dbOf = () => db;
  const refuse = () => Promise.reject(new Error('A thread that searches writes nothing.'));
  const store = createRequestStore(dbOf, createReader(dbOf, { workers: null, now }), refuse);
  return { ...store, close: () => connection.close() };
};

type SearchingThread = ReturnType<typeof openThread>;

/** Whatever a search may read of these chunks and memories, in every scope. */
const readAll = async ({ search, recall, spaces }: SearchingThread, ns: readonly number[]) => {
  const known = await spaces.list();
  const ofScope = async (scope: (typeof SCOPES)[number]) => {
    const answers: unknown[] = [await recall.statements(scope, MEMORIES, ns)];
    for (const restriction of [{}, NOTES]) {
      answers.push(await search.passages(scope, restriction, ns));
      answers.push(
        await search.keyword(scope, restriction, analyse('Ada tea'), { aside: false, limit: 1000 }),
      );
    }
    for (const { id: space, dimensions } of known)
      for (const restriction of [{}, NOTES, MEMORIES]) {
        const request = { space, vector: vectorOf('tea', dimensions), limit: 1000, aside: false };
        answers.push(await search.scan(scope, restriction, request));
      }
    return answers;
  };
  return Promise.all(SCOPES.map(ofScope));
};

interface Watched extends AsyncDisposable {
  readonly world: World;
  readonly thread: SearchingThread;
  /** Changes the tables behind the store. */
  meddle(statements: string): void;
  /** The numbers of all chunks and memories that were ever there. */
  numbers(): readonly number[];
  /** Every search of the thread shows the change. */
  shows(name: string, change: () => Promise<unknown>): Promise<void>;
}

const openWatched = async (): Promise<Watched> => {
  let opened: TestStore | undefined;
  const world = await openWorld(async ({ now }) => {
    opened = openTestStore({ now });
    return opened as unknown as StoreUnderTest;
  });
  const file = opened?.file ?? '';
  const thread = openThread(file, world.clock.now);
  const intruder = new DatabaseSync(file, { timeout: 10_000 });
  const units = intruder.prepare('select n from chunks union select n from memories');
  const seen = new Set<number>();
  const numbers = () => {
    for (const { n } of units.all()) seen.add(Number(n));
    return [...seen].sort((a, b) => a - b);
  };
  return {
    ...{ world, thread, numbers },
    meddle: (statements) => intruder.exec(statements),
    async shows(name, change) {
      const before = await readAll(thread, numbers());
      expect(await readAll(thread, numbers()), `${name}: before`).toEqual(before);
      await change();
      const fresh = openThread(file, world.clock.now);
      const now = await readAll(fresh, numbers());
      fresh.close();
      expect(await readAll(thread, numbers()), name).toEqual(now);
      expect(now, `${name}: a change`).not.toEqual(before);
    },
    async [Symbol.asyncDispose]() {
      thread.close();
      intruder.close();
      await world[Symbol.asyncDispose]();
    },
  };
};

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: createClock().now() }));
afterEach(() => vi.useRealTimers());

test('a search shows every change of documents', async () => {
  await using watched = await openWatched();
  const { world, shows, meddle } = watched;
  const { documents } = world.store;
  const one = { customId: 'one', metadata: { kind: 'note' } };
  await shows('an add', async () => {
    await world.add('Ada drinks tea\n\nAda plays chess', one);
    await world.add('Ben drinks tea', { tags: ['b'] });
    await world.add('Both drink tea', { tags: ['a', 'b'], metadata: { kind: 'note' } });
    await world.index();
  });
  await shows('a document beside it', async () => {
    await world.add('Ada drinks coffee', {
      customId: 'two',
      metadata: { kind: 'note' },
      taskType: 'superrag',
    });
    await world.index();
  });
  await shows('another one in its place', async () => {
    await documents.remove(everything, { by: 'ref', ref: 'two' });
    await purgeAll(world);
    await world.add('Ada drinks water', { metadata: { kind: 'note' }, taskType: 'superrag' });
    await world.index();
  });
  await shows('another passage', async () => {
    await world.add('Ada drinks tea\n\nAda plays chess\n\nAda sings', { ...one, replace: true });
    await world.index();
  });
  await shows('other words', async () => {
    await world.patch('one', contentPatch('Ada drinks green tea\n\nAda plays chess'));
    await world.index();
  });
  await shows('other vectors for the same passages', async () => {
    await world.patch('one', contentPatch('Ada drinks green tea\n\nAda plays chess\n\nAda rows'));
    await world.index({ seam: 'beside others: ' });
  });
  await shows('other dates for the same passages', async () => {
    await world.patch('one', {
      ...contentPatch('Ada plays chess\n\nAda drinks green tea'),
      metadata: { date: '2026-01-01' },
    });
    await world.index({ spoken: true });
  });
  await shows('metadata', () => world.patch('one', { metadata: { kind: 'letter' } }));
  await shows('a title', () => world.patch('one', { title: 'Ada' }));
  await shows('a path', () => world.patch('one', { filepath: '/ada' }));
  await shows('a kind of task', () => world.patch('one', { taskType: 'superrag' }));
  // As a document of an earlier release.
  meddle('update documents set title_origin = null');
  await shows('an outline', async () => {
    const outline = { title: 'Tea', isStated: false, summary: 'Tea.' };
    const jobs = await world.ingest.withoutOutline(10);
    await world.ingest.storeOutlines(jobs.map(({ n, revision }) => ({ n, revision, outline })));
  });
  // No write does so today.
  await shows('a speaker alone', async () =>
    meddle("update chunks set speaker = 'Ada' where content like '%green%'"),
  );
  await shows('a move', () => world.patch('one', { tags: ['b'] }));
  await shows('the index after a move', () => world.index());
  await shows('a move that takes no part', async () => {
    await world.patch('one', { tags: ['c'] });
    await world.index();
    await world.patch('one', { tags: ['a', 'c'] });
  });
  await shows('a merge of tags', async () => {
    await world.store.tags.merge(everything, { id: 'm', sources: ['b'], target: 'c' });
    while (await world.merges.mergeSlice(1));
  });
  await shows('the index after a merge', () => world.index());
  await shows('a deletion', () => documents.remove(everything, { by: 'ref', ref: 'one' }));
  await purgeAll(world);
  await shows('an add after an erasure', async () => {
    await world.add('Ada drinks tea again', one);
    await world.index();
  });
  await shows('the end of a passage alone', async () =>
    meddle(`delete from chunk_words where rowid in (select n from chunks where content like '%again%');
      delete from chunks where content like '%again%'`),
  );
  await shows('the end of a tag', () => world.store.tags.remove(everything, 'a'));
});

test('a search shows every change of memories', async () => {
  await using watched = await openWatched();
  const { world, shows } = watched;
  const { memories, documents } = world.store;
  await shows('a statement', () => tell(world, 'Ada drinks tea'));
  await shows('memories of a document', async () => {
    await world.add('Ada sings\n\nAda rows', { customId: 'one', metadata: { kind: 'note' } });
    await readForMemories(world);
  });
  const of = async (statement: string) =>
    (await listed(world)).find(({ memory }) => memory === statement)?.id ?? '';
  await shows('a revision', async () => revised(world, await of('Ada drinks tea'), 'Ada drinks green tea'));
  await shows('the metadata of their document', () => world.patch('one', { metadata: { kind: 'letter' } }));
  await shows('what is forgotten', async () =>
    memories.forget(everything, [await of('Ada sings')], { reason: null, batch: null }),
  );
  await shows('what has a last hour', () =>
    tell(world, 'Ada is in Lyon', { forgetAfter: Date.now() + HOUR }),
  );
  await shows('the end of that hour', async () => {
    world.clock.pass(2 * HOUR);
    vi.setSystemTime(world.clock.now());
  });
  await shows('the end of their document', () => documents.remove(everything, { by: 'ref', ref: 'one' }));
});

test('a search shows no document of a removed connection', async () => {
  await using watched = await openWatched();
  const { world, shows, meddle } = watched;
  const id = await connect(world);
  await shows('what a connection brings', async () => {
    const run = await lease(world);
    await look(world, run, [item('first'), item('second')]);
    for (const wanted of await world.syncing.wanted(id, 100))
      await takeOne(world, run, wanted, `Tea of ${wanted.id}`);
    await world.index();
  });
  // Its documents are hidden by the first statement; the later ones fail, as if the process had ended.
  await shows('the removal', async () => {
    meddle(
      "create unique index stopped on documents (container, deleted) where deleted = 1 and source = 's3'",
    );
    await expect(world.store.connections.remove(everything, id, false)).rejects.toThrow();
  });
});

test('a search shows every vector of a space that is filled, and none of one that is gone', async () => {
  await using watched = await openWatched();
  const { world, shows } = watched;
  await world.add('Ada drinks tea\n\nAda sings');
  await world.index();
  const other = {
    embedder: 'other',
    model: 'm',
    dimensions: 16,
    state: 'filling',
    calibration: null,
  } as const;
  const { id } = await world.store.spaces.create(other);
  const fill = (text: string) => async () => {
    const { ns } = await world.ingest.missing({ id, ...FLOAT_SPACE }, -1, 1000);
    await world.ingest.fillVectors(
      { id, ...FLOAT_SPACE },
      ns.map((n) => ({ n, vector: vectorOf(`${text} ${n}`) })),
    );
  };
  await shows('a filled space', fill('first'));
  await shows('a forgotten space', () => world.ingest.forgetSpace(id));
  await shows('a space with the same number', async () => {
    expect((await world.store.spaces.create(other)).id).toBe(id);
    await fill('second')();
  });
});

test('what searches keep of a tag stays while others write', async () => {
  await using watched = await openWatched();
  const { world, thread, numbers } = watched;
  await world.add('Ada drinks tea');
  await world.index();
  const ns = numbers();
  const read = () => thread.search.passages(only('a'), {}, ns);
  const [first] = await read();
  await world.add('Ben drinks tea', { tags: ['b'] });
  await world.add('Ada sings', { tags: ['a'] });
  await world.index();
  expect((await read())[0]).toBe(first);
});
