// Inserts on the busiest paths, as plain statements: building one through Kysely costs more than running it.
import { CompiledQuery, type Insertable } from 'kysely';
import type { Db, Tables } from '../tables.ts';

const placeholders = (columns: readonly string[]): string => `(${columns.map(() => '?').join(', ')})`;

/** All rows have the same columns. */
const insertion = (table: string, rows: readonly object[]): { sql: string; parameters: unknown[] } => {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map(() => placeholders(columns)).join(', ');
  return {
    sql: `insert into ${table} (${columns.join(', ')}) values ${values}`,
    parameters: rows.flatMap(Object.values),
  };
};

export const insertRows = async <T extends keyof Tables>(
  tx: Db,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> => {
  if (rows.length === 0) return;
  const { sql, parameters } = insertion(table, rows);
  await tx.executeQuery(CompiledQuery.raw(sql, parameters));
};

type Numbered = { [T in keyof Tables]: 'n' extends keyof Tables[T] ? T : never }[keyof Tables];

/** Returns the number that the row got. */
export const insertNumbered = async <T extends Numbered>(
  tx: Db,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<number> => {
  const { sql, parameters } = insertion(table, [row]);
  const { rows } = await tx.executeQuery<{ n: number }>(CompiledQuery.raw(`${sql} returning n`, parameters));
  const [made] = rows;
  if (made === undefined) throw new Error(`A new row of ${table} got no number.`);
  return made.n;
};
