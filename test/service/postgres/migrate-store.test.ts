// A store that moves from the data folder to a PostgreSQL and back, with everything in it.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  FOLLOWING_TABLES,
  MOVED_TABLES,
  TABLES_LEFT,
} from '../../../server/adapters/store/moving/moved-tables.ts';
import { openPostgresSide } from '../../../server/adapters/store/moving/postgres-side.ts';
import { openSqliteSide } from '../../../server/adapters/store/moving/sqlite-side.ts';
import {
  cancelStoreMove,
  EMBEDDED,
  migrateStore,
  type StoreMoved,
} from '../../../server/app/moving/migrate-store.ts';
import { openMemoir } from '../../../server/app/open.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { run } from '../../cli/memoir-process.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { until } from '../../support/until.ts';

const TAG = 'mill';
const SECRET = { MEMOIR_SECRET_KEY: 'a secret key for tests, long enough' };
/** The database in the folder, wherever the other tests have theirs. */
const IN_FOLDER = { ...SECRET, MEMOIR_DATABASE_URL: '' };
const quiet = { note: () => undefined, progress: () => undefined };

const embedded = ({ dir }: OwnMemoir) => ({ dataDir: dir, database: null });
const inPostgres = ({ dir }: OwnMemoir, url: string) => ({ dataDir: dir, database: { directUrl: url } });

const fill = async (memoir: OwnMemoir): Promise<void> => {
  const { add } = memoir;
  const known = await add({ content: 'Ada lives in Graz. She keeps bees by the river.', containerTag: TAG });
  await memoir.remembered(known.id);
  const bridge = await add({
    content: 'Über den Dächern von Graz: 東京の橋. The bridge is old.',
    containerTag: 'other',
    customId: 'bridge',
  });
  const told = await add({
    content: 'user: I moved to Vienna last week.\nassistant: How is it there?',
    containerTag: TAG,
    metadata: { topic: 'home', floor: 3, lift: true },
  });
  await memoir.ask('PATCH', `/v3/container-tags/${TAG}`, { entityContext: 'The notes of Ada.' });
  for (const { id } of [bridge, told]) await memoir.remembered(id);
};

/** The answers to callers; times of last use apart. */
const seen = async ({ ask }: OwnMemoir): Promise<unknown> => {
  const of = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await ask(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    const { timing: _timing, ...rest } = answer.body;
    return rest;
  };
  return {
    documents: await of('POST', '/v3/documents/list', { limit: 50, includeContent: true }),
    bees: await of('POST', '/v3/search', { q: 'bees by the river', containerTags: [TAG] }),
    bridge: await of('POST', '/v3/search', { q: 'bridge', containerTags: ['other'] }),
    memories: await of('POST', '/v4/search', {
      q: 'Where does Ada live?',
      containerTag: TAG,
      searchMode: 'memories',
    }),
    listed: await of('POST', '/v4/memories/list', { containerTags: [TAG] }),
    filtered: await of('POST', '/v3/search', {
      q: 'Vienna',
      containerTags: [TAG],
      filters: { AND: [{ key: 'floor', value: '2', filterType: 'numeric', numericOperator: '>' }] },
    }),
    profile: await of('POST', '/v4/profile', { containerTag: TAG }),
    tag: await of('GET', `/v3/container-tags/${TAG}`),
  };
};

const worksOn = async (memoir: OwnMemoir, content: string): Promise<void> => {
  const { id } = await memoir.add({ content, containerTag: 'fresh' });
  const { body } = await memoir.ask<{ results: { documentId: string }[] }>('POST', '/v3/search', {
    q: content,
    containerTags: ['fresh'],
  });
  expect(body.results.map(({ documentId }) => documentId)).toContain(id);
};

const rowsIn = ({ tables }: StoreMoved): number => tables.reduce((sum, { rows }) => sum + rows, 0);

