// Outputs of the operations on memories.
import { z } from 'zod';
import { metadataOutput } from '../../shared/metadata.ts';
import { nullableText, time } from '../../shared/primitives.ts';
import { pagination } from './paging.ts';

const id = z.string().describe('The id of the memory.');
const memory = z.string().describe('The statement.');
const version = z.int().describe('The number of this version, from 1.');
const createdAt = time.describe('The time of creation.');
const updatedAt = time.describe('The time of the last change.');
const timeOrNull = (sentence: string) => time.nullable().describe(sentence);
const booleanField = (sentence: string) => z.boolean().describe(sentence);

const forgetting = {
  forgetAfter: timeOrNull('The time after which it counts as forgotten.'),
  forgetReason: nullableText('The reason for forgetting.'),
};
const metadata = metadataOutput.describe('The metadata of the memory, with its dates and its review.');

const lineage = {
  parentMemoryId: nullableText('The id of the previous version; null for the first.'),
  rootMemoryId: nullableText('The id of the first version; null for the first itself.'),
};

const state = {
  isLatest: booleanField('True if no newer version replaced it.'),
  isForgotten: booleanField('True if it was forgotten or has expired.'),
};

// --- create, update, forget --------------------------------------------------------------------------

export const createMemoriesOutput = z.object({
  documentId: z.string().nullable().describe('The id of the document that was created as their source.'),
  memories: z
    .array(
      z.object({
        id,
        memory,
        isStatic: booleanField('True if it is a lasting trait.'),
        createdAt,
        ...forgetting,
        metadata,
      }),
    )
    .describe('The memories in the order of the request. A statement that was already stored keeps its id.'),
});
export type CreateMemoriesOutput = z.input<typeof createMemoriesOutput>;

export const updateMemoryOutput = z.object({
  id: z.string().describe('The id of the new version.'),
  memory,
  version,
  ...lineage,
  createdAt,
  ...forgetting,
  metadata,
});
export type UpdateMemoryOutput = z.input<typeof updateMemoryOutput>;

export const forgetMemoryOutput = z.object({ id, forgotten: booleanField('Always true.') });
export type ForgetMemoryOutput = z.input<typeof forgetMemoryOutput>;

const matching = z
  .array(z.object({ id, memory, score: z.number().describe('0–1; 1 for a memory given by id.') }))
  .optional();

export const forgetMatchingOutput = z.object({
  dryRun: booleanField('True: nothing was changed.'),
  count: z.int().describe('The number of memories that were forgotten, or would be in a dry run.'),
  forgetBatchId: z
    .string()
    .nullable()
    .describe('The id of this batch of forgotten memories; null if nothing was forgotten.'),
  summary: z.string().describe('The result in one sentence.'),
  candidates: matching.describe('In a dry run: the memories that would be forgotten.'),
  forgotten: matching.describe('The forgotten memories.'),
  alike: matching.describe('In a dry run whose query matches nothing: the most similar memories; they stay.'),
});
export type ForgetMatchingOutput = z.input<typeof forgetMatchingOutput>;

// --- lists -------------------------------------------------------------------------------------------

const relation = z.enum(['updates', 'extends', 'derives']);

const graphEntry = {
  id,
  memory,
  version,
  ...state,
  isStatic: booleanField('True if it is a lasting trait.'),
  isInference: booleanField('True if it was derived from other memories.'),
  createdAt,
  updatedAt,
  spaceId: z.string().describe('The container tag of the memory.'),
  orgId: z.string().describe('The id of the organisation.'),
  sourceCount: z.int().describe('The number of documents that support it.'),
  ...lineage,
  ...forgetting,
  metadata,
  memoryRelations: z
    .record(z.string(), relation)
    .nullable()
    .describe('The relations to other memories, by their ids.'),
};

/** A memory of a document in the graph. */
export const graphMemory = z
  .object(graphEntry)
  .meta({ id: 'GraphMemory', description: 'A memory with its relations to others.' });

/** A memory in the answer for its document. */
export const documentMemory = z
  .object({
    id,
    memory,
    createdAt,
    updatedAt: timeOrNull('The time of the last change.'),
    ...state,
    isStatic: graphEntry.isStatic,
    isInference: graphEntry.isInference,
    version,
    sourceCount: graphEntry.sourceCount,
    metadata,
    ...lineage,
  })
  .meta({ id: 'DocumentMemory', description: 'A memory in the answer for its document.' });

const earlier = z
  .object({ id, memory, version, createdAt, updatedAt, ...lineage, ...state })
  .meta({ id: 'EarlierMemory', description: 'An earlier version of a memory.' });

const listEntry = z
  .object({
    ...graphEntry,
    temporalContext: z
      .object({
        documentDate: timeOrNull('The date on which it was said or written.'),
        eventDate: z.array(time).describe('The dates of the events that it mentions.'),
      })
      .nullable()
      .describe('The dates of the memory, the same as in its metadata.'),
    history: z.array(earlier).describe('Earlier versions, newest first.'),
    documentIds: z.array(z.string()).describe('The documents that support it.'),
  })
  .meta({ id: 'MemoryEntry', description: 'A memory with its earlier versions.' });
export type MemoryEntry = z.input<typeof listEntry>;

export const listMemoriesOutput = z.object({
  memoryEntries: z
    .array(listEntry)
    .describe('The latest versions on this page; forgotten memories are marked.'),
  pagination,
});
export type ListMemoriesOutput = z.input<typeof listMemoriesOutput>;

// --- review ------------------------------------------------------------------------------------------

export const inferredOutput = z.object({
  memories: z
    .array(
      z.object({
        id,
        memory,
        parentCount: z.int().describe('The number of memories that it was derived from.'),
        createdAt,
        updatedAt,
        metadata,
      }),
    )
    .describe('At most 50 memories; those derived from the most others come first.'),
  total: z.int().describe('The number of memories that wait for a review.'),
});
export type InferredOutput = z.input<typeof inferredOutput>;

export const reviewOutput = z.object({
  id,
  isInference: booleanField('False after the memory is approved.'),
  isForgotten: state.isForgotten,
  reviewStatus: z.enum(['approved', 'declined']).nullable().describe('The decision; null: not reviewed.'),
});
export type ReviewOutput = z.input<typeof reviewOutput>;

// --- redraw ------------------------------------------------------------------------------------------

const redrawCounts = {
  waiting: z.int().min(0).describe('Documents that wait to be read again.'),
  done: z.int().min(0).describe('Documents that were read again.'),
  failed: z.int().min(0).describe('Documents that could not be read again; they keep their memories.'),
  added: z.int().min(0).describe('Memories that the last redraw added.'),
  removed: z.int().min(0).describe('Memories that the last redraw removed.'),
};

export const redrawStatusOutput = z.object(redrawCounts);
export type RedrawStatusOutput = z.input<typeof redrawStatusOutput>;

export const redrawOutput = z.object({
  documents: z.int().min(0).describe('Documents that this call asked to be read again.'),
  ...redrawCounts,
});
export type RedrawOutput = z.input<typeof redrawOutput>;
