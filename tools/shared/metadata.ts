// Metadata: flat key-value pairs of documents, used by filters.
import { z } from 'zod';
import { singleLine } from './primitives.ts';

const maxMetadataKeys = 100;

const key = singleLine(1, 128);

const scalar = z.union(
  [z.string().max(4096).describe('Text'), z.number().describe('A number'), z.boolean().describe('A boolean')],
  {
    error: 'must be text of at most 4,096 characters, a number or a boolean; lists and objects are refused',
  },
);

export const metadata = z
  .record(key, scalar)
  .refine((pairs) => Object.keys(pairs).length <= maxMetadataKeys, {
    error: `must have at most ${maxMetadataKeys} keys`,
  })
  .describe(
    'Flat key-value pairs for filtering: text, numbers or booleans. At most 100 keys of 1–128 characters, text up to 4,096 characters.',
  );

export type Metadata = z.output<typeof metadata>;

/** Limits the existing memories that serve as context while a document is processed; never filters results. */
export const filterByMetadata = z
  .record(key, z.union([scalar, z.array(z.string().max(4096)).max(maxMetadataKeys)]))
  .describe(
    'Selects the existing memories that serve as context during processing. Each key has a value, or a list of values of which any may match. All keys must match.',
  );

/** Metadata in answers. */
export const metadataOutput = z.record(z.string(), z.unknown()).nullable();
