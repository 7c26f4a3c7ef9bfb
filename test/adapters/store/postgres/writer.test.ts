// Tests of the writer on PostgreSQL: a write is stored completely or not at all, and repeated if a conflict undid it.
import { expect, test } from 'vitest';
import { run } from '../../../../server/adapters/store/engine/run.ts';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { createPostgresWriter } from '../../../../server/adapters/store/postgres/writer.ts';
import type { Db } from '../../../../server/adapters/store/tables/tables.ts';
import { everything, openWorld, submission } from '../contract/world.ts';
import { migratedPostgres, openPostgresAt } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

await describeOnPostgres('the writer on PostgreSQL', migratedPostgres, (postgres) => {
  const open = async () => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 4, lost: () => undefined });
    const outcomes: unknown[] = [];
    const writer = createPostgresWriter(pool, { wrote: (error) => outcomes.push(error) });
    return {
      ...{ url, pool, writer, outcomes },
      keys: async () =>
        (await pool.query<{ key: string }>('select key from meta order by key')).rows.map(({ key }) => key),
      async [Symbol.asyncDispose]() {
        await pool.end();
        await postgres.giveBack(url);
      },
    };
  };

  const put = (tx: Db, key: string) => tx.insertInto('meta').values({ key, value: key }).execute();
  const fail = (tx: Db, code: string) =>
    run(tx, `do $f$ begin raise exception 'made up' using errcode = '${code}'; end $f$`);

  test('callers that share a write mark the writer as crowded, and for a moment after', async () => {
    await using opened = await open();
    let at = 1_000;
    const writer = createPostgresWriter(opened.pool, { now: () => at });
    await writer.together((tx) => put(tx, 'three'), 'request', 3);
    expect(writer.crowded()).toBe(false);
    await writer.together((tx) => put(tx, 'four'), 'request', 4);
    expect(writer.crowded()).toBe(true);
    at += 60;
    expect(writer.crowded()).toBe(false);
  });

  test('stores what it answered, and nothing of what failed', async () => {
    await using opened = await open();
    expect(
      await opened.writer.write(async (tx) => {
        await put(tx, 'kept');
        return 'answer';
      }),
    ).toBe('answer');
    const broken = opened.writer.write(async (tx) => {
      await put(tx, 'lost');
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(await opened.keys()).toEqual(['kept']);
    expect(opened.outcomes).toEqual([null, expect.objectContaining({ message: 'broken' })]);
  });

  test('refuses a write whose failed statement nobody noticed', async () => {
    await using opened = await open();
    const careless = opened.writer.write(async (tx) => {
      await put(tx, 'lost');
      await fail(tx, '22000').catch(() => undefined);
    });
    await expect(careless).rejects.toThrow('undid the transaction');
    expect(await opened.keys()).toEqual([]);
  });

  test.each(['40001', '40P01', '57P01', '25P03'])('repeats a write that %s undid', async (code) => {
    await using opened = await open();
    let tries = 0;
    await opened.writer.write(async (tx) => {
      tries += 1;
      await put(tx, `try ${tries}`);
      if (tries < 3) await fail(tx, code);
    });
    expect(await opened.keys()).toEqual(['try 3']);
  });

  test('tells PostgreSQL to end the locks of a process that the network cut off, and only in a write', async () => {
    await using opened = await open();
    const limit = "select current_setting('idle_in_transaction_session_timeout') as ms";
    expect((await opened.writer.write((tx) => run(tx, limit))).rows).toEqual([{ ms: '4s' }]);
    expect((await opened.writer.write((tx) => run(tx, limit), 'ingest')).rows).toEqual([{ ms: '10s' }]);
    expect((await opened.pool.query(limit)).rows).toEqual([{ ms: '0' }]);
  });

  test('gives up after five tries, and repeats no other failure', async () => {
    await using opened = await open();
    for (const [code, expected] of [
      ['40001', 5],
      ['23505', 1],
    ] as const) {
      let tries = 0;
      const write = opened.writer.write((tx) => {
        tries += 1;
        return fail(tx, code);
      });
      await expect(write).rejects.toThrow('made up');
      expect(tries).toBe(expected);
    }
  });

  test('lets changes of keys and grants pass a write that lasts', async () => {
    await using opened = await open();
    const { promise: revoked, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const long = opened.writer.write(async (tx) => {
      await put(tx, 'long');
      begin();
      await revoked;
    }, 'ingest');
    await begun;
    await opened.writer.write((tx) => put(tx, 'access'), 'access');
    expect(await opened.keys()).toEqual(['access']);
    end();
    await long;
    expect(await opened.keys()).toEqual(['access', 'long']);
  });

  test('goes on after its connection was ended in the middle of a write', async () => {
    await using opened = await open();
    let tries = 0;
    await opened.writer.write(async (tx) => {
      tries += 1;
      await put(tx, `try ${tries}`);
      if (tries > 1) return;
      const { rows } = await run<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
      await opened.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await run(tx, 'select 1 as one');
    });
    expect(await opened.keys()).toEqual(['try 2']);
  });

  test('a list of texts may hold what PostgreSQL refuses in JSON', async () => {
    await using opened = await open();
    await opened.writer.write((tx) => put(tx, 'ab'));
    const found = async (texts: readonly string[]) =>
      opened.writer.write(async (tx) => {
        const statement = 'select key from meta where key in (select value from text_list($1)) order by key';
        return (await run<{ key: string }>(tx, statement, [JSON.stringify(texts)])).rows.map(
          ({ key }) => key,
        );
      });
    expect(await found(['a\0b', '\ud800', 'x'])).toEqual(['ab']);
    expect(await found(['\\u0000', '\\ud800'])).toEqual([]);
    expect(await found(['ab', '\u{1f600}'])).toEqual(['ab']);
    expect(await found([])).toEqual([]);
  });

  test('stores no NUL, which PostgreSQL refuses', async () => {
    await using opened = await open();
    await opened.writer.write((tx) => put(tx, 'a\0b'));
    expect(await opened.keys()).toEqual(['ab']);
  });

  test('lets others pass while it waits for long to be alone', async () => {
    await using opened = await open();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let lasts = true;
    const long = opened.writer.together(async (tx) => {
      await put(tx, 'long');
      begin();
      // Its transaction is not idle meanwhile.
      while (lasts) await run(tx, 'select pg_sleep(0.2) as slept');
    });
    await begun;
    const alone = opened.writer.write((tx) => put(tx, 'alone'));
    await opened.writer.together((tx) => put(tx, 'together'));
    expect(await opened.keys()).toEqual(['together']);
    lasts = false;
    await Promise.all([long, alone]);
    expect(await opened.keys()).toEqual(['alone', 'long', 'together']);
  });

  test('lets many writers of two processes send to one customId, and stores one document', async () => {
    await using opened = await open();
    const worlds = await Promise.all([1, 2].map(() => openWorld(openPostgresAt(opened.url))));
    const sent = worlds.flatMap((world, from) =>
      Array.from({ length: 20 }, (_, at) =>
        world.store.documents.submit(everything, [
          submission(`part ${from} ${at}`, { customId: 'one', tags: ['t'] }),
        ]),
      ),
    );
    const answers = (await Promise.all(sent)).flat();
    expect(new Set(answers.map((answer) => (answer.outcome === 'accepted' ? answer.id : answer))).size).toBe(
      1,
    );
    const { rows } = await opened.pool.query<{ documents: number; submissions: number; containers: number }>(
      `select (select count(*) from documents) as documents, (select count(*) from submissions) as submissions,
         (select count(*) from containers) as containers`,
    );
    expect(rows).toEqual([{ documents: 1, submissions: 40, containers: 1 }]);
    for (const world of worlds) await world[Symbol.asyncDispose]();
  });
});
