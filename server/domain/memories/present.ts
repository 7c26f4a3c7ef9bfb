// Turns memories into answers for callers.

import type {
  CreateMemoriesOutput,
  ForgetMatchingOutput,
  InferredOutput,
  MemoryEntry,
  ReviewOutput,
  UpdateMemoryOutput,
} from '../../../tools/memories/schemas/outputs.ts';
import type {
  InferredMemory,
  MemoryDetail,
  MemoryRecord,
  Relative,
  Relatives,
} from '../../adapters/store/ports/memories/memories.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';

const temporalContextOf = ({ documentDate, eventDates }: MemoryRecord): MemoryEntry['temporalContext'] =>
  documentDate === null && eventDates.length === 0
    ? null
    : { documentDate: isoTimeOrNull(documentDate), eventDate: eventDates.map(isoTime) };

/** The memory's own metadata, with the fields that the service adds. */
const memoryMetadata = (memory: MemoryRecord): Record<string, unknown> | null => {
  const temporalContext = temporalContextOf(memory);
  const metadata = {
    ...memory.metadata,
    ...(temporalContext === null ? {} : { temporalContext }),
    ...(memory.review === null ? {} : { reviewStatus: memory.review }),
  };
  return memory.metadata === null && Object.keys(metadata).length === 0 ? null : metadata;
};

const forgettingOf = ({ forgetAfter, forgetReason }: MemoryRecord) => ({
  forgetAfter: isoTimeOrNull(forgetAfter),
  forgetReason,
});

const presentLineage = ({ parentId, rootId }: MemoryRecord) => ({
  parentMemoryId: parentId,
  rootMemoryId: rootId,
});

const versionOf = (memory: MemoryRecord) => ({
  id: memory.id,
  memory: memory.memory,
  version: memory.version,
  createdAt: isoTime(memory.createdAt),
  ...presentLineage(memory),
});

export const presentCreated = (memory: MemoryRecord): CreateMemoriesOutput['memories'][number] => ({
  id: memory.id,
  memory: memory.memory,
  isStatic: memory.isStatic,
  createdAt: isoTime(memory.createdAt),
  ...forgettingOf(memory),
  metadata: memoryMetadata(memory),
});

export const presentRevised = (memory: MemoryRecord): UpdateMemoryOutput => ({
  ...versionOf(memory),
  ...forgettingOf(memory),
  metadata: memoryMetadata(memory),
});

const presentEarlier = (memory: MemoryRecord): MemoryEntry['history'][number] => ({
  ...versionOf(memory),
  updatedAt: isoTime(memory.updatedAt),
  isLatest: memory.isLatest,
  isForgotten: memory.isForgotten,
});

/** The properties of the caller that change the presentation of a memory. */
export interface Viewer {
  orgId: string;
  /** The visible tags; null: all. */
  tags: readonly string[] | null;
}

/** The tag that makes the memory visible to the caller. */
const shownTag = ({ tags }: MemoryRecord, viewer: Viewer): string =>
  tags.find((tag) => viewer.tags?.includes(tag) ?? true) ?? '';

export const presentEntry = (memory: MemoryDetail, viewer: Viewer): MemoryEntry => ({
  ...presentEarlier(memory),
  isStatic: memory.isStatic,
  isInference: memory.isInference,
  spaceId: shownTag(memory, viewer),
  orgId: viewer.orgId,
  sourceCount: memory.sourceCount,
  ...forgettingOf(memory),
  metadata: memoryMetadata(memory),
  memoryRelations:
    memory.relations.length === 0
      ? null
      : Object.fromEntries(memory.relations.map(({ id, kind }) => [id, kind])),
  temporalContext: temporalContextOf(memory),
  history: memory.history.map(presentEarlier),
  documentIds: [...memory.documentIds],
});

type ShownRelative = Omit<Relative, 'updatedAt'> & { updatedAt: string };

export type MemoryWithRelatives = MemoryEntry & {
  relatives: Record<keyof Relatives, ShownRelative[]>;
};

const presentRelative = (relative: Relative): ShownRelative => ({
  ...relative,
  updatedAt: isoTime(relative.updatedAt),
});

export const presentRelatives = ({
  parents,
  children,
  related,
}: Relatives): MemoryWithRelatives['relatives'] => ({
  parents: parents.map(presentRelative),
  children: children.map(presentRelative),
  related: related.map(presentRelative),
});

export const presentInferred = (memory: InferredMemory): InferredOutput['memories'][number] => ({
  id: memory.id,
  memory: memory.memory,
  parentCount: memory.parentCount,
  createdAt: isoTime(memory.createdAt),
  updatedAt: isoTime(memory.updatedAt),
  metadata: memoryMetadata(memory),
});

export const presentReview = (memory: MemoryRecord): ReviewOutput => ({
  id: memory.id,
  isInference: memory.isInference,
  isForgotten: memory.isForgotten,
  reviewStatus: memory.review,
});

type Match = NonNullable<ForgetMatchingOutput['forgotten']>[number];

const several = (count: number): string => (count === 1 ? '1 memory' : `${count} memories`);

/** `batch` is null if there was nothing to change. */
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
