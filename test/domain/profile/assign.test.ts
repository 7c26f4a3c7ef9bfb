import { describe, expect, it } from 'vitest';
import { createAssigner } from '../../../server/domain/profile/assign.ts';
import { TASTES, tellsTaste } from '../../../server/domain/profile/tastes.ts';
import { TOPIC_WORDS } from '../../../server/domain/profile/topics.ts';

const buckets = [
  { key: 'preferences', description: 'What the person likes, dislikes and prefers.' },
  { key: 'health', description: 'Physical and mental wellbeing: conditions, habits, medications.' },
  { key: 'relationships', description: "People in the person's life: family, friends, colleagues." },
  { key: 'travel', description: 'Places visited, travel preferences, upcoming trips.' },
  { key: 'trip_planning', description: '' },
  { key: 'kiln-work', description: 'Ceramics, glazes and firing.' },
];
const bucketsOf = createAssigner(buckets);

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
  ])('%s → %j', (statement, keys) => {
    expect(bucketsOf(statement)).toEqual(keys);
  });

  it('by its words in other scripts too', () => {
    const inJapanese = createAssigner([{ key: 'food', description: '料理と食べ物' }]);
    expect(inJapanese('葵は和食の料理が得意だ。')).toEqual(['food']);
    expect(inJapanese('葵は札幌に住んでいる。')).toEqual([]);
  });

  it('to nothing by what descriptions say of anything', () => {
    const vague = createAssigner([
      { key: 'misc', description: 'Any other personal information about the user.' },
    ]);
    expect(vague('Ada told some other users about it.')).toEqual([]);
  });
});

describe('a preference', () => {
  it.each(TASTES.map(({ pattern, example }) => [example, pattern] as const))(
    'is told by: %s',
    (example, pattern) => {
      expect(example).toMatch(pattern);
      expect(tellsTaste(example)).toBe(true);
    },
  );

  it.each([
    'Ada looks like her mother.',
    'It was like a dream.',
    'Ada would like to be asked.',
    'Ada lives in Graz.',
  ])('is not told by: %s', (statement) => {
    expect(tellsTaste(statement)).toBe(false);
  });
});

it('every topic has names and words, and no name stands twice', () => {
  const names = TOPIC_WORDS.flatMap((topic) => topic.names);
  for (const topic of TOPIC_WORDS)
    expect(Math.min(topic.names.length, topic.words.length)).toBeGreaterThan(0);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