await describeOnPostgres('moving a store', null, (postgres) => {
  test('everything is the same in PostgreSQL, new content follows, and the way back takes it along', async () => {
    const url = await postgres.take();
    const memoir = await startMemoir(IN_FOLDER);
    await fill(memoir);
    const before = await seen(memoir);
    let moved: StoreMoved | null = null;
    await memoir.restart(onPostgres(url), async () => {
      moved = await migrateStore(embedded(memoir), url, quiet);
    });
    expect(await seen(memoir)).toEqual(before);
    expect(moved).toMatchObject({
      from: expect.stringContaining('memoir.db'),
      to: expect.stringContaining('PostgreSQL'),
    });
    await worksOn(memoir, 'A kiln was built behind the barn.');
    const after = await seen(memoir);
    await memoir.restart({}, async () => {
      const back = await migrateStore(inPostgres(memoir, url), EMBEDDED, quiet);
      expect(rowsIn(back)).toBeGreaterThan(50);
    });
    expect(await seen(memoir)).toEqual(after);
    await worksOn(memoir, 'The second kiln is smaller.');
    await memoir.close();
  });

  test('a store in use is copied meanwhile, and what is written until it stops is copied too', async () => {
    const url = await postgres.take();
    const memoir = await startMemoir(IN_FOLDER);
    await fill(memoir);
    const notes: string[] = [];
    const moving = migrateStore(embedded(memoir), url, { ...quiet, note: (text) => notes.push(text) });
    await until('the request to stop the server', async () => notes.length > 0);
    expect(notes[0]).toContain('Everything is copied that was there. Stop');
    const late = await memoir.add({ content: 'The late guest brought plums.', containerTag: TAG });
    await memoir.remembered(late.id);
    await memoir.ask('DELETE', '/v3/documents/bridge');
    const before = await seen(memoir);
    await memoir.restart(onPostgres(url), async () => void (await moving));
    expect(await seen(memoir)).toEqual(before);
    await memoir.close();
  });

  test('an interrupted copy is not served and goes on, and the store that moved is closed until the move is cancelled', async () => {
    const url = await postgres.take();
    const memoir = await startMemoir(IN_FOLDER);
    await fill(memoir);
    const broken = {
      ...quiet,
      progress: (text: string) => {
        if (text.startsWith('memories')) throw new Error('Interrupted.');
      },
    };
    await memoir.restart({}, async () => {
      await expect(migrateStore(embedded(memoir), url, broken)).rejects.toThrow('Interrupted.');
      await expect(startMemoir(onPostgres(url))).rejects.toThrow(
        'has not ended. Run the same "memoir migrate-store" again',
      );
      await cancelStoreMove(embedded(memoir));
    });
    await memoir.restart(
      onPostgres(url),
      async () => void (await migrateStore(embedded(memoir), url, quiet)),
    );
    await memoir.restart({}, async () => {
      const former = loadConfig({ ...SECRET, MEMOIR_DATA_DIR: memoir.dir, MEMOIR_LOG_LEVEL: 'fatal' });
      await expect(openMemoir(former)).rejects.toThrow('This store moved to the database');
      // The command would wait for a minute for a folder that is in use.
      const env = { ...SECRET, MEMOIR_DATA_DIR: memoir.dir, PORT: '0' };
      const { code, stderr } = await run(['serve'], { cwd: memoir.dir, env });
      expect([code, stderr]).toEqual([1, expect.stringContaining('This store moved to the database')]);
      await cancelStoreMove(embedded(memoir));
      await expect(cancelStoreMove(embedded(memoir))).rejects.toThrow('No move of');
    });
    await memoir.close();
  });

  test('the way back into the folder of a server that runs is refused, and nothing is changed', async () => {
    const url = await postgres.take();
    const memoir = await startMemoir(onPostgres(url));
    await expect(migrateStore(inPostgres(memoir, url), EMBEDDED, quiet)).rejects.toThrow(
      `A server uses the data folder ${memoir.dir}, so the store cannot move there.`,
    );
    await worksOn(memoir, 'The server goes on.');
    await memoir.close();
  });

  test('a database of another Memoir, a second move and a wrong address are refused with a sentence', async () => {
    const url = await postgres.take();
    const other = await startMemoir(onPostgres(url));
    await other.close();
    const memoir = await startMemoir(IN_FOLDER);
    await memoir.restart({}, async () => {
      const refusal = (to: string) =>
        migrateStore(embedded(memoir), to, quiet).then(String, ({ message }: Error) => message);
      expect(await refusal(url)).toContain('Another Memoir is in the database');
      expect(await refusal(EMBEDDED)).toContain('The store is in the data folder already.');
      expect(await refusal('mysql://x')).toContain('--to takes the address of a PostgreSQL');
      expect(await refusal('postgres://nobody@127.0.0.1:9/none')).toContain('does not answer');
      const none = { dataDir: join(memoir.dir, 'none'), database: null };
      await expect(migrateStore(none, url, quiet)).rejects.toThrow('There is no Memoir in');
    });
    await memoir.close();
  });

  test('each table of both databases is moved or left on purpose, with the same columns', async () => {
    const [sqlite, server] = [
      openSqliteSide(':memory:', { shared: false }),
      await openPostgresSide(await postgres.take()),
    ];
    const known = new Set([...MOVED_TABLES.map(({ name }) => name), ...TABLES_LEFT]);
    for (const side of [sqlite, server]) {
      const words = /^(?:chunk|memory)_words_/;
      expect((await side.tables()).filter((table) => !known.has(table) && !words.test(table))).toEqual([]);
    }
    for (const { name, key } of MOVED_TABLES) {
      expect(await sqlite.columns(name), name).toEqual(await server.columns(name));
      expect(await server.columns(name)).toEqual(expect.arrayContaining([...key]));
    }
    expect(
      MOVED_TABLES.slice(-FOLLOWING_TABLES.size)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...FOLLOWING_TABLES].sort());
    for (const side of [sqlite, server]) await side.close();
  });
});
