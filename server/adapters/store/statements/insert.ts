// Inserts on the busiest paths as text: building one through Kysely costs more than running it.

import { LRUCache } from 'lru-cache';
import type { Insertable } from '#kysely';
import { allAtOnce } from '../engine/at-once.ts';
import { run } from '../engine/run.ts';
import type { Db, StoreTables } from '../tables/tables.ts';

/** `before`: the parameters of the rows before. */
const placeholders = (columns: readonly string[], before = 0): string =>
  `(${columns.map((_, at) => `$${before + at + 1}`).join(', ')})`;

const insertOf = (table: string, columns: readonly string[], count: number): string => {
  const values = Array.from({ length: count }, (_, at) => placeholders(columns, at * columns.length));
  return `insert into ${table} (${columns.join(', ')}) values ${values.join(', ')}`;
};

/** To write one out anew takes as long as to find one and to gather its values. */
const STATEMENTS_KEPT = 200;
const keptInserts = new LRUCache<string, string>({ max: STATEMENTS_KEPT });

const keptInsert = (table: string, columns: readonly string[], count: number): string => {
  const key = `${count} ${table} ${columns.join(' ')}`;
  const known = keptInserts.peek(key);
  if (known !== undefined) return known;
  const statement = insertOf(table, columns, count);
  keptInserts.set(key, statement);
  return statement;
};

/** All rows have the same columns. */
const insertStatement = (
  table: string,
  rows: readonly object[],
): { statement: string; parameters: unknown[] } => {
  const columns = Object.keys(rows[0] ?? {});
  return {
    statement: keptInsert(table, columns, rows.length),
    parameters: rows.flatMap(Object.values),
  };
};

export const insertRows = async <T extends keyof StoreTables>(
  tx: Db,
  table: T,
  rows: readonly Insertable<StoreTables[T]>[],
): Promise<void> => {
  if (rows.length === 0) return;
  const { statement, parameters } = insertStatement(table, rows);
  await run(tx, statement, parameters);
};

type Numbered = { [T in keyof StoreTables]: 'n' extends keyof StoreTables[T] ? T : never }[keyof StoreTables];

/** The statement is built once. Returns the number that the row got. */
export const numberedInsert = <T extends Numbered, C extends keyof Insertable<StoreTables[T]> & string>(
  table: T,
  columns: readonly C[],
): ((tx: Db, row: Pick<Insertable<StoreTables[T]>, C>) => Promise<number>) => {
  const statement = `insert into ${table} (${columns.join(', ')}) values ${placeholders(columns)} returning n`;
  return async (tx, row) => {
    const { rows } = await run<{ n: number }>(
      tx,
      statement,
      columns.map((column) => row[column]),
    );
    const [inserted] = rows;
    if (inserted === undefined) throw new Error(`A new row of ${table} got no number.`);
    return inserted.n;
  };
};

/** Each is a statement of its own that stays prepared. */
const ROWS_AT_ONCE = [16, 4, 2, 1];

type RowOf<T extends keyof StoreTables, C extends keyof Insertable<StoreTables[T]> & string> = Pick<
  Insertable<StoreTables[T]>,
  C
>;

/** Inserts several rows in few statements; returns what each statement returns, in no order. */
export const severalInserts = <
  Returned extends object,
  T extends keyof StoreTables,
  C extends keyof Insertable<StoreTables[T]> & string,
>(
  table: T,
  columns: readonly C[],
  returning = '',
): ((tx: Db, rows: readonly RowOf<T, C>[]) => Promise<Returned[]>) => {
  const statements = ROWS_AT_ONCE.map((count) => ({
    count,
    statement: `${insertOf(table, columns, count)} ${returning}`,
  }));
  return async (tx, rows) => {
    const returned: Returned[] = [];
    const inserts: { statement: string; parameters: unknown[] }[] = [];
    let left = rows;
    for (const { count, statement } of statements)
      while (left.length >= count) {
        const parameters = left.slice(0, count).flatMap((row) => columns.map((column) => row[column]));
        left = left.slice(count);
        inserts.push({ statement, parameters });
      }
    await allAtOnce(inserts, async ({ statement, parameters }) => {
      returned.push(...(await run<Returned>(tx, statement, parameters)).rows);
    });
    return returned;
  };
};
