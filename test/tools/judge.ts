// Returns the result of a schema for an input: the parsed value, or one sentence with all errors.
import type { z } from 'zod';
import { describeIssues } from '../../server/lib/issues.ts';

export const problems = (schema: z.ZodType, input: unknown): string => {
  const parsed = schema.safeParse(input);
  return parsed.success ? '' : describeIssues(parsed.error.issues);
};
