// What the operations on memories accept.
import { z } from 'zod';
import { filters } from './filters.ts';
import { metadata } from './metadata.ts';
import { pageFields, sortFields } from './paging.ts';
import { flag, fraction, instant, wholeNumber } from './primitives.ts';
import { containerTag, joinTags, tagFields, tagsNeeded } from './tags.ts';

export const maxMemories = 100;
export const maxForgotten = 500;

const statement = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .max(10_000)
  .refine((text) => /\S/.test(text), { error: 'must not be blank' });

const memoryId = z.string().min(1).max(255).describe('The id of a memory.');

const reason = z.string().max(1000);

const dates = z.array(instant).max(100);

/** Dates that a statement carries. */
const temporalContext = z
  .object({
    documentDate: instant.nullable().optional().describe('When it was said or written.'),
    eventDate: dates.nullable().optional().describe('The dates of the events it speaks of.'),
  })
  .describe('Dates of the statement; shown again in its metadata.');
export type TemporalContext = z.output<typeof temporalContext>;

/** What both creating and updating may say of the memory. */
const lifetime = {
  forgetAfter: instant
    .nullable()
    .optional()
    .describe('After this moment the memory counts as forgotten; null: never. ISO-8601.'),
  forgetReason: reason
    .nullable()
    .optional()
    .describe('Why it will be forgotten; kept only together with forgetAfter.'),
  temporalContext: temporalContext.optional(),
};

// --- create ------------------------------------------------------------------------------------------

const newMemory = z.object({
  content: statement.describe('One statement that stands for itself, 1–10,000 characters.'),
  isStatic: flag.optional().meta({ description: 'True for a lasting trait.', default: false }),
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
  id: memoryId.optional().describe('The id of the memory; counts before content.'),
  content: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('The exact text of the memory, where its id is not known.'),
};

const oneOf = 'give the id of the memory or its exact content';
const isNamed = ({ id, content }: { id?: string | undefined; content?: string | undefined }) =>
  id !== undefined || content !== undefined;

export const updateMemoryInput = z
  .object({
    ...target,
    newContent: statement.describe('What the memory says from now on, 1–10,000 characters.'),
    metadata: metadata.optional().describe('Replaces the metadata; left out: inherited.'),
    ...lifetime,
  })
  .refine(isNamed, { error: oneOf, path: ['id'] })
  .transform(joinTags)
  .transform(tagsNeeded);
export type UpdateMemoryInput = z.output<typeof updateMemoryInput>;

export const forgetMemoryInput = z
  .object({ ...target, reason: reason.optional().describe('Why it is forgotten.') })
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
      .describe('What to forget, as a topic or as an instruction.'),
    ids: z.array(memoryId).min(1).max(maxForgotten).optional().describe('Exactly these memories.'),
    dryRun: flag.prefault(false).describe('Shows what would be forgotten and changes nothing.'),
    threshold: fraction.default(0.5).describe('With query: how similar a memory must be, 0–1.'),
    maxForget: wholeNumber(1, maxForgotten)
      .prefault(100)
      .describe(`With query: how many are forgotten at most, 1–${maxForgotten}.`),
    reason: reason.optional().describe('Why they are forgotten.'),
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
    .describe('approve: it is true; decline: it is forgotten; undo: takes the judgement back.'),
});
export type ReviewInput = z.output<typeof reviewInput>;
