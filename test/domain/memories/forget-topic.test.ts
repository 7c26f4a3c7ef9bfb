// Tests of finding the topic of an instruction to forget.
import { expect, test } from 'vitest';
import { topicOf } from '../../../server/domain/memories/forgetting/forget-topic.ts';

test.each([
  ['forget everything about Project Titan', 'Project Titan'],
  ['Please forget all memories about my old job.', 'my old job'],
  ['forget that Wanda is allergic to nuts, please', 'Wanda is allergic to nuts'],
  ['delete the notes on Lyon!', 'Lyon'],
  ['Could you remove everything you know about tea?', 'tea'],
  ['everything about tea', 'tea'],
  ["Don't remember the merger any more", 'merger'],
  ['Vergiss alles über Titan', 'Titan'],
  ['Oublie tout sur Titan', 'Titan'],
  ['忘记关于北京的一切', '北京'],
  ['erase any facts that mention Bob', 'Bob'],
  ['Forget my address', 'my address'],
  ['Wipe all of the details regarding the merger', 'the merger'],
])('the instruction %j has the topic %j', (query, topic) => {
  expect(topicOf(query)).toBe(topic);
});

test.each(['Project Titan', 'Forgetting curves', 'removed files', 'forget', 'all'])(
  'the instruction %j is kept unchanged',
  (query) => {
    expect(topicOf(query)).toBe(query);
  },
);

test('an instruction that names no topic is kept unchanged', () => {
  expect(topicOf('Forget everything.')).toBe('everything');
  expect(topicOf('forget all of it')).toBe('it');
});
