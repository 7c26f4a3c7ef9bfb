// Inputs of the operations on memories.
import { z } from 'zod';
import { filters } from '../../shared/filters.ts';
import { metadata } from '../../shared/metadata.ts';
import { flag, fraction, instant, wholeNumberField } from '../../shared/primitives.ts';
import { containerTag, joinTags, tagFields, tagQueryFields, tagsNeeded } from '../../shared/tags.ts';
import { pageFields, sortFields } from './paging.ts';
import { forgetAfter, memoryId, statement } from './statement.ts';

const maxMemories = 100;
export const maxForgotten = 500;

const reason = z.string().max(1000);

const dates = z.array(instant).max(100);

/** The dates of a statement. */
const temporalContext = z
  .object({
    documentDate: instant.nullable().optional().describe('The date on which it was said or written.'),
    eventDate: dates.nullable().optional().describe('The dates of the events that it mentions.'),
  })
  .describe('The dates of the statement; also shown in its metadata.');

/** Fields that creating and updating share. */
const lifetime = {
  forgetAfter: forgetAfter.optional(),
  forgetReason: reason
    .nullable()
    .optional()
    .describe('The reason for forgetting; stored only together with forgetAfter.'),
  temporalContext: temporalContext.optional(),
};

// --- create ------------------------------------------------------------------------------------------

const newMemory = z.object({
  content: statement.describe('One statement that is clear without other context, 1–10,000 characters.'),
  isStatic: flag.optional().meta({ description: 'True: a lasting trait.', default: false }),
  metadata: metadata.optional(),
  ...lifetime,
});

export const createMemoriesInput = z
  .object({
    ...tagFields,
    memories: z.array(newMemory).min(1).max(maxMemories).describe(`1–${maxMemories} memories.`),
  })
  .transform(joinTags)
  .transform(tagsNeeded);
export type CreateMemoriesInput = z.output<typeof createMemoriesInput>;

// --- one memory --------------------------------------------------------------------------------------

const target = {
  ...tagFields,
  id: memoryId.optional().describe('The id of the memory. If it is given, content is ignored.'),
  content: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('The exact text of the memory, if its id is not known.'),
};

const oneOf = 'give the id of the memory or its exact content';
const isNamed = ({ id, content }: { id?: string | undefined; content?: string | undefined }) =>
  id !== undefined || content !== undefined;

export const updateMemoryInput = z
  .object({
    ...target,
    newContent: statement.describe('The new statement, 1–10,000 characters.'),
    metadata: metadata.optional().describe('Replaces the metadata. Default: inherited from the old version.'),
    ...lifetime,
  })
  .refine(isNamed, { error: oneOf, path: ['id'] })
  .transform(joinTags)
  .transform(tagsNeeded);
export type UpdateMemoryInput = z.output<typeof updateMemoryInput>;

export const forgetMemoryInput = z
  .object({ ...target, reason: reason.optional().describe('The reason for forgetting.') })
  .refine(isNamed, { error: oneOf, path: ['id'] })
  .transform(joinTags)
  .transform(tagsNeeded);
export type ForgetMemoryInput = z.output<typeof forgetMemoryInput>;

// --- several -----------------------------------------------------------------------------------------

export const forgetMatchingInput = z
  .object({
    ...tagFields,
    query: z
      .string()
      .min(1)
      .max(2000)
      .refine((text) => /\S/.test(text), { error: 'must not be blank' })
      .optional()
      .describe(
        'The memories to forget, as a topic or as an instruction. A memory is forgotten if every word of the topic matches it, and the person in it is whom the memory is about.',
      ),
    ids: z.array(memoryId).min(1).max(maxForgotten).optional().describe('The ids of the memories to forget.'),
    dryRun: flag
      .prefault(false)
      .describe('Returns the memories that would be forgotten, and changes nothing.'),
    threshold: fraction
      .default(0.5)
      .describe(
        'With query: the lowest score of a memory to forget, 0–1. A memory that holds the topic has 0.5 or more.',
      ),
    maxForget: wholeNumberField(1, maxForgotten)
      .prefault(100)
      .describe(`With query: the maximum number of memories to forget, 1–${maxForgotten}.`),
    reason: reason.optional().describe('The reason for forgetting.'),
  })
  .refine(({ query, ids }) => (query === undefined) !== (ids === undefined), {
    error: 'give either query or ids',
    path: ['query'],
  })
  .transform(joinTags)
  .transform(tagsNeeded);
export type ForgetMatchingInput = z.output<typeof forgetMatchingInput>;

export const listMemoriesInput = z
  .object({
    ...tagFields,
    filters: filters.optional(),
    ...pageFields,
    limit: pageFields.limit.describe('Memories per page, 1–1100.'),
    ...sortFields,
  })
  .transform(joinTags)
  .transform(tagsNeeded);
export type ListMemoriesInput = z.output<typeof listMemoriesInput>;

// --- review ------------------------------------------------------------------------------------------

export const inferredInput = z.object({ containerTag });
export type InferredInput = z.output<typeof inferredInput>;

export const reviewInput = z.object({
  containerTag,
  memoryId,
  action: z
    .enum(['approve', 'decline', 'undo'])
    .describe('approve: the memory is true; decline: the memory is forgotten; undo: reverses the decision.'),
});
export type ReviewInput = z.output<typeof reviewInput>;

// --- redraw ------------------------------------------------------------------------------------------

export const redrawInput = z.object(tagFields).transform(joinTags);
export type RedrawInput = z.output<typeof redrawInput>;

export const redrawStatusInput = z.object(tagQueryFields).transform(joinTags);
