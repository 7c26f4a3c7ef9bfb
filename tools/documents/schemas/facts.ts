// Facts: statements that a sender makes about the content.
import { z } from 'zod';
import { forgetAfter, memoryId, statement } from '../../memories/schemas/statement.ts';
import { flag } from '../../shared/primitives.ts';

export const maxFacts = 20;

const fact = z.object({
  content: statement.describe(
    'One statement that is clear without the content, 1–10,000 characters: names instead of pronouns, dates instead of "tomorrow".',
  ),
  isStatic: flag.optional().meta({ description: 'True: a lasting trait.', default: false }),
  forgetAfter: forgetAfter.optional(),
  replaces: memoryId
    .optional()
    .describe(
      'The id of the memory that it replaces: the latest version, under the same container tags as the document.',
    ),
});

const replacesEachOnce = (given: readonly z.output<typeof fact>[]): boolean => {
  const replaced = given.flatMap(({ replaces }) => replaces ?? []);
  return new Set(replaced).size === replaced.length;
};

export const facts = z
  .array(fact)
  .max(maxFacts)
  .refine(replacesEachOnce, {
    error: 'must not replace a memory twice; let one fact replace it, and send the others without replaces',
  })
  .describe(
    `Up to ${maxFacts} statements that become the memories of the content, which is then not read for others. Without facts, or with none, memories are drawn from the content.`,
  );
export type FactsInput = z.output<typeof facts>;

/** Existing memories that facts seem to change. */
export const similar = z
  .array(
    z.object({
      id: z.string().describe('The id of the memory.'),
      memory: z.string().describe('The statement.'),
    }),
  )
  .describe(
    'With facts: up to three existing memories that they seem to change. If a fact takes the place of one, send it again and name that memory in replaces.',
  );
export type SimilarMemories = z.output<typeof similar>;
