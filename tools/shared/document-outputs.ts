// What the document operations answer. Objects that published clients treat as closed hold nothing more.
import { z } from 'zod';
import { documentMemory, graphMemory } from './memory-outputs.ts';
import { metadataOutput } from './metadata.ts';
import { pagination } from './paging.ts';
import { time } from './primitives.ts';
import { status, step } from './status.ts';
import { usage } from './usage.ts';

const id = z.string().describe('The id of the document.');
const orNull = (sentence: string) => z.string().nullable().describe(sentence);

/** Closed. */
export const acceptedOutput = z.object({
  id,
  status: z.enum(['queued', 'done']).describe('queued; or done when there is nothing to process.'),
});
export type AcceptedOutput = z.input<typeof acceptedOutput>;

/** Closed, its items as well. */
export const batchOutput = z.object({
  results: z
    .array(
      z.object({
        id: z.string().describe('The id of the document; empty when it was refused.'),
        status: z.enum(['queued', 'done', 'error']).describe('What became of it.'),
        error: z.string().optional().describe('Why it was refused.'),
        details: z.string().optional().describe('Each field that was wrong.'),
      }),
    )
    .describe('One for each document, in the order of the request.'),
  failed: z.int().describe('How many were refused.'),
  success: z.int().describe('How many were taken.'),
});
export type BatchOutput = z.input<typeof batchOutput>;

const failed = z
  .object({
    code: z.string().describe('A word for the cause.'),
    message: z.string().describe('What happened and what to do.'),
    retryable: z.boolean().describe('Whether the same content may pass later.'),
  })
  .meta({ id: 'Failure', description: 'Why something failed.' })
  .nullable();

const processingState = {
  status,
  step,
  progress: z
    .object({
      done: z.number().describe('How much is finished.'),
      total: z.number().describe('How much there is.'),
      unit: z.string().describe('What is counted.'),
    })
    .meta({ id: 'Progress', description: 'How far a step is.' })
    .nullable()
    .describe('How far the current step is, where it can be told.'),
  failure: failed.describe('Why processing failed.'),
};

const named = {
  id,
  customId: orNull("The caller's own id."),
  title: orNull('The title.'),
  type: z.string().describe('What kind of content this is, as in text or webpage.'),
  metadata: metadataOutput.describe('The metadata.'),
  containerTags: z.array(z.string()).describe('The container tags, in the order sent.'),
  createdAt: time.describe('When it was added.'),
  updatedAt: time.describe('When it was last changed.'),
  ...processingState,
};

const described = {
  ...named,
  connectionId: orNull('The connection that brought it.'),
  summary: orNull('A summary.'),
  filepath: orNull('The virtual path.'),
  url: orNull('The address it came from.'),
  note: orNull('What of its content was left out and why, in sentences.'),
};

const drawing = {
  dreamingStatus: z.enum(['dreaming', 'done']).describe('Whether memories are still being drawn.'),
  memoryFailure: failed.describe('Why no memories could be drawn; the document is searchable all the same.'),
};

export const documentOutput = z
  .object({
    ...described,
    content: orNull('The full text.'),
    ...drawing,
    memories: z
      .array(documentMemory)
      .optional()
      .describe('What was drawn from it, in all versions; left out when there is nothing.'),
    usage: usage.describe('What language models took to read it, ever.'),
    taskType: z.enum(['memory', 'superrag']).describe('Whether memories are drawn from it.'),
    source: orNull('Where it came from.'),
    ogImage: orNull('The preview image of a page.'),
    raw: z
      .object({
        fileName: z.string().describe('As its sender calls it.'),
        mimeType: orNull('As found by its bytes; until it is read, as declared.'),
        bytes: z.int().describe('How long it is.'),
      })
      .nullable()
      .describe('The file that was uploaded; file-url gives a link to it.'),
    spatialPoint: z.null().describe('Always null; older clients expect the key.'),
  })
  .meta({ id: 'Document', description: 'What was sent, with how far it is and what was drawn from it.' });
export type DocumentOutput = z.input<typeof documentOutput>;

const listItem = z
  .object({
    ...described,
    containerTags: z.array(z.string()).describe('The container tags without those of projects.'),
    content: z.string().nullable().optional().describe('The full text, when asked for.'),
  })
  .meta({ id: 'ListedDocument', description: 'A document as lists show it.' });
export type ListItem = z.input<typeof listItem>;

export const listOutput = z.object({
  memories: z.array(listItem).describe('The documents of this page.'),
  pagination,
});
export type ListOutput = z.input<typeof listOutput>;

const withMemories = z
  .object({
    ...described,
    source: orNull('Where it came from.'),
    ...drawing,
    memoryEntries: z.array(graphMemory).describe('What was drawn from it, in all versions.'),
  })
  .meta({ id: 'DocumentWithMemories', description: 'A document with what was drawn from it.' });
export type DocumentWithMemories = z.input<typeof withMemories>;

export const withMemoriesOutput = z.object({
  documents: z.array(withMemories).describe('The documents of this page.'),
  pagination,
});
export type WithMemoriesOutput = z.input<typeof withMemoriesOutput>;

const processingItem = z
  .object(named)
  .meta({ id: 'ProcessingDocument', description: 'A document that waits or is being read.' });
export type ProcessingItem = z.input<typeof processingItem>;

export const processingOutput = z.object({
  documents: z.array(processingItem).describe('Documents that are queued or being processed.'),
  totalCount: z.int().describe('How many there are.'),
});
export type ProcessingOutput = z.input<typeof processingOutput>;

export const chunksOutput = z.object({
  documentId: z.string().describe('The id of the document.'),
  total: z.int().describe('How many chunks it has.'),
  chunks: z
    .array(
      z.object({
        id: z.string().describe('The id of the chunk.'),
        position: z.int().describe('Its place in the document, from 0.'),
        content: z.string().describe('Its text.'),
        type: z.enum(['text', 'image']).describe('What it holds.'),
        createdAt: time.describe('When it was made.'),
        metadata: metadataOutput.optional().describe('Its own metadata.'),
      }),
    )
    .describe('In the order of the document.'),
});
export type ChunksOutput = z.input<typeof chunksOutput>;

export const fileUrlOutput = z.object({
  url: z.string().describe('Where the file is had, without a key; for 24 hours.'),
});
export type FileUrlOutput = z.input<typeof fileUrlOutput>;

export const bulkDeleteOutput = z.object({
  success: z.boolean().describe('False when some may not be deleted with this key.'),
  deletedCount: z.int().describe('How many documents were deleted.'),
  errors: z
    .array(z.object({ id: z.string().describe('The id given.'), error: z.string().describe('Why not.') }))
    .optional()
    .describe('What was not deleted, and why.'),
  containerTags: z.array(z.string()).optional().describe('The tags whose documents were deleted.'),
});
export type BulkDeleteOutput = z.input<typeof bulkDeleteOutput>;

/** For 204: no body. */
export const nothing = z.null();
