// Fields of the space that the database takes.
import { z } from 'zod';

export const storageOutput = z.object({
  bytes: z.int().describe('The size of the database, in bytes.'),
  freeBytes: z.int().describe('The part of it that is free; new content uses it again.'),
  compacting: z
    .object({
      step: z
        .enum(['erasing', 'copying', 'replacing'])
        .describe(
          'erasing: what was deleted is erased first; copying: the database is copied without free pages; replacing: the copy takes its place.',
        ),
      done: z.int().describe('The part of this step that is done.'),
      total: z.int().describe('The size of this step: bytes while copying, pages while replacing.'),
    })
    .nullable()
    .describe('The progress of compacting; null: it is not under way.'),
  trouble: z.string().nullable().describe('Why the last compacting failed; null: it did not fail.'),
  elsewhere: z
    .boolean()
    .describe(
      'True: this process only answers requests. The workers of other processes compact, and it does not see their progress.',
    ),
});

export type StorageOutput = z.output<typeof storageOutput>;
