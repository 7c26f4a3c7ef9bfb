// Fields of the embedding spaces.
import { z } from 'zod';

export const spacesOutput = z.object({
  active: z
    .object({
      embedder: z.string().describe('`builtin` or `openai`.'),
      model: z.string(),
      dimensions: z.int(),
      answering: z.boolean().describe('False: nothing here computes such vectors, so searches go by keyword.'),
    })
    .nullable()
    .describe('The embedding space that searches use.'),
  wanted: z
    .object({ embedder: z.string(), model: z.string() })
    .describe('What the settings ask for.'),
  reindexNeeded: z.boolean().describe('Whether a reindex would change something.'),
  reindexing: z
    .object({ done: z.int(), total: z.int() })
    .nullable()
    .describe('How far a running reindex is, in chunks; null: none runs.'),
});

export type SpacesOutput = z.output<typeof spacesOutput>;
