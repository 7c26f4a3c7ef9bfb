// What the database says, asked beside the running server: for what no answer shows.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
