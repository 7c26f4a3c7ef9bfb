// The one way to run SQL text. Statements are written in two ways only: with Kysely's builder where parts are composed
// (scoped views, filters), and as text that goes through `run` where building would cost more than running, or where the
// text is clearer. The `sql` template serves as a fragment inside the builder and is never executed itself. The same text
// gives the same prepared statement, so a value is always a parameter and a list is one parameter of JSON. Both are
// written in the shared language of `dialect.ts`.
import type { QueryResult } from '#kysely';
import type { Db } from '../tables/tables.ts';
import { behindOf } from './engine.ts';

export const run = async <Row extends object>(
  db: Db,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<QueryResult<Row>> => behindOf(db).run(statement, parameters) as Promise<QueryResult<Row>>;
