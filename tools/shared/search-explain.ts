// Why a search answers as it does: what each result is made of, and what kept something else out.
import { z } from 'zod';
import { fraction } from './primitives.ts';

const byField = z
  .object({
    body: z.number().optional().describe('In the text itself.'),
    title: z.number().optional().describe('In its title.'),
    date: z.number().optional().describe('In the day on which it was said or written, written out.'),
    speaker: z.number().optional().describe('In the name of the one who says it.'),
    relativeDates: z.number().optional().describe('In the days that its "yesterday" means.'),
    neighbours: z.number().optional().describe('In what stands around it.'),
  })
  .describe('How much of it comes from which field of the text, or from what stands around it.');

const words = z
  .object({
    strength: z.number().describe('1: as if every word of the query stood once in a text of average length.'),
    fields: byField,
    terms: z
      .array(
        z.object({
          term: z.string().describe('The word as it is indexed.'),
          share: z.number().describe('How much it tells: its share of a strength of 1.'),
          strength: z.number().describe('What it gives here.'),
          fields: byField,
        }),
      )
      .describe('Each word of the query.'),
  })
  .nullable()
  .describe('What its words give; null where none of them is in or around it, or words were not asked for.');

const vector = z
  .object({
    cosine: z.number().describe('How near its vector is to that of the query.'),
    relevance: fraction.describe('How likely such a cosine means relatedness, in this embedding space.'),
    weight: z.number().nullable().describe('How much that counts beside words; null: it alone counts.'),
  })
  .nullable()
  .describe('What its meaning gives; null where it has no vector, or meaning was not asked for.');

export const parts = z
  .object({
    evidence: z
      .number()
      .describe(
        'What the order follows: (words.strength + vector.weight × vector.relevance) × each prior; with searchMode semantic the log-odds of vector.relevance plus the logarithm of each prior.',
      ),
    similarity: fraction.describe(
      'The evidence as a number that can be compared between searches. The result itself has a higher one where it is a passage that states a memory that matches better.',
    ),
    words,
    vector,
    priors: z
      .array(
        z.object({
          name: z.string().describe('What it looks at.'),
          factor: z.number().describe('What it multiplies the evidence by.'),
          reason: z.string().describe('Why.'),
        }),
      )
      .describe('What makes it likelier or less likely whatever its words.'),
    query: z.string().describe('The wording of the query that found it best.'),
    rerank: z.number().optional().describe('What the reranker gave it, on a scale of its own.'),
    window: z
      .object({ before: z.int().describe('Those before it.'), after: z.int().describe('Those after it.') })
      .optional()
      .describe('How many neighbours are shown around it.'),
  })
  .meta({ id: 'ResultParts', description: 'What the order of a result is made of.' });
export type ExplainedParts = z.input<typeof parts>;

const searched = z.object({
  of: z.enum(['chunks', 'memories']).describe('What was searched.'),
  query: z.string().describe('The query, or another wording of it.'),
  by: z.enum(['words', 'meaning', 'both']).describe('What it was judged by.'),
  among: z.int().describe('How many there were.'),
  exact: z
    .boolean()
    .describe('Whether every vector was compared, and not those alone that the index proposed.'),
  read: z.int().describe('How many were read in full.'),
  found: z.int().describe('How many were left, each text once.'),
  terms: z
    .array(
      z.object({
        term: z.string().describe('The word as it is indexed.'),
        holding: z.int().describe('How many hold it.'),
      }),
    )
    .describe('The words that were looked for.'),
  dates: z
    .array(
      z.object({
        from: z.string().describe('From this moment.'),
        to: z.string().describe('Before this moment.'),
      }),
    )
    .describe('The days that the query names.'),
  asksWhen: z.boolean().describe('Whether it asks for a time.'),
  speaker: z.string().nullable().describe('The one speaker whom it names.'),
  embedder: z.string().nullable().describe('Whose vectors were compared.'),
});
export type ExplainedSearch = z.input<typeof searched>;

const about = z.object({
  id: z.string().describe('The id that was asked about.'),
  kind: z
    .enum(['document', 'chunk', 'memory'])
    .nullable()
    .describe('What it names; null: nothing that this search may see.'),
  shown: z.boolean().describe('Whether it, or something of it, is in the answer.'),
  removedBy: z
    .array(
      z.object({
        step: z
          .enum([
            'unknown',
            'processing',
            'failed',
            'empty',
            'searchMode',
            'docId',
            'filepath',
            'endUserId',
            'filters',
            'version',
            'forgotten',
            'declined',
            'unspoken',
            'found',
            'copy',
            'threshold',
            'documentThreshold',
            'stated',
            'window',
            'limit',
          ])
          .describe('What kept it out.'),
        reason: z.string().describe('The same in words.'),
      }),
    )
    .describe(
      'Every filter that excludes it, or else the first step that it did not pass; empty where it is shown.',
    ),
  best: parts.nullable().describe('What the best of it is made of; null where nothing of it was read.'),
});
export type ExplainedId = z.input<typeof about>;
export type RemovedBy = ExplainedId['removedBy'][number];

export const explanation = z
  .object({
    searches: z.array(searched).describe('Each search that was made.'),
    steps: z
      .array(
        z.object({
          step: z.string().describe('The step, in the order in which they are taken.'),
          left: z.int().describe('How many it left.'),
        }),
      )
      .describe('How many were left after each step.'),
    about: about.optional().describe('What became of explainId.'),
  })
  .meta({ id: 'Explanation', description: 'How the answer to a search came about.' })
  .optional()
  .describe('How the answer came about, when asked for.');
export type Explanation = z.input<typeof explanation>;

export const explained = parts.optional().describe('What it is made of, when asked for.');
