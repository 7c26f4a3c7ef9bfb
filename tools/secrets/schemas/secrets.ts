// The answer of a rotation of the key that encrypts secrets.
import { z } from 'zod';

export const rotationOutput = z.object({
  keyChanged: z
    .boolean()
    .describe(
      'True: the key in the data folder was changed. False: the settings hold the key, so it is changed there.',
    ),
  sealed: z.number().describe('The secrets that are encrypted with the new key since this call.'),
  unchanged: z.number().describe('The secrets that needed no change.'),
  unreadable: z
    .array(z.string())
    .describe('The secrets that no known key opens: enter them again, or sign in again.'),
});

export type RotationOutput = z.output<typeof rotationOutput>;
