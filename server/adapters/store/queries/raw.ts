// Statements that are written as text: where building them would cost more than running them, or says less.
import { CompiledQuery, type QueryResult } from 'kysely';
import type { Db } from '../tables.ts';

export const run = <Row extends object>(
  db: Db,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<QueryResult<Row>> => db.executeQuery<Row>(CompiledQuery.raw(statement, [...parameters]));
