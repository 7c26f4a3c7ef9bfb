// Items of a list that are validated one by one: an invalid item does not fail the others.
import { z } from 'zod';

type Issues = readonly z.core.$ZodIssue[];

/** One parsed item, or its issues. */
export type Read<T> = { value: T; issues?: never } | { value?: never; issues: Issues };

/** `described` is the schema in the published description; `choose` selects the schema that validates an item. */
export const tolerantItem = <T>(described: z.ZodType, choose: (item: unknown) => z.ZodType<T>) => {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(described, { io: 'input' });
  return z
    .unknown()
    .meta(shape)
    .transform((item): Read<T> => {
      const parsed = choose(item).safeParse(item);
      return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
    });
};
