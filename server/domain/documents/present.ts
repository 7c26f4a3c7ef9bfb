// From what is stored to what callers read. Where published clients treat an object as closed, nothing is added.
import type {
  ChunksOutput,
  DocumentOutput,
  ListItem,
  ListOutput,
  ProcessingItem,
} from '../../../tools/shared/document-outputs.ts';
import type { ChunkRecord, DocumentRecord, Step } from '../../adapters/store/port.ts';

type Status = DocumentOutput['status'];

export const statusOf = (step: Step): Status =>
  step === 'queued' || step === 'done' || step === 'failed' ? step : 'processing';

const iso = (at: number) => new Date(at).toISOString();

/** Projects are tags to the service and folders to the programs that made them, which do not expect them in lists. */
const withoutProjects = (tags: readonly string[]) => tags.filter((tag) => !tag.startsWith('sm_project_'));

const named = (record: DocumentRecord): ProcessingItem => ({
  id: record.id,
  customId: record.customId,
  title: record.title,
  type: record.type,
  metadata: record.metadata,
  containerTags: [...record.tags],
  createdAt: iso(record.createdAt),
  updatedAt: iso(record.updatedAt),
  status: statusOf(record.step),
  step: record.step,
  progress: record.progress,
  failure: record.failure,
});

const described = (record: DocumentRecord) => ({
  ...named(record),
  connectionId: null,
  summary: record.summary,
  filepath: record.filepath,
  url: record.url,
});

export const presentDocument = (record: DocumentRecord): DocumentOutput => ({
  ...described(record),
  content: record.content,
  dreamingStatus: 'done',
  taskType: record.taskType === 'superrag' ? 'superrag' : 'memory',
  source: record.source,
  ogImage: null,
  raw: null,
  spatialPoint: null,
});

const presentItem = (record: DocumentRecord, content: boolean): ListItem => ({
  ...described(record),
  containerTags: withoutProjects(record.tags),
  ...(content ? { content: record.content } : {}),
});

export const presentList = (
  found: { documents: readonly DocumentRecord[]; total: number },
  asked: { page: number; limit: number; includeContent: boolean },
): ListOutput => ({
  memories: found.documents.map((record) => presentItem(record, asked.includeContent)),
  pagination: {
    currentPage: asked.page,
    totalItems: found.total,
    totalPages: Math.ceil(found.total / asked.limit),
    limit: asked.limit,
  },
});

export const presentProcessing = (record: DocumentRecord): ProcessingItem => ({
  ...named(record),
  containerTags: withoutProjects(record.tags),
});

/** A long turn is stored in parts; to a caller every chunk has a place of its own. */
export const presentChunks = (documentId: string, chunks: readonly ChunkRecord[]): ChunksOutput => ({
  documentId,
  total: chunks.length,
  chunks: chunks.map((chunk, position) => ({
    id: chunk.id,
    position,
    content: chunk.text,
    type: 'text',
    createdAt: iso(chunk.createdAt),
    metadata: chunk.metadata,
  })),
});
