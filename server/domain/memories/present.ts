// Memories as callers read them.
import type {
  CreateMemoriesOutput,
  ForgetMatchingOutput,
  InferredOutput,
  MemoryEntry,
  ReviewOutput,
  UpdateMemoryOutput,
} from '../../../tools/shared/memory-outputs.ts';
import type { InferredMemory, MemoryDetail, MemoryRecord } from '../../adapters/store/memory-port.ts';

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const temporalContextOf = ({ documentDate, eventDates }: MemoryRecord): MemoryEntry['temporalContext'] =>
  documentDate === null && eventDates.length === 0
    ? null
    : { documentDate: isoOrNull(documentDate), eventDate: eventDates.map(iso) };

/** Its own pairs, and beside them what the service notes there. */
const metadataOf = (memory: MemoryRecord): Record<string, unknown> | null => {
  const temporalContext = temporalContextOf(memory);
  const metadata = {
    ...memory.metadata,
    ...(temporalContext === null ? {} : { temporalContext }),
    ...(memory.review === null ? {} : { reviewStatus: memory.review }),
  };
  return memory.metadata === null && Object.keys(metadata).length === 0 ? null : metadata;
};

const forgettingOf = ({ forgetAfter, forgetReason }: MemoryRecord) => ({
  forgetAfter: isoOrNull(forgetAfter),
  forgetReason,
});

const lineageOf = ({ parentId, rootId }: MemoryRecord) => ({
  parentMemoryId: parentId,
  rootMemoryId: rootId,
});

const versionOf = (memory: MemoryRecord) => ({
  id: memory.id,
  memory: memory.memory,
  version: memory.version,
  createdAt: iso(memory.createdAt),
  ...lineageOf(memory),
});

export const presentCreated = (memory: MemoryRecord): CreateMemoriesOutput['memories'][number] => ({
  id: memory.id,
  memory: memory.memory,
  isStatic: memory.isStatic,
  createdAt: iso(memory.createdAt),
  ...forgettingOf(memory),
  metadata: metadataOf(memory),
});

export const presentRevised = (memory: MemoryRecord): UpdateMemoryOutput => ({
  ...versionOf(memory),
  ...forgettingOf(memory),
  metadata: metadataOf(memory),
});

const presentEarlier = (memory: MemoryRecord): MemoryEntry['history'][number] => ({
  ...versionOf(memory),
  updatedAt: iso(memory.updatedAt),
  isLatest: memory.isLatest,
  isForgotten: memory.isForgotten,
});

/** Who asks, as far as it changes what a memory looks like. */
export interface Viewer {
  orgId: string;
  /** The tags that are in view; null: all. */
  tags: readonly string[] | null;
}

/** The tag by which the viewer sees it. */
const spaceOf = ({ tags }: MemoryRecord, viewer: Viewer): string =>
  tags.find((tag) => viewer.tags?.includes(tag) ?? true) ?? '';

export const presentEntry = (memory: MemoryDetail, viewer: Viewer): MemoryEntry => ({
  ...presentEarlier(memory),
  isStatic: memory.isStatic,
  isInference: memory.isInference,
  spaceId: spaceOf(memory, viewer),
  orgId: viewer.orgId,
  sourceCount: memory.sourceCount,
  ...forgettingOf(memory),
  metadata: metadataOf(memory),
  memoryRelations:
    memory.relations.length === 0
      ? null
      : Object.fromEntries(memory.relations.map(({ id, kind }) => [id, kind])),
  temporalContext: temporalContextOf(memory),
  history: memory.history.map(presentEarlier),
  documentIds: [...memory.documentIds],
});

export const presentInferred = (memory: InferredMemory): InferredOutput['memories'][number] => ({
  id: memory.id,
  memory: memory.memory,
  parentCount: memory.parentCount,
  createdAt: iso(memory.createdAt),
  updatedAt: iso(memory.updatedAt),
  metadata: metadataOf(memory),
});

export const presentReview = (memory: MemoryRecord): ReviewOutput => ({
  id: memory.id,
  isInference: memory.isInference,
  isForgotten: memory.isForgotten,
  reviewStatus: memory.review,
});

type Match = NonNullable<ForgetMatchingOutput['forgotten']>[number];

const several = (count: number): string => (count === 1 ? '1 memory' : `${count} memories`);

/** `batch` is null where nothing was to be changed. */
export const presentForgotten = (chosen: readonly Match[], batch: string | null): ForgetMatchingOutput => {
  const dryRun = batch === null;
  const count = chosen.length;
  const what = count === 0 ? 'No memory matches' : `${dryRun ? 'Would forget' : 'Forgot'} ${several(count)}`;
  return {
    dryRun,
    count,
    forgetBatchId: batch,
    summary: dryRun && count > 0 ? `${what}; nothing was changed.` : `${what}.`,
    ...(dryRun ? { candidates: [...chosen] } : { forgotten: [...chosen] }),
  };
};
