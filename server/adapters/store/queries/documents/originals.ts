// Originals of documents: the file of each document, and files that belong to no document any more.
import { textList } from '../../engine/lists.ts';
import type { FileRecord, SubmittedFile } from '../../ports/files.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { LIVING, visible } from '../../statements/scoped-views.ts';
import type { Db, FilesTable } from '../../tables/tables.ts';

const COLUMNS = ['key', 'name', 'mime_type', 'bytes'] as const;

const fileRecord = (row: Pick<FilesTable, (typeof COLUMNS)[number]>): FileRecord => ({
  key: row.key,
  name: row.name,
  mimeType: row.mime_type,
  bytes: row.bytes,
});

const fileOfDocument = async ({ db, reach }: ScopedRead, documentN: number): Promise<FileRecord | null> => {
  const row = await visible(db, reach)
    .with('visible_files', (query) =>
      query.selectFrom('files').innerJoin('visible', 'visible.n', 'files.doc').selectAll('files'),
    )
    .selectFrom('visible_files')
    .select(COLUMNS)
    .where('doc', '=', documentN)
    .executeTakeFirst();
  return row ? fileRecord(row) : null;
};

/** For a signed link, without a scope: it reveals nothing about other documents. */
export const fileByDocumentId = async (db: Db, id: string): Promise<FileRecord | null> => {
  const row = await db
    .with('visible_files', (query) =>
      query
        .selectFrom('files')
        .innerJoin('documents', 'documents.n', 'files.doc')
        .selectAll('files')
        .where('documents.id', '=', id)
        .where(LIVING),
    )
    .selectFrom('visible_files')
    .select(COLUMNS)
    .executeTakeFirst();
  return row ? fileRecord(row) : null;
};

export const knownFiles = async (db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db
    .with('visible_keys', (query) =>
      query.selectFrom('files').select('key').where('key', 'in', textList(keys)),
    )
    .selectFrom('visible_keys')
    .select('key')
    .execute();
  return new Set(rows.map(({ key }) => key));
};

/** The document no longer needs its original, which is erased soon. */
export const releaseFile = async (tx: Db, documentN: number): Promise<void> => {
  await tx.updateTable('files').set({ doc: null }).where('doc', '=', documentN).execute();
};

/** True: this write was stored before, and its answer was lost. */
export const isAttached = async (
  tx: Db,
  documentN: number,
  file: SubmittedFile | undefined,
): Promise<boolean> => {
  if (file === undefined) return false;
  const row = await tx
    .selectFrom('files')
    .select('key')
    .where('key', '=', file.key)
    .where('doc', '=', documentN)
    .executeTakeFirst();
  return row !== undefined;
};

/** Replaces the former original. */
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
  await tx.deleteFrom('files').where('key', 'in', textList(keys)).where('doc', 'is', null).execute();
};

/** The reads of this file, under the names of the port. */
export const originalReads = { file: fileOfDocument };
