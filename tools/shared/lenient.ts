// An item of a list whose refusal must not fail the others: described like any input, judged one by one.
import { z } from 'zod';

/** What became of one item: read, or refused with a sentence for each bad field. */
export type Read<T> = { value: T; problem?: never } | { value?: never; problem: string };

/** `metadata.a: must be text; content: must not be blank` */
export const sayIssues = (issues: readonly { path: readonly PropertyKey[]; message: string }[]): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');

/** `described` is what a description shows; `choose` says which schema judges what was given. */
export const lenient = <T>(described: z.ZodType, choose: (given: unknown) => z.ZodType<T>) => {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(described, { io: 'input' });
  return z
    .unknown()
    .meta(shape)
    .transform((given): Read<T> => {
      const parsed = choose(given).safeParse(given);
      return parsed.success ? { value: parsed.data } : { problem: sayIssues(parsed.error.issues) };
    });
};
