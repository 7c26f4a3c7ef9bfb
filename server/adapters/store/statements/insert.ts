// Inserts on the busiest paths as text: building one through Kysely costs more than running it.
import type { Insertable } from 'kysely';
import type { Db, StoreTables } from '../tables/tables.ts';
import { run } from './run.ts';

const placeholders = (columns: readonly string[]): string => `(${columns.map(() => '?').join(', ')})`;

/** All rows have the same columns. */
const insertStatement = (
  table: string,
  rows: readonly object[],
): { statement: string; parameters: unknown[] } => {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map(() => placeholders(columns)).join(', ');
  return {
    statement: `insert into ${table} (${columns.join(', ')}) values ${values}`,
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
  const statement = `insert into ${table} (${columns.join(', ')}) values ${placeholders(columns)}`;
  return async (tx, row) => {
    const { insertId } = await run(
      tx,
      statement,
      columns.map((column) => row[column]),
    );
    if (insertId === undefined) throw new Error(`A new row of ${table} got no number.`);
    return Number(insertId);
  };
};
