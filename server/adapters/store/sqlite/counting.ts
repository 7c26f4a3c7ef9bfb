// One writer adds to the rows at once.
import type { ContainerCounts, Counting } from '../engine/engine.ts';
import { run } from '../engine/run.ts';

const statements = new Map<string, string>();

/** Of the named columns; the same text gives the same prepared statement. */
const statementFor = (columns: readonly string[]): string => {
  const name = columns.join(' ');
  const known = statements.get(name);
  if (known !== undefined) return known;
  const sums = columns.map((column, at) => `${column} = ${column} + $${at + 2}`).join(', ');
  const statement = `update containers set ${sums} where n = $1`;
  statements.set(name, statement);
  return statement;
};

export const sqliteCounting: Counting = {
  async containers(tx, n, changes) {
    const columns = Object.keys(changes) as (keyof ContainerCounts)[];
    await run(tx, statementFor(columns), [n, ...columns.map((column) => changes[column])]);
  },
  async vectors(tx, space, by) {
    const { vectors, indexed } = by;
    await run(tx, 'update spaces set vectors = vectors + $1, indexed = indexed + $2 where id = $3', [
      ...[vectors, indexed, space],
    ]);
  },
};
