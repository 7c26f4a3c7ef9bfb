// What a schema says to an input: its reading, or one sentence about everything that is wrong.
import type { z } from 'zod';
import { describeIssues } from '../../server/lib/issues.ts';

export const problems = (schema: z.ZodType, input: unknown): string => {
  const parsed = schema.safeParse(input);
  return parsed.success ? '' : describeIssues(parsed.error.issues);
};
