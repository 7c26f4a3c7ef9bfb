// Inputs of the document operations.
import { z } from 'zod';
import { maxPageSize, pageFields, sortFields } from '../../memories/schemas/paging.ts';
import { filters, filtersInQuery } from '../../shared/filters.ts';
import { filterByMetadata, metadata } from '../../shared/metadata.ts';
import { flag, instantText, singleLine } from '../../shared/primitives.ts';
import { containerTag, containerTags, joinTags, tagFields, tagQueryFields } from '../../shared/tags.ts';
import { tolerantItem } from './batch-item.ts';
import { content, customId, filepath, filepathFilter, reference, settings, taskType } from './content.ts';
import { facts } from './facts.ts';
import { statusFilter, statusQuery } from './status.ts';

const title = singleLine(1, 1000);

// --- add -------------------------------------------------------------------------------------------

export const addInput = z
  .object({
    content,
    customId: customId.optional(),
    ...tagFields,
    ...settings,
    title: title.optional().describe('The title. Default: taken from the content.'),
    documentDate: instantText
      .optional()
      .describe('The date on which the content was written, if it is older; stored in the metadata.'),
    facts: facts.optional(),
  })
  .transform(joinTags);
export type AddInput = z.output<typeof addInput>;

export const maxBatch = 600;

/** A plain text stands for a document that has only content. */
const bareContent = content.transform((text): AddInput => ({ content: text, tags: undefined }));

const batchItem = tolerantItem<AddInput>(z.union([addInput, bareContent]), (item) =>
  typeof item === 'string' ? bareContent : addInput,
);

export const batchInput = z
  .object({
    documents: z
      .array(batchItem)
      .min(1)
      .max(maxBatch)
      .describe(`1–${maxBatch} documents, or texts. A refused document does not stop the others.`),
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
    content: content.optional().describe('Replaces the whole content; the document is then processed again.'),
    metadata: metadata
      .optional()
      .describe(
        'Replaces the values of the given keys and keeps the other keys; the document is not processed again.',
      ),
    title: title.optional().describe('The new title.'),
    customId: customId.optional(),
    containerTag: containerTag.optional().describe('Moves the document to this container tag.'),
    containerTags: containerTags.optional().describe('Moves the document to these container tags, in order.'),
    taskType: taskType,
    filepath: filepath.optional(),
    filterByMetadata: filterByMetadata.optional(),
    facts: facts.optional(),
  })
  .refine(({ content: sent, facts: given }) => given === undefined || sent !== undefined, {
    path: ['facts'],
    error: 'belong to content; send the content with them',
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
      .describe('With several tags: OR returns documents with any of them, AND documents with all of them.'),
    status: statusFilter.optional(),
    filters: filters.optional(),
    filepath: filepathField,
    includeContent: flag.prefault(false).describe('Adds the full content to each document.'),
    ...pageFields,
    ...sortFields,
  })
  .transform(joinTags);
export type ListInput = z.output<typeof listInput>;

/** The choice of a list, without pages. */
const { operator, status, filters: chosen, filepath: path } = listInput.in.shape;

export const retryInput = z
  .object({ ...tagFields, operator, status, filters: chosen, filepath: path })
  .transform(joinTags);
export type RetryInput = z.output<typeof retryInput>;

const refs = z.array(z.string().min(1).max(255));

export const withMemoriesInput = z
  .object({
    ...tagFields,
    sources: refs.min(1).max(100).optional().describe('Only documents from one of these sources.'),
    ...pageFields,
    ...sortFields,
  })
  .transform(joinTags);
export type WithMemoriesInput = z.output<typeof withMemoriesInput>;

export const byIdsInput = z
  .object({
    ...tagFields,
    ids: refs.min(1).max(maxPageSize).describe(`1–${maxPageSize} ids. Ids that do not exist are left out.`),
    by: z.enum(['id', 'customId']).default('id').describe('The type of the ids.'),
  })
  .transform(joinTags);
export type ByIdsInput = z.output<typeof byIdsInput>;

/** The same fields as query parameters. */
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
    containerTags: containerTags
      .min(1)
      .optional()
      .describe('Deletes all documents with these container tags.'),
    filepath: filepathField,
  })
  .transform(joinTags)
  .refine(
    ({ ids, tags, filepath: path }) => [ids, tags, path].filter((one) => one !== undefined).length === 1,
    {
      error: onlyOne,
    },
  );
export type BulkDeleteInput = z.output<typeof bulkDeleteInput>;
