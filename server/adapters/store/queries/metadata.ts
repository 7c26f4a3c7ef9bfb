// Metadata as rows that filters can use, beside the JSON on the document.
import type { Insertable } from 'kysely';
import type { Metadata, Scalar } from '../port.ts';
import type { Db, DocumentMetaTable } from '../tables.ts';
import { fold } from './filters.ts';
import { insertRows } from './insert.ts';

const typeOf = (value: Scalar): 's' | 'n' | 'b' =>
  typeof value === 'number' ? 'n' : typeof value === 'boolean' ? 'b' : 's';

const metaRow = (
  document: { n: number; container: number },
  [key, value]: [string, Scalar],
): Insertable<DocumentMetaTable> => ({
  key,
  container: document.container,
  type: typeOf(value),
  text: String(value),
  folded: fold(String(value)),
  number: typeof value === 'number' ? value : null,
  doc: document.n,
});

export const insertMetadata = async (
  tx: Db,
  document: { n: number; container: number },
  metadata: Metadata | null,
): Promise<void> => {
  const rows = Object.entries(metadata ?? {}).map((entry) => metaRow(document, entry));
  await insertRows(tx, 'document_meta', rows);
};

export const replaceMetadata = async (
  tx: Db,
  document: { n: number; container: number },
  metadata: Metadata | null,
): Promise<void> => {
  await tx.deleteFrom('document_meta').where('doc', '=', document.n).execute();
  await insertMetadata(tx, document, metadata);
};
