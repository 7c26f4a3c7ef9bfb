// An item of a list whose refusal must not fail the others: described like any input, judged one by one.
import { z } from 'zod';

type Issues = readonly z.core.$ZodIssue[];

/** What became of one item: read, or what is wrong with it. */
export type Read<T> = { value: T; issues?: never } | { value?: never; issues: Issues };

/** `described` is what a description shows; `choose` says which schema judges what was given. */
export const lenient = <T>(described: z.ZodType, choose: (given: unknown) => z.ZodType<T>) => {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(described, { io: 'input' });
  return z
    .unknown()
    .meta(shape)
    .transform((given): Read<T> => {
      const parsed = choose(given).safeParse(given);
      return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
    });
};
