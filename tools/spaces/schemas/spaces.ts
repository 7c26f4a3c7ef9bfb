// Fields of the embedding spaces.
import { z } from 'zod';

export const spacesOutput = z.object({
  active: z
    .object({
      embedder: z.string().describe('`builtin`, `local`, `server` or `openai`.'),
      model: z.string().describe('The name of the model.'),
      dimensions: z.int().describe('The number of dimensions of a vector.'),
      answering: z
        .boolean()
        .describe('False: no embedder for this space is available, so searches use words only.'),
    })
    .nullable()
    .describe('The embedding space that searches use.'),
  wanted: z
    .object({
      embedder: z.string().describe('`builtin`, `local`, `server` or `openai`.'),
      model: z.string().describe('The name of the model.'),
      dimensions: z
        .int()
        .nullable()
        .describe('The configured number of dimensions; null: the default of the model.'),
    })
    .describe('The embedding space that the settings select.'),
  reindexNeeded: z.boolean().describe('True if a reindex is needed to use the configured embedder.'),
  reindexing: z
    .object({
      done: z.int().describe('The number of chunks that have a new vector.'),
      total: z.int().describe('The number of all chunks.'),
    })
    .nullable()
    .describe('The progress of a running reindex, in chunks; null: no reindex is running.'),
  trouble: z
    .string()
    .nullable()
    .describe('The problem that stops the embedder or the reindex; null: no known problem.'),
});
