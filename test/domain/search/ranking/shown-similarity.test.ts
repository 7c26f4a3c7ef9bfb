// Tests of the similarity that callers see where it is not the order.
import { describe, expect, it } from 'vitest';
import { likelyAnswer } from '../../../../server/domain/search/evidence/likely-answer.ts';
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
    { scorer, query: parseQuery(question), likely: () => 0 },
    { n: 1, document: { n: 1 }, position: 0, text, flags: 0, speaker: null, date: null } as SearchCandidate,
    { words: 0, cosine, evidence: 0, order: 0.1 },
  ).similarity;

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
  const among = (memories: number, question: string, text: string, evidence = 0) => {
    const few = createScorer('words', null, { things: memories }, 'memories');
    const query = parseQuery(question);
    return shownSimilarity(
      { scorer: few, query, likely: likelyAnswer(query) },
      { flags: 0, text } as SearchCandidate,
      { words: evidence, cosine: null, evidence, order: few.similarity(evidence, 0) },
    );
  };
  const passes = (...asked: Parameters<typeof among>): boolean => among(...asked).similarity >= 0.6;

  it('pass the default threshold with less evidence than many', () => {
    expect([3, 40, 192].map((memories) => passes(memories, 'a boat', 'Anna sails', 0.3))).toEqual([
      true,
      false,
      false,
    ]);
    expect([3, 40, 192].map((memories) => passes(memories, 'a boat', 'Anna sails', 0.5))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('pass by the meaning of a product, without a common word', () => {
    expect(passes(3, 'Which phone do I have?', 'I use an iPhone 12')).toBe(true);
    expect(passes(3, 'Which phone do I have?', 'I live in Munich')).toBe(false);
  });

  it('do not pass without the kind of answer that the question asks for', () => {
    expect(passes(3, 'How old am I?', 'I am 34 years old')).toBe(true);
    expect(passes(3, 'What is the capital of France?', 'I use an iPhone 12')).toBe(false);
    expect(passes(2, 'When is my dentist appointment?', 'I am vegan')).toBe(false);
  });

  it('stay as similar as the threshold, below those that answer for sure', () => {
    const { similarity, sure } = among(3, 'Which phone do I have?', 'I use an iPhone 12');
    expect(similarity).toBe(0.6);
    expect(sure).toBeLessThan(0.6);
  });
});
