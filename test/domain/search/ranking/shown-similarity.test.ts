// Tests of the similarity that callers see where it is not the order.
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
    { words: 0, cosine, evidence: 0, order: 0.1 },
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

describe('a few memories', () => {
  const passes = (memories: number, evidence: number): boolean => {
    const few = createScorer('words', null, { things: memories }, 'memories');
    const candidate = { flags: 0, text: 'Anna sails' } as SearchCandidate;
    const order = few.similarity(evidence, 0);
    const similarity = shownSimilarity({ scorer: few, query: parseQuery('a boat') }, candidate, {
      words: evidence,
      cosine: null,
      evidence,
      order,
    });
    return similarity >= 0.6;
  };

  it('pass the default threshold with less evidence than many', () => {
    expect([3, 40, 192].map((memories) => passes(memories, 0.3))).toEqual([true, false, false]);
    expect([3, 40, 192].map((memories) => passes(memories, 0.5))).toEqual([true, true, true]);
  });

  it('do not pass without any evidence', () => {
    expect([1, 3, 40].map((memories) => passes(memories, 0))).toEqual([false, false, false]);
  });
});
