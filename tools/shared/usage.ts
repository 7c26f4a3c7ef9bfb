// What language models took, in tokens.
import { z } from 'zod';

export const usage = z
  .object({
    inputTokens: z.int().min(0).describe('Tokens that were read.'),
    outputTokens: z.int().min(0).describe('Tokens that were written.'),
  })
  .meta({ id: 'TokenUsage', description: 'What language models took, in tokens.' });
export type Usage = z.input<typeof usage>;
