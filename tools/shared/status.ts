// The words for how far a document is: four to read, six exact steps, and every published word to filter by.
import { z } from 'zod';

export const steps = ['queued', 'extracting', 'chunking', 'embedding', 'done', 'failed'] as const;
export type Step = (typeof steps)[number];

export const step = z.enum(steps).describe('The exact step of the pipeline.');

export const status = z
  .enum(['queued', 'processing', 'done', 'failed'])
  .describe('How far processing is; poll until done or failed.');

/** Which steps each word stands for; `indexing` belongs to embedding. */
const stepsOf = {
  queued: ['queued'],
  processing: ['extracting', 'chunking', 'embedding'],
  extracting: ['extracting'],
  chunking: ['chunking'],
  embedding: ['embedding'],
  indexing: ['embedding'],
  done: ['done'],
  failed: ['failed'],
} as const satisfies Record<string, readonly Step[]>;

export type StatusWord = keyof typeof stepsOf;

const words = Object.keys(stepsOf) as [StatusWord, ...StatusWord[]];
const oneOf = `must be one of ${words.join(', ')}`;
const word = z.enum(words, { error: oneOf });

const toSteps = (chosen: readonly StatusWord[]): Step[] => [
  ...new Set(chosen.flatMap((one): readonly Step[] => stepsOf[one])),
];

/** One word or several, as the steps they stand for. */
export const statusFilter = z
  .union([word, z.array(word).min(1)], { error: oneOf })
  .transform((value) => toSteps([value].flat()))
  .describe('Only documents with this status, or one of these; "processing" covers every working step.');

/** The same in a query: repeated or as a comma list. */
export const statusQuery = z
  .union([z.string().describe('One word, or several with commas'), z.array(word)])
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .pipe(z.array(word).min(1))
  .transform(toSteps)
  .describe(`Only documents with this status: ${words.join(', ')}; repeated or as a comma list.`);
