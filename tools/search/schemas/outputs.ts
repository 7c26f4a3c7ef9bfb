// Outputs of both searches.
import { z } from 'zod';
import { metadataOutput } from '../../shared/metadata.ts';
import { fraction, time } from '../../shared/primitives.ts';
import { explained, explanation } from './explain.ts';
import { notes } from './notes.ts';

const timing = z.number().describe('The duration of the search in milliseconds.');
const total = z.int().describe('The number of results in this answer.');
const title = z.string().nullable().describe('The title of the document.');
const type = z.string().nullable().describe('The content type of the document.');
const documentMetadata = metadataOutput.describe('The metadata of the document.');
const summary = z.string().nullable().optional().describe('The summary, if it was requested.');
const createdAt = time.describe('The time at which the document was added.');
const updatedAt = time.describe('The time of the last change.');

const place = metadataOutput
  .optional()
  .describe('For a file or a web page: its position, as page, slide, sheet, row, time or heading.');

const scoredChunk = z.object({
  content: z.string().describe('The text.'),
  score: fraction.describe('The score of the match, 0–1.'),
  isRelevant: z.boolean().describe('True for a match, false for a neighbour of a match.'),
  position: z.int().describe('The position of the chunk in its document, from 0.'),
  metadata: place,
  explain: explained,
});

const documentResult = z
  .object({
    documentId: z
      .string()
      .describe('The id that Memoir gave to the document, also if it was added with a customId.'),
    title,
    type,
    metadata: documentMetadata,
    score: fraction.describe('The score of the document, 0–1.'),
    createdAt,
    updatedAt,
    chunks: z.array(scoredChunk).describe('The matching chunks of the document.'),
    summary,
    content: z.string().nullable().optional().describe('The full text, if it was requested.'),
  })
  .meta({ id: 'DocumentResult', description: 'A document in the results, with its matching chunks.' });

export const searchDocumentsOutput = z.object({
  results: z.array(documentResult).describe('Best first.'),
  timing,
  total,
  notes,
  explain: explanation,
});
export type SearchDocumentsOutput = z.input<typeof searchDocumentsOutput>;

const related = {
  id: z.string().describe('The id of the related memory.'),
  memory: z.string().describe('The related memory.'),
  updatedAt,
  metadata: metadataOutput.optional().describe('Its metadata.'),
};

const relative = z.object({
  ...related,
  relation: z.enum(['updates', 'extends', 'derives']).describe('The relation between the two memories.'),
  version: z
    .int()
    .nullable()
    .optional()
    .describe('The distance in the version chain: -1 is the previous version, 1 is the next.'),
});

const context = z.object({
  parents: z.array(relative).optional().describe('Memories that this memory follows from.'),
  children: z.array(relative).optional().describe('Memories that follow from this memory.'),
  related: z
    .array(
      z.object({
        ...related,
        relation: z.enum(['extends', 'derives']).describe('The relation between the two memories.'),
      }),
    )
    .optional()
    .describe('Other related memories.'),
});

const sourceDocument = z
  .object({
    id: z.string().describe('The id of the document.'),
    createdAt,
    updatedAt,
    title: z.string().optional().describe('The title of the document.'),
    type: type.optional(),
    metadata: documentMetadata.optional(),
    summary,
  })
  .meta({ id: 'SourceDocument', description: 'The document that a result comes from.' });

const sourceChunk = z.object({
  content: z.string().describe('The text.'),
  score: fraction.describe('The score of the match, 0–1.'),
  position: z.int().describe('The position in the document, from 0.'),
  documentId: z.string().describe('The id of the document.'),
  metadata: place,
});

const match = z.object({
  text: z.string().describe('The part of the chunk that matches.'),
  position: z.int().describe('The position in the document, from 0.'),
});

const passage = z.object({
  id: z.string().describe('The id of the chunk.'),
  content: z.string().describe('The passage with its neighbours.'),
  documentId: z.string().describe('The id of the document.'),
  position: z.int().describe('The position in the document, from 0.'),
  metadata: place,
});

const memoryResult = z
  .object({
    id: z.string().describe('The id of the memory or of the chunk.'),
    memory: z.string().optional().describe('The memory, if the result is a memory.'),
    chunk: z.string().optional().describe('The passage with its neighbours, if the result is a chunk.'),
    content: z.string().describe('The memory or the chunk, whichever the result is.'),
    passage: passage.optional().describe('The passage that states the memory, if the search found it.'),
    match: match.optional().describe('The matching part of the chunk or of the passage.'),
    similarity: fraction.describe('The similarity, 0–1; comparable between searches.'),
    metadata: metadataOutput.describe('The metadata.'),
    updatedAt,
    version: z.int().nullable().optional().describe('The version of the memory.'),
    isInference: z
      .boolean()
      .optional()
      .describe('For a memory: true if it was derived from other memories, and nobody has approved it.'),
    isForgotten: z.boolean().optional().describe('For a memory: true if it was forgotten or has expired.'),
    filepath: z.string().nullable().optional().describe('The virtual path of the document.'),
    context: context.optional().describe('Versions and relations, if they were requested.'),
    documents: z.array(sourceDocument).optional().describe('The source.'),
    chunks: z.array(sourceChunk).optional().describe('The source chunks, if they were requested.'),
    isAggregated: z.boolean().optional().describe('True if the memory combines several results.'),
    aggregatedFrom: z.array(z.string()).optional().describe('The ids of the combined results.'),
    explain: explained,
  })
  .refine((result) => (result.memory === undefined) !== (result.chunk === undefined), {
    error: 'a result is either a memory or a chunk',
  })
  .meta({ id: 'MemoryResult', description: 'A memory or a chunk in the results.' });

export const searchMemoriesOutput = z.object({
  results: z.array(memoryResult).describe('Best first.'),
  timing,
  total,
  notes,
  explain: explanation,
});
export type SearchMemoriesOutput = z.input<typeof searchMemoriesOutput>;
