// Tests of what the health says of a transaction that stays open, and of the end of a pool whose connections are busy.
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { heldRowsText } from '../../../../server/adapters/store/postgres/held-rows.ts';
import { endWithLink, watchLink } from '../../../../server/adapters/store/postgres/link.ts';
import { migratedPostgres } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

await describeOnPostgres('connections that are in use for long', migratedPostgres, (postgres) => {
  test('one with an open transaction is named, with the time and the remedy, until it ends', async () => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 1, lost: () => undefined });
    const report = new pg.Client({ connectionString: url, application_name: 'report' });
    await report.connect();
    expect(await heldRowsText(pool, 0)).toBeNull();
    await report.query('begin isolation level repeatable read; select count(*) from documents');
    expect(await heldRowsText(pool, 0)).toMatch(
      /^process \d+ \(report\) has been open for 0 minutes: until it ends PostgreSQL keeps all erased rows, so the tables grow; end it/,
    );
    expect(await heldRowsText(pool)).toBeNull();
    await report.query('commit');
    expect(await heldRowsText(pool, 0)).toBeNull();
    await report.end();
    await pool.end();
    await postgres.giveBack(url);
  });

  test('one with a long statement does not hold up the end of its process', async () => {
    const url = await postgres.take();
    const link = watchLink({ url });
    const pool = openPool({ url, most: 2, link, lost: () => undefined });
    const long = pool.query('select pg_sleep(600)').catch((error: Error) => error.message);
    await pool.query('select 1');
    await endWithLink(pool, link);
    expect(await long).toContain('Connection terminated');
    await postgres.giveBack(url);
  });
});
