// Rows of chunks together with their documents, as searches read them.
import type { SourceRecord } from '../../ports/documents.ts';
import { CHUNK_COLUMNS, type ChunkRow, SOURCE_COLUMNS, sourceRecord } from './document-rows.ts';

type SourceRow = Parameters<typeof sourceRecord>[0];

export type PassageRow = ChunkRow & {
  [Column in keyof SourceRow as `document_${Column}`]: SourceRow[Column];
};

/** Of `chunks` and `visible`; the columns of the document have names of their own. */
export const PASSAGE_COLUMNS = [
  ...CHUNK_COLUMNS.map((column) => `chunks.${column}` as const),
  ...SOURCE_COLUMNS.map((column) => `visible.${column} as document_${column}` as const),
];

export const documentOfPassage = (row: PassageRow): SourceRecord =>
  sourceRecord({
    n: row.document_n,
    id: row.document_id,
    title: row.document_title,
    title_given: row.document_title_given,
    shown_title: row.document_shown_title,
    summary: row.document_summary,
    type: row.document_type,
    task_type: row.document_task_type,
    filepath: row.document_filepath,
    metadata: row.document_metadata,
    chunks: row.document_chunks,
    created_at: row.document_created_at,
    updated_at: row.document_updated_at,
  });
