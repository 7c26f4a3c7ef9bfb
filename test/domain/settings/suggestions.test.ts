// Tests of suggesting buckets and categories.
import { describe, expect, test } from 'vitest';
import { suggestBuckets, suggestCategories } from '../../../server/domain/settings/suggestions.ts';

const keys = (prompt: string, existing: string[] = []): string[] =>
  suggestBuckets(
    prompt,
    existing.map((key) => ({ key, description: '' })),
  ).map(({ key }) => key);

describe('suggested buckets', () => {
  test.each([
    ['Keep decisions, deadlines and customer complaints.', ['decisions', 'deadlines', 'customer-complaints']],
    [
      'Focus on food allergies; training plans; sleep. Ignore jokes.',
      ['food-allergies', 'training-plans', 'sleep'],
    ],
    ['Only birds, do not keep weather or traffic', ['birds', 'background', 'goals']],
    ['予定', ['topic-1', 'background', 'goals']],
    ['Ignore everything.', ['background', 'goals', 'decisions']],
  ])('match the description %j', (prompt, expected) => {
    expect(keys(prompt)).toEqual(expected);
  });

  test('are six at most, each once, and include no existing bucket', () => {
    expect(keys('a1, b2, c3, d4, e5, f6, g7, b2')).toEqual(['a1', 'b2', 'c3', 'd4', 'e5', 'f6']);
    expect(keys('birds, static, boats, bells, bridges', ['boats'])).toEqual(['birds', 'bells', 'bridges']);
  });
});

describe('suggested categories', () => {
  test.each([
    ['Keep decisions, deadlines and customer complaints.', ['decisions', 'deadlines', 'customer complaints']],
    ['Only birds, do not keep weather or traffic', ['birds', 'background', 'goals']],
    ['予定', ['予定', 'background', 'goals']],
    ['a1, b2, c3, d4, e5, f6, b2', ['a1', 'b2', 'c3', 'd4', 'e5']],
  ])('match the text %j', (prompt, expected) => {
    expect(suggestCategories(prompt)).toEqual(expected);
  });

  test('are short enough to be sent back', () => {
    for (const one of suggestCategories('word '.repeat(100))) expect(one.length).toBeLessThanOrEqual(50);
  });
});
