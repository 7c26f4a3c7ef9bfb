// Tests of when PostgreSQL is asked to look at a table for its plans.
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { refreshStatistics } from '../../../../server/adapters/store/postgres/statistics.ts';
import { migratedPostgres } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

const addWords = async (pool: Pool, from: number, to: number): Promise<void> => {
  await pool.query(
    `insert into chunk_words (n, words) select n, to_tsvector('simple', 'word ' || n) from generate_series($1::int, $2::int) as n`,
    [from, to],
  );
  // The number of rows is told with a delay.
  await pool.query('select pg_stat_force_next_flush()');
};

/** The rows that the planner knows of, and whether it knows their values, in the table and in its partition. */
const planned = async (pool: Pool) => {
  const { rows } = await pool.query<{ name: string; rows: number; known: boolean }>(
    `select relname as name, reltuples::int as rows,
       exists (select 1 from pg_statistic where starelid = pg_class.oid) as known
     from pg_class where relnamespace = 'public'::regnamespace and relname in ('chunk_words', 'chunk_words_all') order by relname`,
  );
  return rows;
};

await describeOnPostgres('statistics of tables', migratedPostgres, (postgres) => {
  test('a table is looked at when it has grown to a hundred rows, and again when it has four times as many', async () => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 1, lost: () => undefined });
    await addWords(pool, 1, 99);
    await refreshStatistics(pool);
    expect((await planned(pool)).some(({ known }) => known)).toBe(false);
    await addWords(pool, 100, 150);
    await refreshStatistics(pool);
    const of150 = ['chunk_words', 'chunk_words_all'].map((name) => ({ name, rows: 150, known: true }));
    expect(await planned(pool)).toEqual(of150);
    await addWords(pool, 151, 590);
    await refreshStatistics(pool);
    expect(await planned(pool)).toEqual(of150);
    await addWords(pool, 591, 600);
    await refreshStatistics(pool);
    expect(await planned(pool)).toEqual(of150.map((each) => ({ ...each, rows: 600 })));
    await pool.end();
    await postgres.giveBack(url);
  });

  test('no table is looked at after the signal was aborted', async () => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 1, lost: () => undefined });
    await addWords(pool, 1, 3000);
    const before = await planned(pool);
    await expect(refreshStatistics(pool, AbortSignal.abort(new Error('stopping')))).rejects.toThrow(
      'stopping',
    );
    expect(await planned(pool)).toEqual(before);
    await pool.end();
    await postgres.giveBack(url);
  });
});
