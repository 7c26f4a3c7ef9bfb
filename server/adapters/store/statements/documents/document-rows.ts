// Turns document rows into the records of the port.
import type { Selectable } from '#kysely';
import type { ChunkRecord, DocumentRecord, SourceRecord } from '../../ports/documents.ts';
import type { ChunksTable, DocumentsTable } from '../../tables/tables.ts';
import { visibleStep } from './document-steps.ts';

export const DOCUMENT_COLUMNS = [
  'n',
  'id',
  'container',
  'custom_id',
  'tags',
  'title',
  'title_given',
  'shown_title',
  'title_origin',
  'summary',
  'summary_origin',
  'type',
  'url',
  'source',
  'connection',
  'filepath',
  'task_type',
  'dreaming',
  'metadata',
  'step',
  'revision',
  'failure_code',
  'failure_message',
  'failure_retryable',
  'progress_done',
  'progress_total',
  'progress_unit',
  'note',
  'memory_state',
  'memory_failure_code',
  'memory_failure_message',
  'memory_failure_retryable',
  'input_tokens',
  'output_tokens',
  'chunks',
  'created_at',
  'updated_at',
] as const;

/** The caller's own title, else the one that was found or written for it. */
const shownTitle = (row: Pick<DocumentRow, 'title' | 'title_given' | 'shown_title'>): string | null =>
  row.title_given === 1 ? row.title : (row.shown_title ?? row.title);

/** The origins of the title and of the summary; null: there is none. */
const outlineOrigins = (row: DocumentRow): Pick<DocumentRecord, 'titleOrigin' | 'summaryOrigin'> => ({
  titleOrigin: shownTitle(row) === null ? null : row.title_given === 1 ? 'given' : row.title_origin,
  summaryOrigin: row.summary === null ? null : row.summary_origin,
});

export type DocumentRow = Pick<Selectable<DocumentsTable>, (typeof DOCUMENT_COLUMNS)[number]> & {
  content?: string | null;
};

const documentFailure = (row: DocumentRow): DocumentRecord['failure'] =>
  row.failure_code === null
    ? null
    : { code: row.failure_code, message: row.failure_message ?? '', retryable: row.failure_retryable === 1 };

/** The failure, only while it is current: a retried document keeps the former failure in its row until it succeeds. */
const memoryFailure = (row: DocumentRow): DocumentRecord['memoryFailure'] =>
  row.memory_state !== 'failed' || row.memory_failure_code === null
    ? null
    : {
        code: row.memory_failure_code,
        message: row.memory_failure_message ?? '',
        retryable: row.memory_failure_retryable === 1,
      };

const documentProgress = (row: DocumentRow): DocumentRecord['progress'] =>
  row.progress_total === null
    ? null
    : { done: row.progress_done ?? 0, total: row.progress_total, unit: row.progress_unit ?? 'chunks' };

export const documentRecord = (row: DocumentRow): DocumentRecord => ({
  n: row.n,
  id: row.id,
  customId: row.custom_id,
  tags: JSON.parse(row.tags),
  title: shownTitle(row),
  summary: row.summary,
  ...outlineOrigins(row),
  type: row.type,
  content: row.content ?? null,
  url: row.url,
  source: row.source,
  connection: row.connection,
  filepath: row.filepath,
  taskType: row.task_type,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  step: visibleStep(row),
  revision: row.revision,
  progress: documentProgress(row),
  failure: documentFailure(row),
  memoryState: row.memory_state as DocumentRecord['memoryState'],
  memoryFailure: memoryFailure(row),
  tokens: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
  chunks: row.chunks,
  note: row.note,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Only the columns that search needs: hundreds of rows are read for ten results. */
export const SOURCE_COLUMNS = [
  'n',
  'id',
  'title',
  'title_given',
  'shown_title',
  'summary',
  'type',
  'task_type',
  'filepath',
  'metadata',
  'chunks',
  'created_at',
  'updated_at',
] as const;

export const sourceRecord = (
  row: Pick<Selectable<DocumentsTable>, (typeof SOURCE_COLUMNS)[number]>,
): SourceRecord => ({
  n: row.n,
  id: row.id,
  title: shownTitle(row),
  passageTitle: row.title,
  summary: row.summary,
  type: row.type,
  taskType: row.task_type,
  filepath: row.filepath,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  chunks: row.chunks,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const CHUNK_COLUMNS = [
  'n',
  'id',
  'doc',
  'content',
  'position',
  'part',
  'title',
  'speaker',
  'role',
  'date',
  'flags',
  'metadata',
  'created_at',
] as const;

export type ChunkRow = Pick<Selectable<ChunksTable>, (typeof CHUNK_COLUMNS)[number]>;

export const chunkRecord = (row: ChunkRow): ChunkRecord => ({
  n: row.n,
  id: row.id,
  text: row.content,
  position: row.position,
  part: row.part,
  title: row.title,
  speaker: row.speaker,
  role: row.role,
  date: row.date,
  flags: row.flags,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  createdAt: row.created_at,
});
