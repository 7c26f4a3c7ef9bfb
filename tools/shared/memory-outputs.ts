// What the operations on memories answer.
import { z } from 'zod';
import { metadataOutput } from './metadata.ts';
import { pagination } from './paging.ts';
import { time } from './primitives.ts';

const id = z.string().describe('The id of the memory.');
const memory = z.string().describe('The statement.');
const version = z.int().describe('Its place in the chain of its versions, from 1.');
const createdAt = time.describe('When it was made.');
const updatedAt = time.describe('When it was last changed.');
const timeOrNull = (sentence: string) => time.nullable().describe(sentence);
const orNull = (sentence: string) => z.string().nullable().describe(sentence);
const yesNo = (sentence: string) => z.boolean().describe(sentence);

const forgetting = {
  forgetAfter: timeOrNull('After this moment it counts as forgotten.'),
  forgetReason: orNull('Why it is or will be forgotten.'),
};
const metadata = metadataOutput.describe('Its own metadata, with its dates and its review.');

const lineage = {
  parentMemoryId: orNull('The version before; null on the first.'),
  rootMemoryId: orNull('The first version; null on the first.'),
};

const state = {
  isLatest: yesNo('Whether no newer version took its place.'),
  isForgotten: yesNo('Whether it was forgotten, or its time is over.'),
};

// --- create, update, forget --------------------------------------------------------------------------

export const createMemoriesOutput = z.object({
  documentId: z.string().nullable().describe('The light document that stands as their source.'),
  memories: z
    .array(
      z.object({
        id,
        memory,
        isStatic: yesNo('Whether it is a lasting trait.'),
        createdAt,
        ...forgetting,
        metadata,
      }),
    )
    .describe('In the order of the request; what was known already comes with its former id.'),
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

export const forgetMemoryOutput = z.object({ id, forgotten: yesNo('Always true.') });
export type ForgetMemoryOutput = z.input<typeof forgetMemoryOutput>;

const matching = z
  .array(z.object({ id, memory, score: z.number().describe('How well it matches, 0–1; 1 for an id.') }))
  .optional();

export const forgetMatchingOutput = z.object({
  dryRun: yesNo('True: nothing was changed.'),
  count: z.int().describe('How many were, or would be, forgotten.'),
  forgetBatchId: z.string().nullable().describe('Names what this call forgot; null when nothing was done.'),
  summary: z.string().describe('The same in one sentence.'),
  candidates: matching.describe('What would be forgotten, in a dry run.'),
  forgotten: matching.describe('What was forgotten.'),
});
export type ForgetMatchingOutput = z.input<typeof forgetMatchingOutput>;

// --- lists -------------------------------------------------------------------------------------------

const relation = z.enum(['updates', 'extends', 'derives']);

const graphEntry = {
  id,
  memory,
  version,
  ...state,
  isStatic: yesNo('Whether it is a lasting trait.'),
  isInference: yesNo('Whether it was concluded from others.'),
  createdAt,
  updatedAt,
  spaceId: z.string().describe('The container tag it is under.'),
  orgId: z.string().describe('The id of the organisation.'),
  sourceCount: z.int().describe('How many documents support it.'),
  ...lineage,
  ...forgetting,
  metadata,
  memoryRelations: z
    .record(z.string(), relation)
    .nullable()
    .describe('What it is to other memories, by their ids.'),
};

/** As it stands beside a document in the graph. */
export const graphMemory = z
  .object(graphEntry)
  .meta({ id: 'GraphMemory', description: 'A memory with its relations to others.' });

/** As a document shows what was drawn from it. */
export const documentMemory = z
  .object({
    id,
    memory,
    createdAt,
    updatedAt: timeOrNull('When it was last changed.'),
    ...state,
    isStatic: graphEntry.isStatic,
    isInference: graphEntry.isInference,
    version,
    sourceCount: graphEntry.sourceCount,
    metadata,
    ...lineage,
  })
  .meta({ id: 'DocumentMemory', description: 'A memory as its document shows it.' });

const earlier = z
  .object({ id, memory, version, createdAt, updatedAt, ...lineage, ...state })
  .meta({ id: 'EarlierMemory', description: 'A former version of a memory.' });

const listEntry = z
  .object({
    ...graphEntry,
    temporalContext: z
      .object({
        documentDate: timeOrNull('When it was said or written.'),
        eventDate: z.array(time).describe('The dates of the events it speaks of.'),
      })
      .nullable()
      .describe('Its dates; the same as in its metadata.'),
    history: z.array(earlier).describe('Earlier versions, newest first.'),
    documentIds: z.array(z.string()).describe('The documents that support it.'),
  })
  .meta({ id: 'MemoryEntry', description: 'A memory with its former versions.' });
export type MemoryEntry = z.input<typeof listEntry>;

export const listMemoriesOutput = z.object({
  memoryEntries: z.array(listEntry).describe('The latest versions on this page, forgotten ones marked.'),
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
        parentCount: z.int().describe('How many memories it was concluded from.'),
        createdAt,
        updatedAt,
        metadata,
      }),
    )
    .describe('At most 50, those concluded from most memories first.'),
  total: z.int().describe('How many wait for a review.'),
});
export type InferredOutput = z.input<typeof inferredOutput>;

export const reviewOutput = z.object({
  id,
  isInference: yesNo('False once it is approved.'),
  isForgotten: state.isForgotten,
  reviewStatus: z.enum(['approved', 'declined']).nullable().describe('The judgement; null: none.'),
});
export type ReviewOutput = z.input<typeof reviewOutput>;
