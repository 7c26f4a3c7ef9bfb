// The one way to run SQL text. Statements are written in two ways only: with Kysely's builder where parts are composed
// (scoped views, filters), and as text that goes through `run` where building would cost more than running, or where the
// text is clearer. The `sql` template serves as a fragment inside the builder and is never executed itself. The same text
// gives the same prepared statement, so a value is always a parameter and a list is one parameter of JSON.
import type { QueryResult } from 'kysely';
import type { Db } from '../tables/tables.ts';

/** Runs a text on the connection itself: the layers of Kysely around it cost more than a short statement. */
type TextRunner = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>;

const runners = new WeakMap<Db, TextRunner>();

export const runTextsOf = (db: Db, runner: TextRunner): void => {
  runners.set(db, runner);
};

export const run = async <Row extends object>(
  db: Db,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<QueryResult<Row>> => {
  const runner = runners.get(db);
  if (runner === undefined) throw new Error('Statements run on a database that kyselyOver has made.');
  return runner(statement, parameters) as QueryResult<Row>;
};
