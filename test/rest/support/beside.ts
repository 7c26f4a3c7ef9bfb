// Reads the database beside the running server, for facts that no answer shows.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Rest } from './use-memoir.ts';

/** The first column of each row. */
export const beside = (dir: string, query: string, ...values: (string | number)[]): unknown[] => {
  const db = new DatabaseSync(join(dir, 'memoir.db'), { readOnly: true });
  try {
    return db
      .prepare(query)
      .all(...values)
      .map((row) => Object.values(row)[0]);
  } finally {
    db.close();
  }
};

/** The notes of the pipeline about each submission of a document, in order. */
export const decisionsOf = ({ memoir }: Pick<Rest, 'memoir'>, id: string): unknown[] =>
  beside(
    memoir.dir,
    `select decision from submissions inner join documents on documents.n = submissions.doc
       where documents.id = ? order by submissions.n`,
    id,
  );
