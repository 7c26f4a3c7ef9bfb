// Notes of a search about its own answer.
import { z } from 'zod';

const searchNote = z.object({
  about: z
    .enum(['q', 'rerank', 'rewriteQuery', 'aggregate'])
    .describe(
      'The request field that the note refers to. `rerank` also where a setting asks for it; `q`: a part of the scope was searched by words alone.',
    ),
  message: z
    .string()
    .describe('A sentence about what was not carried out, or only in part, with the reason.'),
});
export type SearchNote = z.output<typeof searchNote>;

export const notes = z
  .array(searchNote)
  .optional()
  .describe('Notes about what was not carried out, or only in part; left out if there are none.');
