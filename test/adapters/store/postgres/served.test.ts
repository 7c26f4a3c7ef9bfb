// Tests of the texts that processes tell each other of.
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { createServedReader } from '../../../../server/adapters/store/postgres/processes/served.ts';
import { migratedPostgres } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

await describeOnPostgres('texts that were returned', migratedPostgres, (postgres) => {
  test('each is read once, also one that becomes visible after a later one', async () => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 3, lost: () => undefined });
    const tell = (on: Pick<Pool, 'query'>, text: string) =>
      on.query('insert into served (told) values ($1)', [JSON.stringify([{ tags: ['a'], texts: [text] }])]);
    const read = createServedReader(pool);
    const texts = async () => (await read()).flatMap((told) => told.texts);
    await tell(pool, 'first');
    expect(await texts()).toEqual(['first']);
    const late = await pool.connect();
    await late.query('begin');
    await tell(late, 'late');
    await tell(pool, 'early');
    expect(await texts()).toEqual(['early']);
    expect(await texts()).toEqual([]);
    await late.query('commit');
    late.release();
    expect(await texts()).toEqual(['late']);
    expect(await texts()).toEqual([]);
    await pool.end();
    await postgres.giveBack(url);
  });
});
