// The explanation of a search: the evidence of each result, and the reason why something else is not a result.
import { z } from 'zod';
import { fraction } from '../../shared/primitives.ts';

const byField = z
  .object({
    body: z.number().optional().describe('From the text itself.'),
    title: z.number().optional().describe('From the title.'),
    date: z.number().optional().describe('From the date on which it was said or written, as words.'),
    speaker: z.number().optional().describe('From the name of the speaker.'),
    relativeDates: z
      .number()
      .optional()
      .describe('From relative dates in the text, such as "yesterday", as dates.'),
    neighbours: z.number().optional().describe('From the neighbouring text.'),
  })
  .describe('The strength by field of the text, and from the neighbouring text.');

const words = z
  .object({
    strength: z
      .number()
      .describe(
        'The strength of the words. 1 means: every word of the query occurs once in a text of average length.',
      ),
    trust: fraction.describe(
      'The share of the strength that counts. Less than 1: a model finds another meaning in the text, so that the few words that match are likely there by chance.',
    ),
    fields: byField,
    terms: z
      .array(
        z.object({
          term: z.string().describe('The word as it is indexed.'),
          share: z.number().describe('The weight of the word: its share of a strength of 1.'),
          strength: z.number().describe('The strength of the word in this result.'),
          fields: byField,
        }),
      )
      .describe('The words of the query.'),
  })
  .nullable()
  .describe(
    'The evidence from words; null if no word of the query occurs in or near it, or if the search does not use words.',
  );

const vector = z
  .object({
    cosine: z.number().describe('The cosine similarity of its vector and the vector of the query.'),
    relevance: fraction.describe(
      'The probability that such a cosine means a related text, in this embedding space.',
    ),
    weight: z.number().nullable().describe('The weight compared with words; null: only the meaning counts.'),
  })
  .nullable()
  .describe('The evidence from meaning; null if it has no vector, or if the search does not use meaning.');

export const parts = z
  .object({
    evidence: z
      .number()
      .describe(
        'The number that decides the order: (words.strength × words.trust + vector.weight × vector.relevance) × each prior. With searchMode semantic: the log-odds of vector.relevance plus the logarithm of each prior.',
      ),
    similarity: fraction.describe(
      'The evidence as a number from 0 to 1 that is comparable between searches. A memory and the passage for which it stands get the better similarity of the two.',
    ),
    words,
    vector,
    priors: z
      .array(
        z.object({
          name: z.string().describe('The name of the prior.'),
          factor: z.number().describe('The factor that the evidence is multiplied by.'),
          reason: z.string().describe('The reason.'),
        }),
      )
      .describe('The priors: factors that do not depend on the words of the query.'),
    query: z.string().describe('The wording of the query that gave the best match.'),
    rerank: z.number().optional().describe('The score from the reranker, on the scale of the reranker.'),
    window: z
      .object({
        before: z.int().describe('The number before the match.'),
        after: z.int().describe('The number after the match.'),
      })
      .optional()
      .describe('The number of neighbours shown around the match.'),
  })
  .meta({ id: 'ResultParts', description: 'The evidence behind the position of a result.' });
export type ExplainedParts = z.input<typeof parts>;

const searched = z.object({
  of: z.enum(['chunks', 'memories']).describe('The kind of items that were searched.'),
  query: z.string().describe('The query, or another wording of it.'),
  by: z.enum(['words', 'meaning', 'both']).describe('The kind of evidence that was used.'),
  among: z.int().describe('The number of items in the scope of the search.'),
  exact: z
    .boolean()
    .describe(
      'True if every vector was compared; false if only the vectors proposed by the index were compared.',
    ),
  read: z.int().describe('The number of items that were read in full.'),
  found: z.int().describe('The number of items found, after duplicate texts were removed.'),
  terms: z
    .array(
      z.object({
        term: z.string().describe('The word as it is indexed.'),
        holding: z.int().describe('The number of items that contain the word.'),
      }),
    )
    .describe('The words that were searched.'),
  dates: z
    .array(
      z.object({
        from: z.string().describe('The start of the range.'),
        to: z.string().describe('The end of the range; not included.'),
      }),
    )
    .describe('The dates that the query mentions.'),
  asksWhen: z.boolean().describe('True if the query asks for a time.'),
  speaker: z.string().nullable().describe('The speaker that the query mentions, if there is exactly one.'),
  embedder: z.string().nullable().describe('The embedder of the compared vectors.'),
});
export type ExplainedSearch = z.input<typeof searched>;

const about = z.object({
  id: z.string().describe('The explainId from the request.'),
  kind: z
    .enum(['document', 'chunk', 'memory'])
    .nullable()
    .describe('The kind of item with this id; null: no item that this search may access.'),
  shown: z.boolean().describe('True if it, or a part of it, is in the results.'),
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
          .describe('The step that excluded it.'),
        reason: z.string().describe('The reason in a sentence.'),
      }),
    )
    .describe(
      'All filters that exclude it; if no filter does, the first step that excluded it. Empty if it is in the results.',
    ),
  best: parts.nullable().describe('The evidence of its best part; null if no part of it was read.'),
});
export type ExplainedId = z.input<typeof about>;
export type RemovedBy = ExplainedId['removedBy'][number];

export const explanation = z
  .object({
    searches: z.array(searched).describe('The searches that were run.'),
    steps: z
      .array(
        z.object({
          step: z.string().describe('The name of the step.'),
          left: z.int().describe('The number of candidates after the step.'),
        }),
      )
      .describe('The number of candidates after each step, in order.'),
    about: about.optional().describe('The explanation for explainId.'),
  })
  .meta({ id: 'Explanation', description: 'The explanation of a search answer.' })
  .optional()
  .describe('The explanation of the answer, if it was requested.');
export type Explanation = z.input<typeof explanation>;

export const explained = parts.optional().describe('The evidence of the result, if it was requested.');
