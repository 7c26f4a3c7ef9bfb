// Profile buckets: the topics of a profile.
import { z } from 'zod';

const reserved = new Set(['static', 'dynamic']);

const bucketKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
    error: 'must be 1–64 characters from a–z, 0–9, _ and -, and begin with a letter or digit',
  })
  .refine((key) => !reserved.has(key), {
    error: 'must not be static or dynamic: these are sections of every profile',
  })
  .describe('1–64 characters from a–z, 0–9, _ and -; not static or dynamic.');

export const profileBuckets = z
  .array(
    z.object({
      key: bucketKey,
      description: z
        .string()
        .max(2000)
        .default('')
        .describe('The information that belongs in the bucket, up to 2,000 characters.'),
    }),
  )
  .max(50)
  .refine((buckets) => new Set(buckets.map(({ key }) => key)).size === buckets.length, {
    error: 'must not contain the same key twice',
  });

export const bucketsOutput = z.array(
  z.object({
    key: z.string().describe('The key of the bucket.'),
    description: z.string().describe('The information that belongs in the bucket.'),
  }),
);
