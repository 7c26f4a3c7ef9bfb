// Tests of the similarity that meaning alone gives.
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../server/domain/search/query/parse-query.ts';
import type { SearchCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import { shownSimilarity } from '../../../../server/domain/search/ranking/shown-similarity.ts';
import { createScorer } from '../../../../server/domain/search/similarity/scorer.ts';

const scorer = createScorer(
  'both',
  { slope: 20, middle: 0.46, aloneMiddle: 0.34, weight: 0.25, inContext: { slope: 20, middle: 0.4 } },
  { things: 200 },
);

const shown = (question: string, text: string, cosine: number): number =>
  shownSimilarity(
    { scorer, query: parseQuery(question) },
    { n: 1, document: { n: 1 }, position: 0, text, flags: 0, speaker: null, date: null } as SearchCandidate,
    { words: 0, cosine },
    0.1,
  );

describe('meaning alone', () => {
  it('passes the default threshold where it is strong and no word is common', () => {
    expect(shown('food to avoid', 'Anna is allergic to peanuts', 0.5)).toBeGreaterThan(0.6);
    expect(shown('food to avoid', 'Anna is allergic to peanuts', 0.3)).toBe(0.1);
  });

  it('does not where a common name or word makes the texts alike', () => {
    expect(shown('Where does Anna work?', 'Anna is allergic to peanuts', 0.5)).toBe(0.1);
    expect(shown('which tyre is flat', 'They own a flat in Malmö', 0.5)).toBe(0.1);
    expect(shown('who went to Rome', 'We go to the sea', 0.5)).toBe(0.1);
  });
});
