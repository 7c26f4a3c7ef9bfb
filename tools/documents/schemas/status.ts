// The processing states of a document: four in answers, six exact steps, and the published words for filters.
import { z } from 'zod';

export const steps = ['queued', 'extracting', 'chunking', 'embedding', 'done', 'failed'] as const;
export type Step = (typeof steps)[number];

export const step = z.enum(steps).describe('The exact step of the pipeline.');

export const status = z
  .enum(['queued', 'processing', 'done', 'failed'])
  .describe('The processing status. Poll until it is done or failed.');

/** The steps of each status word; `indexing` belongs to embedding. */
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

/** One status or several, converted to steps. */
export const statusFilter = z
  .union([word, z.array(word).min(1)], { error: oneOf })
  .transform((value) => toSteps([value].flat()))
  .describe(
    'Only documents with this status, or with one of several; processing includes extracting, chunking and embedding.',
  );

/** The same as a query parameter: repeated, or separated by commas. */
export const statusQuery = z
  .union([z.string().describe('One status, or several separated by commas'), z.array(word)])
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .pipe(z.array(word).min(1))
  .transform(toSteps)
  .describe(
    `Only documents with one of these statuses: ${words.join(', ')}. Repeat the parameter, or separate several with commas.`,
  );
