// Notes of a search about its own answer.
import { z } from 'zod';

export const searchNote = z.object({
  about: z
    .enum(['rerank', 'rewriteQuery', 'aggregate'])
    .describe('The request field that the note refers to.'),
  message: z
    .string()
    .describe('A sentence about the part of the request that was not carried out, with the reason.'),
});
export type SearchNote = z.output<typeof searchNote>;

export const notes = z
  .array(searchNote)
  .optional()
  .describe('Notes about parts of the request that were not carried out; left out if there are none.');
