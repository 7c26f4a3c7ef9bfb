// Tests of the kinds of answer that questions ask for.
import { describe, expect, it } from 'vitest';
import { holdsKindAsked } from '../../../server/lib/text/kinds-of-answer.ts';

const holds = (question: string, statement: string): boolean | undefined =>
  holdsKindAsked(question)?.(statement);

describe('a statement holds the kind of answer that is asked for', () => {
  it.each([
    ['When is the lesson?', 'Piano is on Thursdays at 5', 'The teacher is strict'],
    ['How many rooms are there?', 'The flat has three rooms', 'The flat is bright'],
    ['Where does she live?', 'She moved to Graz', 'She moved again'],
    ['Where is the key?', 'The key lies under a stone in the garden', 'The key is old'],
    ['Who waters the plants?', 'The plants are watered by Ida', 'The plants are dry'],
  ])('%s', (question, answer, other) => {
    expect(holds(question, answer)).toBe(true);
    expect(holds(question, other)).toBe(false);
  });

  it('says nothing about other questions', () => {
    expect(holds('What does she like?', 'She likes tea')).toBeUndefined();
  });
});
