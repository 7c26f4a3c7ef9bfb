// A look into the database of a whole Memoir, and changes there that no operation makes, on both databases.
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import type { TestMemoir } from './memoir.ts';

const LOCK_WAIT_MS = 10_000;

const { INT8, NUMERIC } = pg.types.builtins;

/** Counts and sums are numbers, as SQLite gives them. */
const getTypeParser = (type: number, format?: 'text' | 'binary') =>
  type === INT8 || type === NUMERIC ? Number : pg.types.getTypeParser(type, format);

/** The rows of one statement on a PostgreSQL, past all processes. */
export const databaseRows = async (
  url: string,
  statement: string,
  values: readonly SQLInputValue[] = [],
): Promise<Record<string, unknown>[]> => {
  let n = 0;
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  try {
    return (
      await client.query(
        statement.replaceAll('?', () => `$${++n}`),
        [...values],
      )
    ).rows;
  } finally {
    await client.end();
  }
};

/** The rows of one statement, whose parameters are question marks. */
export const storedRows = async (
  { dir, database }: Pick<TestMemoir, 'dir' | 'database'>,
  statement: string,
  ...values: readonly SQLInputValue[]
): Promise<Record<string, unknown>[]> => {
  if (database !== null) return databaseRows(database, statement, values);
  const db = new DatabaseSync(join(dir, 'memoir.db'), { timeout: LOCK_WAIT_MS });
  try {
    return db.prepare(statement).all(...values);
  } finally {
    db.close();
  }
};
