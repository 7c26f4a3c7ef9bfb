// Metadata as rows for filters, in addition to the JSON on the document.
import type { Insertable } from '#kysely';
import type { Metadata, Scalar } from '../ports/metadata.ts';
import type { Db, DocumentMetaTable } from '../tables/tables.ts';
import { foldCase } from './evaluate-filter.ts';
import { insertRows } from './insert.ts';

const valueType = (value: Scalar): 's' | 'n' | 'b' =>
  typeof value === 'number' ? 'n' : typeof value === 'boolean' ? 'b' : 's';

const metadataRow = (
  document: { n: number; container: number },
  [key, value]: [string, Scalar],
): Insertable<DocumentMetaTable> => ({
  key,
  container: document.container,
  type: valueType(value),
  text: String(value),
  folded: foldCase(String(value)),
  number: typeof value === 'number' ? value : null,
  doc: document.n,
});

export const insertMetadata = async (
  tx: Db,
  document: { n: number; container: number },
  metadata: Metadata | null,
): Promise<void> => {
  const rows = Object.entries(metadata ?? {}).map((entry) => metadataRow(document, entry));
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
