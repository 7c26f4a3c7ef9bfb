// From what is stored to what callers read. Where published clients treat an object as closed, nothing is added.
import type {
  ChunksOutput,
  DocumentOutput,
  DocumentWithMemories,
  ListItem,
  ListOutput,
  ProcessingItem,
  WithMemoriesOutput,
} from '../../../tools/shared/document-outputs.ts';
import type { MemoryEntry } from '../../../tools/shared/memory-outputs.ts';
import type { FileRecord } from '../../adapters/store/file-port.ts';
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
  note: record.note,
});

/** A document that is not finished has its memories before it; one that failed yields none. */
const isDreaming = ({ memoryState, taskType, step }: DocumentRecord): boolean =>
  memoryState === 'waiting' || (taskType !== 'superrag' && step !== 'done' && step !== 'failed');

const drawing = (record: DocumentRecord): Pick<DocumentOutput, 'dreamingStatus' | 'memoryFailure'> => ({
  dreamingStatus: isDreaming(record) ? 'dreaming' : 'done',
  memoryFailure: record.memoryFailure,
});

const presentFile = (file: FileRecord | null): DocumentOutput['raw'] =>
  file === null ? null : { fileName: file.name, mimeType: file.mimeType, bytes: file.bytes };

export const presentDocument = (
  record: DocumentRecord,
  memories: readonly MemoryEntry[],
  file: FileRecord | null = null,
): DocumentOutput => ({
  ...described(record),
  content: record.content,
  ...drawing(record),
  ...(memories.length === 0 ? {} : { memories: [...memories] }),
  usage: record.tokens,
  taskType: record.taskType === 'superrag' ? 'superrag' : 'memory',
  source: record.source,
  ogImage: null,
  raw: presentFile(file),
  spatialPoint: null,
});

const presentItem = (record: DocumentRecord, content: boolean): ListItem => ({
  ...described(record),
  containerTags: withoutProjects(record.tags),
  ...(content ? { content: record.content } : {}),
});

interface Page {
  page: number;
  limit: number;
}

const paginationOf = (total: number, { page, limit }: Page): ListOutput['pagination'] => ({
  currentPage: page,
  totalItems: total,
  totalPages: Math.ceil(total / limit),
  limit,
});

interface FoundDocuments {
  documents: readonly DocumentRecord[];
  total: number;
}

export const presentList = (
  found: FoundDocuments,
  asked: Page & { includeContent: boolean },
): ListOutput => ({
  memories: found.documents.map((record) => presentItem(record, asked.includeContent)),
  pagination: paginationOf(found.total, asked),
});

const presentWithMemories = (
  record: DocumentRecord,
  memories: readonly MemoryEntry[],
): DocumentWithMemories => ({
  ...described(record),
  source: record.source,
  ...drawing(record),
  memoryEntries: [...memories],
});

export const presentListWithMemories = (
  found: FoundDocuments,
  memories: ReadonlyMap<number, readonly MemoryEntry[]>,
  asked: Page,
): WithMemoriesOutput => ({
  documents: found.documents.map((record) => presentWithMemories(record, memories.get(record.n) ?? [])),
  pagination: paginationOf(found.total, asked),
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
