// The rows of new documents.
import type { Submission } from '../../ports/documents.ts';
import { numberedInsert, severalInserts } from '../../statements/insert.ts';

export const contentColumns = ({ content, hash, type, url, file, heavy }: Submission) => ({
  content: file === undefined ? content : null,
  content_hash: hash,
  heavy: heavy ? 1 : 0,
  note: null,
  layout: null,
  type,
  url,
});

/** Columns that are not named are empty. */
const COLUMNS = [
  ...(['id', 'container', 'custom_id', 'tags', 'title', 'title_given', 'content', 'content_hash'] as const),
  ...(['heavy', 'type', 'url', 'source', 'filepath', 'task_type', 'dreaming', 'metadata'] as const),
  ...(['context_filter', 'sent_by', 'step', 'revision', 'due_at', 'created_at', 'updated_at'] as const),
];
export const insertRow = numberedInsert('documents', COLUMNS);
export const insertSeveral = severalInserts<{ n: number; id: string }, 'documents', (typeof COLUMNS)[number]>(
  'documents',
  COLUMNS,
  'returning n, id',
);

export const newRow = (
  item: Submission,
  {
    tags,
    container,
    taskType,
    now,
  }: { tags: readonly string[]; container: number; taskType: string; now: number },
) => ({
  id: item.id,
  container,
  custom_id: item.customId,
  tags: JSON.stringify(tags),
  title: item.title,
  title_given: item.title === null ? 0 : 1,
  ...contentColumns(item),
  source: item.source,
  filepath: item.filepath,
  task_type: taskType,
  dreaming: item.dreaming ?? 'dynamic',
  metadata: item.metadata === null ? null : JSON.stringify(item.metadata),
  context_filter: item.contextFilter === undefined ? null : JSON.stringify(item.contextFilter),
  sent_by: item.sentBy ?? null,
  step: 'queued',
  revision: 1,
  due_at: now,
  created_at: item.createdAt ?? now,
  updated_at: now,
});
