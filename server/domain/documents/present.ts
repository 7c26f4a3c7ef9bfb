// Turns stored documents into answers. Objects that published clients treat as closed get no further fields.

import type {
  ChunksOutput,
  DocumentOutput,
  DocumentWithMemories,
  ListItem,
  ListOutput,
  ProcessingItem,
  WithMemoriesOutput,
} from '../../../tools/documents/schemas/outputs.ts';
import type { MemoryEntry } from '../../../tools/memories/schemas/outputs.ts';
import type {
  ChunkRecord,
  DocumentRecord,
  DocumentStep,
  ListedChunk,
} from '../../adapters/store/ports/documents.ts';
import type { FileRecord } from '../../adapters/store/ports/files.ts';
import { isoTime } from '../../lib/text/dates/format.ts';

type Status = DocumentOutput['status'];

export const documentStatus = (step: DocumentStep): Status =>
  step === 'queued' || step === 'done' || step === 'failed' ? step : 'processing';

/** A project is stored as a tag; the programs that create projects do not expect them in lists of tags. */
const withoutProjects = (tags: readonly string[]) => tags.filter((tag) => !tag.startsWith('sm_project_'));

const documentHeader = (record: DocumentRecord): ProcessingItem => ({
  id: record.id,
  customId: record.customId,
  title: record.title,
  type: record.type,
  metadata: record.metadata,
  containerTags: [...record.tags],
  createdAt: isoTime(record.createdAt),
  updatedAt: isoTime(record.updatedAt),
  status: documentStatus(record.step),
  step: record.step,
  progress: record.progress,
  failure: record.failure,
});

const documentFields = (record: DocumentRecord) => ({
  ...documentHeader(record),
  connectionId: record.connection,
  summary: record.summary,
  filepath: record.filepath,
  url: record.url,
  note: record.note,
});

/** An unfinished document will still get its memories; a failed one gets none. */
const isDreaming = ({ memoryState, taskType, step }: DocumentRecord): boolean =>
  memoryState === 'waiting' || (taskType !== 'superrag' && step !== 'done' && step !== 'failed');

const drawing = (record: DocumentRecord): Pick<DocumentOutput, 'dreamingStatus' | 'memoryFailure'> => ({
  dreamingStatus: isDreaming(record) ? 'dreaming' : 'done',
  memoryFailure: record.memoryFailure,
});

/** Empty is null: nothing was uploaded, and nothing read yet. */
const presentRaw = (
  { titleOrigin, summaryOrigin }: DocumentRecord,
  file: FileRecord | null,
): DocumentOutput['raw'] => {
  const raw = {
    ...(file === null ? {} : { fileName: file.name, mimeType: file.mimeType, bytes: file.bytes }),
    ...(titleOrigin === null ? {} : { titleOrigin }),
    ...(summaryOrigin === null ? {} : { summaryOrigin }),
  };
  return Object.keys(raw).length === 0 ? null : raw;
};

export const presentDocument = (
  record: DocumentRecord,
  memories: readonly MemoryEntry[],
  file: FileRecord | null = null,
): DocumentOutput => ({
  ...documentFields(record),
  content: record.content,
  ...drawing(record),
  ...(memories.length === 0 ? {} : { memories: [...memories] }),
  usage: record.tokens,
  taskType: record.taskType === 'superrag' ? 'superrag' : 'memory',
  latestRevision: record.revision,
  source: record.source,
  ogImage: null,
  raw: presentRaw(record, file),
  spatialPoint: null,
});

const presentItem = (record: DocumentRecord, content: boolean): ListItem => ({
  ...documentFields(record),
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
  ...documentFields(record),
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
  ...documentHeader(record),
  containerTags: withoutProjects(record.tags),
});

/** A long message is stored in parts; callers see a separate position for every chunk. */
type ShownChunk = ChunksOutput['chunks'][number];

const presentChunk = (chunk: ChunkRecord, position: number): ShownChunk => ({
  id: chunk.id,
  position,
  content: chunk.text,
  type: 'text',
  createdAt: isoTime(chunk.createdAt),
  metadata: chunk.metadata,
});

export const presentChunks = (documentId: string, chunks: readonly ChunkRecord[]): ChunksOutput => ({
  documentId,
  total: chunks.length,
  chunks: chunks.map(presentChunk),
});

/** Chunks of several documents. */
export interface ListedChunks {
  chunks: (ShownChunk & { documentId: string })[];
  total: number;
}

export const presentListedChunk = (chunk: ListedChunk, position: number): ListedChunks['chunks'][number] => ({
  ...presentChunk(chunk, position),
  documentId: chunk.documentId,
});
