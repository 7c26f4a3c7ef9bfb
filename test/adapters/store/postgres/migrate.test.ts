// Tests of the migrations on PostgreSQL: several processes start at once, and other databases are refused.
import { expect, test } from 'vitest';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { migratePostgres } from '../../../../server/adapters/store/postgres/migrate.ts';
import { describeOnPostgres } from './with-postgres.ts';

await describeOnPostgres('migrations on PostgreSQL', null, (postgres) => {
  /** Tests that make tables take a database of their own. */
  const open = async () => {
    const pool = openPool({ url: await postgres.take(), most: 8, lost: () => undefined });
    return {
      pool,
      names: async () =>
        (await pool.query<{ name: string }>('select name from migrations order by n')).rows.map(
          ({ name }) => name,
        ),
      [Symbol.asyncDispose]: () => pool.end(),
    };
  };

  test('run once when eight processes start at the same time', async () => {
    await using opened = await open();
    await Promise.all(Array.from({ length: 8 }, () => migratePostgres(opened.pool)));
    const names = await opened.names();
    expect(names).toEqual([
      ...['tables', 'triggers', 'requests', 'processes', 'connections', 'audit', 'boots'],
      ...[
        'connectionDocuments',
        'team',
        'sharedState',
        'usage',
        'quotas',
        'hooks',
        'unitNumbers',
        'vectorChanges',
        'requestLog',
        'hiddenDocuments',
        'unitVersions',
        'rowVersions',
        'indexedContainers',
        'writeReceipts',
      ],
    ]);
    await migratePostgres(opened.pool);
    expect(await opened.names()).toEqual(names);
  });

  test('leave nothing behind when one fails, and name it', async () => {
    await using opened = await open();
    const migrations = { first: 'create table first (n int)', second: 'create table nonsense' };
    await expect(migratePostgres(opened.pool, migrations)).rejects.toThrow(
      'Migration 2 of the database ("second") failed and changed nothing',
    );
    const { rows } = await opened.pool.query(
      "select 1 from pg_class where relname in ('first', 'migrations')",
    );
    expect(rows).toEqual([]);
  });

  test('refuse a database of a newer version, and one with other migrations', async () => {
    await using opened = await open();
    await migratePostgres(opened.pool, { one: 'select 1', two: 'select 1' });
    await expect(migratePostgres(opened.pool, { one: 'select 1' })).rejects.toThrow(
      'written by a newer Memoir',
    );
    await expect(migratePostgres(opened.pool, { one: 'select 1', other: 'select 1' })).rejects.toThrow(
      'migration 2 of the database is "two", and this version has "other" there',
    );
  });

  test('deal container numbers out over all ranges, and keep chunk numbers exact', async () => {
    await using opened = await open();
    await migratePostgres(opened.pool);
    const { rows } = await opened.pool.query<{ n: number }>(
      "insert into containers (scope_key) select 'key ' || at from generate_series(1, 70) as at returning n",
    );
    const numbers = rows.map(({ n }) => n);
    expect(new Set(numbers).size).toBe(70);
    expect(new Set(numbers.map((n) => Math.floor(n / 2 ** 20))).size).toBe(32);
    for (const n of numbers) expect(Number.isSafeInteger((n + 1) * 2 ** 28)).toBe(true);
  });
});
