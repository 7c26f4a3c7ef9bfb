// The tokens that language models used.
import { z } from 'zod';

export const usage = z
  .object({
    inputTokens: z.int().min(0).describe('Tokens sent to language models.'),
    outputTokens: z.int().min(0).describe('Tokens written by language models.'),
  })
  .meta({ id: 'TokenUsage', description: 'The tokens that language models used.' });
export type Usage = z.input<typeof usage>;
