// The answers of the namespace API: the shapes that its clients read, and the way there from the answers of operations.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import type {
  AcceptedOutput,
  ChunksOutput,
  DocumentOutput,
  UpdatedOutput,
} from '../../../tools/documents/schemas/outputs.ts';
import { steps } from '../../../tools/documents/schemas/status.ts';
import { time } from '../../../tools/shared/primitives.ts';
import type { Caller } from '../../core/principal.ts';

const anyMetadata = z.record(z.string(), z.unknown());
const status = z.enum(steps);
const lifetime = { createdAt: time, updatedAt: time };
const dreamingStatus = z.enum(['dreaming', 'done']);

export const documentRef = z.object({ id: z.string(), status });

export const chunkAnswer = z.object({
  id: z.string(),
  position: z.int(),
  content: z.string(),
  type: z.string(),
  metadata: anyMetadata,
  system: z.object({ createdAt: time }),
});

export const memoryAnswer = z.object({
  id: z.string(),
  memory: z.string(),
  metadata: anyMetadata,
  isStatic: z.boolean(),
  isInference: z.boolean(),
  isLatest: z.boolean(),
  isForgotten: z.boolean(),
  version: z.int(),
  system: z.object(lifetime),
});

const describedDocument = {
  id: z.string(),
  title: z.string().nullable(),
  type: z.string(),
  summary: z.string().nullable(),
  metadata: anyMetadata,
};

export const documentAnswer = z.object({
  ...describedDocument,
  content: z.string().nullable(),
  system: z.object({ status, dreamingStatus, ...lifetime }),
  chunks: z.array(chunkAnswer).optional(),
  memories: z.array(memoryAnswer).optional(),
});

export const listedDocumentAnswer = z.object({
  ...describedDocument,
  content: z.string().nullable().optional(),
  url: z.string().nullable(),
  system: z.object({ status, dreamingStatus, memoryCount: z.int().optional(), ...lifetime }),
});

export const sourceAnswer = z.object({
  ...describedDocument,
  type: z.string().nullable(),
  system: z.object(lifetime),
});

const relativeAnswer = z.object({
  id: z.string(),
  relation: z.enum(['updates', 'extends', 'derives']),
  version: z.number().nullable().optional(),
  memory: z.string(),
  metadata: anyMetadata,
  system: z.object({ updatedAt: time }),
});

export const relatedAnswer = z.object({
  parents: z.array(relativeAnswer),
  children: z.array(relativeAnswer),
  siblings: z.array(relativeAnswer),
});

// --- from the answers of operations ------------------------------------------------------------------

/** The state after a write, as the exact step that clients of this API know. */
export const toDocumentRef = async (
  service: Service,
  caller: Caller,
  { id, status: word }: AcceptedOutput | UpdatedOutput,
): Promise<z.input<typeof documentRef>> => ({
  id,
  status: word === 'processing' ? (await service.documents.find(caller, id)).step : word,
});

type ReadChunk = ChunksOutput['chunks'][number];

export const toChunkAnswer = ({ createdAt, metadata, ...chunk }: ReadChunk): z.input<typeof chunkAnswer> => ({
  ...chunk,
  metadata: metadata ?? {},
  system: { createdAt },
});

interface ReadMemory
  extends Omit<z.input<typeof memoryAnswer>, 'metadata' | 'system'>,
    Pick<NonNullable<DocumentOutput['memories']>[number], 'createdAt' | 'updatedAt' | 'metadata'> {}

export const toMemoryAnswer = (memory: ReadMemory): z.input<typeof memoryAnswer> => ({
  id: memory.id,
  memory: memory.memory,
  metadata: memory.metadata ?? {},
  isStatic: memory.isStatic,
  isInference: memory.isInference,
  isLatest: memory.isLatest,
  isForgotten: memory.isForgotten,
  version: memory.version,
  system: { createdAt: memory.createdAt, updatedAt: memory.updatedAt ?? memory.createdAt },
});

interface ReadRelative extends Omit<z.input<typeof relativeAnswer>, 'metadata' | 'system'> {
  metadata?: Record<string, unknown> | null | undefined;
  updatedAt: string;
}

export const toRelativeAnswer = ({
  id,
  relation,
  memory,
  version,
  ...rest
}: ReadRelative): z.input<typeof relativeAnswer> => ({
  ...{ id, relation, memory },
  ...(version === undefined ? {} : { version }),
  metadata: rest.metadata ?? {},
  system: { updatedAt: rest.updatedAt },
});

interface ReadSource {
  id: string;
  title?: string | null | undefined;
  type?: string | null | undefined;
  summary?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  createdAt: string;
  updatedAt: string;
}

export const toSourceAnswer = (source: ReadSource): z.input<typeof sourceAnswer> => ({
  id: source.id,
  title: source.title ?? null,
  type: source.type ?? null,
  summary: source.summary ?? null,
  metadata: source.metadata ?? {},
  system: { createdAt: source.createdAt, updatedAt: source.updatedAt },
});
