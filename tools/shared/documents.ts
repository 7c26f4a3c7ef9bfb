// What the document operations accept.
import { z } from 'zod';
import { content, customId, filepath, filepathFilter, reference, settings, taskType } from './content.ts';
import { filters, filtersInQuery } from './filters.ts';
import { lenient } from './lenient.ts';
import { filterByMetadata, metadata } from './metadata.ts';
import { maxPageSize, pageFields, sortFields } from './paging.ts';
import { flag, line } from './primitives.ts';
import { statusFilter, statusQuery } from './status.ts';
import { containerTag, containerTags, joinTags, tagFields, tagQueryFields } from './tags.ts';

// --- add -------------------------------------------------------------------------------------------

export const addInput = z
  .object({
    content,
    customId: customId.optional(),
    ...tagFields,
    ...settings,
    title: line(1, 1000).optional().describe('A title; without one it is taken from the content.'),
    documentDate: z
      .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
        error: 'must be an ISO-8601 date or date and time',
      })
      .optional()
      .describe('When the content was written, if that was earlier; kept in the metadata.'),
  })
  .transform(joinTags);
export type AddInput = z.output<typeof addInput>;

export const maxBatch = 600;

/** A text is short for a document that has only content. */
const bareContent = content.transform((text): AddInput => ({ content: text, tags: undefined }));

const batchItem = lenient<AddInput>(z.union([addInput, bareContent]), (given) =>
  typeof given === 'string' ? bareContent : addInput,
);

export const batchInput = z
  .object({
    documents: z
      .array(batchItem)
      .min(1)
      .max(maxBatch)
      .describe(`1–${maxBatch} documents, or texts; one that is refused does not fail the others.`),
    ...tagFields,
    ...settings,
  })
  .transform(joinTags);
export type BatchInput = z.output<typeof batchInput>;

// --- one document ----------------------------------------------------------------------------------

export const referenceInput = z.object({ id: reference });

export const updateInput = z
  .object({
    id: reference,
    content: content.optional().describe('Replaces the whole content, which is then processed again.'),
    metadata: metadata.optional().describe('Given keys replace, others stay; nothing is processed again.'),
    customId: customId.optional(),
    containerTag: containerTag.optional().describe('Moves the document to this container tag.'),
    containerTags: containerTags.optional().describe('Moves the document to these container tags, in order.'),
    taskType: taskType,
    filepath: filepath.optional(),
    filterByMetadata: filterByMetadata.optional(),
  })
  .transform(joinTags);
export type UpdateInput = z.output<typeof updateInput>;

// --- many documents --------------------------------------------------------------------------------

const filepathField = filepathFilter.optional();

export const listInput = z
  .object({
    ...tagFields,
    operator: z
      .enum(['OR', 'AND'])
      .default('OR')
      .describe('With several tags: documents that carry any of them, or all of them.'),
    status: statusFilter.optional(),
    filters: filters.optional(),
    filepath: filepathField,
    includeContent: flag.prefault(false).describe('Adds the full content to each document.'),
    ...pageFields,
    ...sortFields,
  })
  .transform(joinTags);
export type ListInput = z.output<typeof listInput>;

const refs = z.array(z.string().min(1).max(255));

export const withMemoriesInput = z
  .object({
    ...tagFields,
    sources: refs.min(1).max(100).optional().describe('Only documents that came from one of these.'),
    ...pageFields,
    ...sortFields,
  })
  .transform(joinTags);
export type WithMemoriesInput = z.output<typeof withMemoriesInput>;

export const byIdsInput = z
  .object({
    ...tagFields,
    ids: refs
      .min(1)
      .max(maxPageSize)
      .describe(`1–${maxPageSize} ids; those that are not there are left out.`),
    by: z.enum(['id', 'customId']).default('id').describe('What kind of ids these are.'),
  })
  .transform(joinTags);
export type ByIdsInput = z.output<typeof byIdsInput>;

/** The same in a query. */
export const listQueryInput = z
  .object({
    ...listInput.in.shape,
    ...tagQueryFields,
    status: statusQuery.optional(),
    filters: filtersInQuery.optional(),
  })
  .transform(joinTags);

export const processingInput = z.object(tagQueryFields).transform(joinTags);
export type ProcessingInput = z.output<typeof processingInput>;

const onlyOne = 'give exactly one of ids, containerTags or filepath';

export const bulkDeleteInput = z
  .object({
    ids: z.array(z.string().min(1).max(255)).min(1).max(100).optional().describe('1–100 document ids.'),
    ...tagFields,
    containerTags: containerTags.min(1).optional().describe('Deletes everything under these container tags.'),
    filepath: filepathField,
  })
  .transform(joinTags)
  .refine(
    (given) => [given.ids, given.tags, given.filepath].filter((one) => one !== undefined).length === 1,
    {
      error: onlyOne,
    },
  );
export type BulkDeleteInput = z.output<typeof bulkDeleteInput>;
