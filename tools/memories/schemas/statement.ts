// The fields of a statement that is sent, wherever one is.
import { z } from 'zod';
import { holdsText, lastInstant } from '../../shared/primitives.ts';

export const statement = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .max(10_000)
  .refine(holdsText, { error: 'must not be blank' });

export const memoryId = z.string().min(1).max(255).describe('The id of a memory.');

export const forgetAfter = lastInstant
  .nullable()
  .describe(
    'The time after which the memory counts as forgotten, in ISO-8601; a date means the end of that day, in UTC; null: never.',
  );
