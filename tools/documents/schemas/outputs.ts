// Outputs of the document operations. Objects that published clients treat as closed must not get more fields.
import { z } from 'zod';
import { documentMemory, graphMemory } from '../../memories/schemas/outputs.ts';
import { pagination } from '../../memories/schemas/paging.ts';
import { metadataOutput } from '../../shared/metadata.ts';
import { nullableText, time } from '../../shared/primitives.ts';
import { usage } from '../../shared/usage.ts';
import { similar } from './facts.ts';
import { status, step } from './status.ts';

const id = z.string().describe('The id of the document.');

/** Closed for content without facts: no further fields. */
export const acceptedOutput = z.object({
  id,
  status: z.enum(['queued', 'done']).describe('queued, or done if there is nothing to process.'),
  similar: similar.optional(),
});
export type AcceptedOutput = z.input<typeof acceptedOutput>;

/** Closed: no further fields. */
export const updatedOutput = z.object({ id, status });
export type UpdatedOutput = z.input<typeof updatedOutput>;

export const retryOutput = z.object({
  retried: z.number().int().describe('The number of documents that are processed again.'),
});
export type RetryOutput = z.input<typeof retryOutput>;

/** Closed, with its items: no further fields. */
export const batchOutput = z.object({
  results: z
    .array(
      z.object({
        id: z.string().describe('The id of the document; empty if the document was refused.'),
        status: z.enum(['queued', 'done', 'error']).describe('The result for this document.'),
        error: z.string().optional().describe('The reason for the refusal.'),
        details: z.string().optional().describe('The invalid fields.'),
      }),
    )
    .describe('One for each document, in the order of the request.'),
  failed: z.int().describe('The number of refused documents.'),
  success: z.int().describe('The number of accepted documents.'),
});
export type BatchOutput = z.input<typeof batchOutput>;

const failed = z
  .object({
    code: z.string().describe('A short code for the cause.'),
    message: z.string().describe('The error message: the problem, and what you can do.'),
    retryable: z.boolean().describe('True if a retry with the same content can succeed.'),
  })
  .meta({ id: 'Failure', description: 'The reason for a failure.' })
  .nullable();

const processingState = {
  status,
  step,
  progress: z
    .object({
      done: z.number().describe('The finished part.'),
      total: z.number().describe('The whole.'),
      unit: z.string().describe('The unit of both numbers.'),
    })
    .meta({ id: 'Progress', description: 'The progress of a step.' })
    .nullable()
    .describe('The progress of the current step, if it is known.'),
  failure: failed.describe('The reason why processing failed.'),
};

const named = {
  id,
  customId: nullableText('Your own id for the document.'),
  title: nullableText(
    'The title: yours, or the one that the content states, or one that is drawn from it. Null until the content is read; of a file that could not be read, its name.',
  ),
  type: z.string().describe('The type of the content, for example text or webpage.'),
  metadata: metadataOutput.describe('The metadata.'),
  containerTags: z.array(z.string()).describe('The container tags, in the order sent.'),
  createdAt: time.describe('The time at which it was added.'),
  updatedAt: time.describe('The time of the last change.'),
  ...processingState,
};

const described = {
  ...named,
  connectionId: nullableText('The id of the connection that imported it.'),
  summary: nullableText('The central sentences, at most 300 characters. Null until the content is read.'),
  filepath: nullableText('The virtual path.'),
  url: nullableText('The address of the source.'),
  note: nullableText('Sentences about parts of the content that were left out, with the reasons.'),
};

const drawing = {
  dreamingStatus: z
    .enum(['dreaming', 'done'])
    .describe('dreaming: memories are still being drawn from the document.'),
  memoryFailure: failed.describe(
    'The reason why no memories could be drawn. The document is still searchable.',
  ),
};

