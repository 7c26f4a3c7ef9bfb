// What both searches answer.
import { z } from 'zod';
import { metadataOutput } from './metadata.ts';
import { fraction, time } from './primitives.ts';
import { explained, explanation } from './search-explain.ts';
import { notes } from './search-notes.ts';

const timing = z.number().describe('How long the search took, in milliseconds.');
const total = z.int().describe('How many results this answer holds.');
const title = z.string().nullable().describe('The title of the document.');
const type = z.string().nullable().describe('What kind of content the document is.');
const documentMetadata = metadataOutput.describe('The metadata of the document.');
const summary = z.string().nullable().optional().describe('The summary, when asked for.');
const createdAt = time.describe('When the document was added.');
const updatedAt = time.describe('When it was last changed.');

const place = metadataOutput
  .optional()
  .describe('Of a file or a web page: the page, slide, sheet, row, time or heading where it stands.');

const scoredChunk = z.object({
  content: z.string().describe('The text.'),
  score: fraction.describe('How well it matches, 0–1.'),
  isRelevant: z.boolean().describe('False for the neighbour of a match.'),
  metadata: place,
  explain: explained,
});

const documentResult = z
  .object({
    documentId: z.string().describe('The id of the document.'),
    title,
    type,
    metadata: documentMetadata,
    score: fraction.describe('How well the document matches, 0–1.'),
    createdAt,
    updatedAt,
    chunks: z.array(scoredChunk).describe('What matches in it.'),
    summary,
    content: z.string().nullable().optional().describe('The full text, when asked for.'),
  })
  .meta({ id: 'DocumentResult', description: 'A document that was found, with its matching passages.' });

export const searchDocumentsOutput = z.object({
  results: z.array(documentResult).describe('Best first.'),
  timing,
  total,
  notes,
  explain: explanation,
});
export type SearchDocumentsOutput = z.input<typeof searchDocumentsOutput>;

const related = {
  memory: z.string().describe('The related memory.'),
  updatedAt,
  metadata: metadataOutput.optional().describe('Its metadata.'),
};

const relative = z.object({
  ...related,
  relation: z.enum(['updates', 'extends', 'derives']).describe('How the two are related.'),
  version: z.int().nullable().optional().describe('Steps in the chain: -1 the one before, 1 the one after.'),
});

const context = z.object({
  parents: z.array(relative).optional().describe('What this memory came from.'),
  children: z.array(relative).optional().describe('What came from this memory.'),
  related: z
    .array(
      z.object({ ...related, relation: z.enum(['extends', 'derives']).describe('How they are related.') }),
    )
    .optional()
    .describe('Other memories near this one.'),
});

const sourceDocument = z
  .object({
    id: z.string().describe('The id of the document.'),
    createdAt,
    updatedAt,
    title: title.optional(),
    type: type.optional(),
    metadata: documentMetadata.optional(),
    summary,
  })
  .meta({ id: 'SourceDocument', description: 'The document that a result comes from.' });

const sourceChunk = z.object({
  content: z.string().describe('The text.'),
  score: fraction.describe('How well it matches, 0–1.'),
  position: z.int().describe('Its place in the document, from 0.'),
  documentId: z.string().describe('The id of the document.'),
  metadata: place,
});

const match = z.object({
  text: z.string().describe('The part of the chunk that matches.'),
  position: z.int().describe('Its place in the document, from 0.'),
});

const memoryResult = z
  .object({
    id: z.string().describe('The id of the memory or of the chunk.'),
    memory: z.string().optional().describe('The memory; only when the result is one.'),
    chunk: z
      .string()
      .optional()
      .describe('The passage with its neighbours; only when the result is a chunk.'),
    match: match.optional().describe('What matches in the chunk; only when the result is one.'),
    similarity: fraction.describe('How well it matches, 0–1; comparable between searches.'),
    metadata: metadataOutput.describe('The metadata.'),
    updatedAt,
    version: z.int().nullable().optional().describe('The version of the memory.'),
    filepath: z.string().nullable().optional().describe('The virtual path of the document.'),
    context: context.optional().describe('Versions and relations, when asked for.'),
    documents: z.array(sourceDocument).optional().describe('Where it came from.'),
    chunks: z.array(sourceChunk).optional().describe('The chunks behind it, when asked for.'),
    isAggregated: z.boolean().optional().describe('True when put together from several results.'),
    aggregatedFrom: z
      .array(z.string())
      .optional()
      .describe('The ids of those results, where they are put together.'),
    explain: explained,
  })
  .refine((result) => (result.memory === undefined) !== (result.chunk === undefined), {
    error: 'a result is either a memory or a chunk',
  })
  .meta({ id: 'MemoryResult', description: 'A memory or a passage that was found.' });

export const searchMemoriesOutput = z.object({
  results: z.array(memoryResult).describe('Best first.'),
  timing,
  total,
  notes,
  explain: explanation,
});
export type SearchMemoriesOutput = z.input<typeof searchMemoriesOutput>;
