// Originals of documents: whose a file is, and which files are nobody's any more.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { FileRecord, SubmittedFile } from '../file-port.ts';
import type { Db, FilesTable } from '../tables.ts';
import { inList, visible } from './visible.ts';

const COLUMNS = ['key', 'name', 'mime_type', 'bytes'] as const;

const fileOf = (row: Pick<FilesTable, (typeof COLUMNS)[number]>): FileRecord => ({
  key: row.key,
  name: row.name,
  mimeType: row.mime_type,
  bytes: row.bytes,
});

export const fileOfDocument = async (db: Db, reach: Reach, documentN: number): Promise<FileRecord | null> => {
  const row = await visible(db, reach)
    .with('visible_files', (query) =>
      query.selectFrom('files').innerJoin('visible', 'visible.n', 'files.doc').selectAll('files'),
    )
    .selectFrom('visible_files')
    .select(COLUMNS)
    .where('doc', '=', documentN)
    .executeTakeFirst();
  return row ? fileOf(row) : null;
};

/** For a link that proves itself: it asks for no scope, and so it says of nothing else that it is there. */
export const fileByDocumentId = async (db: Db, id: string): Promise<FileRecord | null> => {
  const row = await db
    .with('visible_files', (query) =>
      query
        .selectFrom('files')
        .innerJoin('documents', 'documents.n', 'files.doc')
        .selectAll('files')
        .where('documents.id', '=', id)
        .where('documents.deleted', '=', sql.lit(0)),
    )
    .selectFrom('visible_files')
    .select(COLUMNS)
    .executeTakeFirst();
  return row ? fileOf(row) : null;
};

export const knownFiles = async (db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db
    .with('visible_keys', (query) => query.selectFrom('files').select('key').where('key', 'in', inList(keys)))
    .selectFrom('visible_keys')
    .select('key')
    .execute();
  return new Set(rows.map(({ key }) => key));
};

/** The document is not made from it any more: it is erased soon. */
export const releaseFile = async (tx: Db, documentN: number): Promise<void> => {
  await tx.updateTable('files').set({ doc: null }).where('doc', '=', documentN).execute();
};

/** In the place of the former. */
export const attachFile = async (
  tx: Db,
  documentN: number,
  file: SubmittedFile,
  now: number,
): Promise<void> => {
  await releaseFile(tx, documentN);
  await tx
    .insertInto('files')
    .values({
      key: file.key,
      doc: documentN,
      name: file.name,
      mime_type: file.mimeType,
      file_type: file.fileType,
      bytes: file.bytes,
      sha256: file.sha256,
      created_at: now,
    })
    .execute();
};

export const filesToErase = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db.selectFrom('files').select('key').where('doc', 'is', null).limit(limit).execute();
  return rows.map(({ key }) => key);
};

export const forgetFiles = async (tx: Db, keys: readonly string[]): Promise<void> => {
  await tx.deleteFrom('files').where('key', 'in', inList(keys)).where('doc', 'is', null).execute();
};
