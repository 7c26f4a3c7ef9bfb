// What a search says of its own answer.
import { z } from 'zod';

export const searchNote = z.object({
  about: z
    .enum(['rerank', 'rewriteQuery', 'aggregate'])
    .describe('The field of the request that it is about.'),
  message: z.string().describe('What was not done as asked, and why.'),
});
export type SearchNote = z.output<typeof searchNote>;

export const notes = z
  .array(searchNote)
  .optional()
  .describe('What could not be done as asked; left out where all was.');