export const documentOutput = z
  .object({
    ...described,
    content: nullableText('The full text.'),
    ...drawing,
    memories: z
      .array(documentMemory)
      .optional()
      .describe('The memories drawn from the document, in all versions; left out if there are none.'),
    usage: usage.describe('All tokens that language models have used for this document.'),
    taskType: z
      .enum(['memory', 'superrag'])
      .describe('memory: memories are drawn from the document; superrag: it is only searchable.'),
    latestRevision: z.int().describe('Counts the changes of the content, from 1.'),
    source: nullableText('The source.'),
    ogImage: nullableText('The preview image of a page.'),
    raw: z
      .object({
        fileName: z.string().optional().describe('The file name from the upload.'),
        mimeType: nullableText(
          'The media type, detected from the bytes. Until the file is read: the declared type.',
        ).optional(),
        bytes: z.int().optional().describe('The size in bytes.'),
        titleOrigin: z
          .enum(['given', 'stated', 'drawn', 'written'])
          .optional()
          .describe(
            'Where the title comes from: given by you, stated by the content, drawn from it without a model, or written by a model.',
          ),
        summaryOrigin: z
          .enum(['drawn', 'written'])
          .optional()
          .describe(
            'Where the summary comes from: drawn from the content without a model, or written by a model.',
          ),
      })
      .nullable()
      .describe(
        'The uploaded file, and the origins of the title and the summary. Use file-url to get a link to the file.',
      ),
    spatialPoint: z.null().describe('Always null. Older clients expect this field.'),
  })
  .meta({
    id: 'Document',
    description: 'A document with its content, its processing status and its memories.',
  });
export type DocumentOutput = z.input<typeof documentOutput>;

const listItem = z
  .object({
    ...described,
    containerTags: z.array(z.string()).describe('The container tags, without project tags (sm_project_…).'),
    content: z.string().nullable().optional().describe('The full text, if it was requested.'),
  })
  .meta({ id: 'ListedDocument', description: 'A document in a list.' });
export type ListItem = z.input<typeof listItem>;

export const listOutput = z.object({
  memories: z.array(listItem).describe('The documents of this page.'),
  pagination,
});
export type ListOutput = z.input<typeof listOutput>;

const withMemories = z
  .object({
    ...described,
    source: nullableText('The source.'),
    ...drawing,
    memoryEntries: z.array(graphMemory).describe('The memories drawn from the document, in all versions.'),
  })
  .meta({ id: 'DocumentWithMemories', description: 'A document with its memories.' });
export type DocumentWithMemories = z.input<typeof withMemories>;

export const withMemoriesOutput = z.object({
  documents: z.array(withMemories).describe('The documents of this page.'),
  pagination,
});
export type WithMemoriesOutput = z.input<typeof withMemoriesOutput>;

const processingItem = z
  .object(named)
  .meta({ id: 'ProcessingDocument', description: 'A document that is queued or being processed.' });
export type ProcessingItem = z.input<typeof processingItem>;

export const processingOutput = z.object({
  documents: z.array(processingItem).describe('Documents that are queued or being processed.'),
  totalCount: z.int().describe('The number of all such documents.'),
});
export type ProcessingOutput = z.input<typeof processingOutput>;

export const chunksOutput = z.object({
  documentId: z.string().describe('The id of the document.'),
  total: z.int().describe('The number of chunks.'),
  chunks: z
    .array(
      z.object({
        id: z.string().describe('The id of the chunk.'),
        position: z.int().describe('The position in the document, from 0.'),
        content: z.string().describe('The text of the chunk.'),
        type: z.enum(['text', 'image']).describe('The type of the chunk.'),
        createdAt: time.describe('The time of creation.'),
        metadata: metadataOutput.optional().describe('The metadata of the chunk.'),
      }),
    )
    .describe('The chunks in document order.'),
});
export type ChunksOutput = z.input<typeof chunksOutput>;

export const fileUrlOutput = z.object({
  url: z.string().describe('The address of the file. It needs no key and is valid for 24 hours.'),
});
export type FileUrlOutput = z.input<typeof fileUrlOutput>;

export const bulkDeleteOutput = z.object({
  success: z.boolean().describe('False if the key may not delete some of the documents.'),
  deletedCount: z.int().describe('The number of deleted documents.'),
  errors: z
    .array(
      z.object({
        id: z.string().describe('The id from the request.'),
        error: z.string().describe('The reason.'),
      }),
    )
    .optional()
    .describe('The documents that were not deleted, with reasons.'),
  containerTags: z.array(z.string()).optional().describe('The tags whose documents were deleted.'),
});
export type BulkDeleteOutput = z.input<typeof bulkDeleteOutput>;

/** The output of operations with status 204: no body. */
export const nothing = z.null();
