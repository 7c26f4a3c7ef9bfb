// Tests of assigning statements to the buckets of a profile.
import { describe, expect, it } from 'vitest';
import { createBucketAssigner } from '../../../server/domain/profile/bucket-assignment.ts';
import { PREFERENCE_PATTERNS, tellsPreference } from '../../../server/domain/profile/preferences.ts';
import { TOPICS_WITH_WORDS } from '../../../server/domain/profile/topic-words.ts';

const buckets = [
  { key: 'preferences', description: 'What the person likes, dislikes and prefers.' },
  { key: 'health', description: 'Physical and mental wellbeing: conditions, habits, medications.' },
  { key: 'relationships', description: "People in the person's life: family, friends, colleagues." },
  { key: 'travel', description: 'Places visited, travel preferences, upcoming trips.' },
  { key: 'trip_planning', description: '' },
  { key: 'kiln-work', description: 'Ceramics, glazes and firing.' },
];
const bucketsOf = createBucketAssigner(buckets);

describe('a statement is assigned', () => {
  it.each([
    ['Ada prefers jasmine tea.', ['preferences']],
    ['Ada does not like coriander.', ['preferences']],
    ['Ada is allergic to walnuts.', ['health']],
    ["Ada's sister Clara is a diver.", ['relationships']],
    ['Ada flew to Porto on Friday.', ['travel', 'trip_planning']],
    ['Ada fires the second glaze on Monday.', ['kiln-work']],
    ['Ada plans a trip to the Faroe Islands.', ['travel', 'trip_planning']],
    ['Ada loves her brother.', ['preferences', 'relationships']],
    ['The moon is full tonight.', []],
  ])('by its words: %s → %j', (statement, keys) => {
    expect(bucketsOf(statement)).toEqual(keys);
  });

  it('by its words in other scripts too', () => {
    const inJapanese = createBucketAssigner([{ key: 'food', description: '料理と食べ物' }]);
    expect(inJapanese('葵は和食の料理が得意だ。')).toEqual(['food']);
    expect(inJapanese('葵は札幌に住んでいる。')).toEqual([]);
  });

  it('to no bucket by the general words of a description', () => {
    const vague = createBucketAssigner([
      { key: 'misc', description: 'Any other personal information about the user.' },
    ]);
    expect(vague('Ada told some other users about it.')).toEqual([]);
  });
});

describe('a preference', () => {
  it.each(PREFERENCE_PATTERNS.map(({ pattern, example }) => [example, pattern] as const))(
    'is recognised in: %s',
    (example, pattern) => {
      expect(example).toMatch(pattern);
      expect(tellsPreference(example)).toBe(true);
    },
  );

  it.each([
    'Ada looks like her mother.',
    'It was like a dream.',
    'Ada would like to be asked.',
    'Ada lives in Graz.',
  ])('is not recognised in: %s', (statement) => {
    expect(tellsPreference(statement)).toBe(false);
  });
});

it('every topic has names and words, and no name occurs twice', () => {
  const names = TOPICS_WITH_WORDS.flatMap((topic) => topic.names);
  for (const topic of TOPICS_WITH_WORDS)
    expect(Math.min(topic.names.length, topic.words.length)).toBeGreaterThan(0);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
