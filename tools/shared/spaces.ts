// Fields of the embedding spaces.
import { z } from 'zod';

export const spacesOutput = z.object({
  active: z
    .object({
      embedder: z.string().describe('`builtin` or `openai`.'),
      model: z.string().describe('The model, by the name its service knows it by.'),
      dimensions: z.int().describe('How many numbers a vector has.'),
      answering: z
        .boolean()
        .describe('False: nothing here computes such vectors at the moment, so searches go by keyword.'),
    })
    .nullable()
    .describe('The embedding space that searches use.'),
  wanted: z
    .object({
      embedder: z.string().describe('`builtin` or `openai`.'),
      model: z.string().describe('The model, by the name its service knows it by.'),
      dimensions: z
        .int()
        .nullable()
        .describe('How many numbers a vector is to have; null: as many as the model gives.'),
    })
    .describe('What the settings ask for.'),
  reindexNeeded: z.boolean().describe('Whether a reindex would change something.'),
  reindexing: z
    .object({
      done: z.int().describe('Chunks that have their new vector.'),
      total: z.int().describe('All chunks.'),
    })
    .nullable()
    .describe('How far a running reindex is, in chunks; null: none runs.'),
  trouble: z
    .string()
    .nullable()
    .describe(
      'Why the embedder does not answer or the reindex does not get on; null: nothing is known to be wrong.',
    ),
});

export type SpacesOutput = z.output<typeof spacesOutput>;
