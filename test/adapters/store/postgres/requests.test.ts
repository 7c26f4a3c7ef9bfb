// Tests of the reads of requests on PostgreSQL: the scope of each, trips of several, and their end.
import { expect, test } from 'vitest';
import { everywhere, inOneTrip } from '../../../../server/adapters/store/engine/engine.ts';
import { run } from '../../../../server/adapters/store/engine/run.ts';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { createScopedReads } from '../../../../server/adapters/store/postgres/scoped-reads.ts';
import { openWorld } from '../contract/world.ts';
import { migratedPostgres, openPostgresAt } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

const DEADLINE_MS = 30_000;

await describeOnPostgres('a request on PostgreSQL', migratedPostgres, (postgres) => {
  const open = async (deadlineMs = DEADLINE_MS) => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 4, lost: () => undefined, pipeline: true });
    const world = await openWorld(openPostgresAt(url));
    for (const tag of ['a', 'b'])
      await world.add(`text of ${tag}`, { tags: [tag], customId: `c-${tag}`, metadata: { k: tag } });
    await world.index();
    const { of } = createScopedReads(pool, deadlineMs);
    return {
      ...{ pool, world, of },
      rows: async (reads: readonly string[] | null, statement: string) =>
        (await run(of({ reads }), statement)).rows,
      async [Symbol.asyncDispose]() {
        await pool.end();
        await world[Symbol.asyncDispose]();
        await postgres.giveBack(url);
      },
    };
  };

  test('sees the rows of its scope, and no others', async () => {
    await using opened = await open();
    const contents = 'select content from documents order by content';
    expect(await opened.rows(['a'], contents)).toEqual([{ content: 'text of a' }]);
    expect(await opened.rows(['b'], contents)).toEqual([{ content: 'text of b' }]);
    expect(await opened.rows(['nobody'], contents)).toEqual([]);
    expect(await opened.rows([], contents)).toEqual([]);
    expect(await opened.rows(null, contents)).toHaveLength(2);
    const counts = 'select (select count(*) from chunks) + (select count(*) from chunk_words) as n';
    expect(await opened.rows(['a'], counts)).toEqual([{ n: 2 }]);
    const texts = 'select text from document_meta';
    expect(await opened.rows(['b'], texts)).toEqual([{ text: 'b' }]);
  });

  test('leaves no scope behind on its connection', async () => {
    await using opened = await open();
    for (let at = 0; at < 8; at++) await opened.rows(['a'], 'select 1 as one');
    await expect(opened.rows(['a'], 'select nonsense')).rejects.toThrow('nonsense');
    const settings =
      "select current_setting('memoir.reads', true) as reads, current_user = session_user as own";
    for (let at = 0; at < 8; at++) {
      const { rows } = await opened.pool.query<{ reads: string | null; own: boolean }>(settings);
      expect([rows[0]?.reads ?? '', rows[0]?.own]).toEqual(['', true]);
    }
  });

  test('keeps the scopes of calls at the same time apart', async () => {
    await using opened = await open();
    const tags = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'a' : 'b'));
    const seen = await Promise.all(tags.map((tag) => opened.rows([tag], 'select content from documents')));
    expect(seen).toEqual(tags.map((tag) => [{ content: `text of ${tag}` }]));
  });

  test('looks beyond its scope only by saying so', async () => {
    await using opened = await open();
    const { rows } = await run(everywhere(opened.of({ reads: ['a'] })), 'select content from documents');
    expect(rows).toHaveLength(2);
  });

  test('reads what belongs together in one trip, each statement in its own scope', async () => {
    await using opened = await open();
    const contents = 'select content from documents order by content';
    const [a, b] = [opened.of({ reads: ['a'] }), opened.of({ reads: ['b'] })];
    let trips = 0;
    opened.pool.on('acquire', () => {
      trips += 1;
    });
    const read = await inOneTrip(a, () =>
      Promise.all([a, everywhere(a), b, a].map(async (db) => (await run(db, contents)).rows)),
    );
    const [ofA, ofB] = [{ content: 'text of a' }, { content: 'text of b' }];
    expect(read).toEqual([[ofA], [ofA, ofB], [ofB], [ofA]]);
    expect(trips).toBe(1);
  });

  test('fails one trip as a whole, and the next one works', async () => {
    await using opened = await open();
    const a = opened.of({ reads: ['a'] });
    const trip = (statements: readonly string[]) =>
      inOneTrip(a, () => Promise.all(statements.map((statement) => run(a, statement))));
    await expect(trip(['select 1 as one', 'select 1 / 0', 'select 2 as two'])).rejects.toThrow(
      'division by zero',
    );
    expect((await trip(['select 1 as one', 'select 2 as two'])).map(({ rows }) => rows)).toEqual([
      [{ one: 1 }],
      [{ two: 2 }],
    ]);
  });

  test('ends a query at its deadline, with a sentence, and the next one works', async () => {
    await using opened = await open(50);
    await expect(opened.rows(['a'], 'select pg_sleep(60)')).rejects.toThrow(
      'The query was ended after 50 ms',
    );
    expect(await opened.rows(['a'], 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
