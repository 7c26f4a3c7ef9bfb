// Reads the database beside the running server, for facts that no answer shows.
import type { TestMemoir } from '../../support/memoir.ts';
import { storedRows } from '../../support/stored-rows.ts';
import type { Rest } from './use-memoir.ts';

/** The first column of each row. */
export const beside = async (
  memoir: TestMemoir,
  query: string,
  ...values: (string | number)[]
): Promise<unknown[]> => (await storedRows(memoir, query, ...values)).map((row) => Object.values(row)[0]);

/** The notes of the pipeline about each submission of a document, in order. */
export const decisionsOf = ({ memoir }: Pick<Rest, 'memoir'>, id: string): Promise<unknown[]> =>
  beside(
    memoir,
    `select decision from submissions inner join documents on documents.n = submissions.doc
       where documents.id = ? order by submissions.n`,
    id,
  );
