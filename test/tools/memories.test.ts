// Tests of the inputs of the operations on memories.
import { describe, expect, it, test } from 'vitest';
import {
  createMemoriesInput,
  forgetMatchingInput,
  forgetMemoryInput,
  listMemoriesInput,
  reviewInput,
  updateMemoryInput,
} from '../../tools/memories/schemas/inputs.ts';
import { problems } from './judge.ts';

const one = { containerTag: 'a', memories: [{ content: 'x' }] };

describe('creating', () => {
  it('needs a tag, in either spelling', () => {
    expect(createMemoriesInput.parse(one)).toEqual({ tags: ['a'], memories: [{ content: 'x' }] });
    const several = { ...one, containerTags: ['b', 'a'] };
    expect(createMemoriesInput.parse(several).tags).toEqual(['a', 'b']);
    expect(problems(createMemoriesInput, { memories: one.memories })).toContain('containerTag');
    expect(problems(createMemoriesInput, { ...one, containerTag: undefined, containerTags: [] })).toContain(
      'give a container tag',
    );
  });

  test.each([
    [[], 'memories'],
    [Array.from({ length: 101 }, () => ({ content: 'x' })), 'memories'],
    [[{}], 'memories[0].content'],
    [[{ content: '' }], 'must not be empty'],
    [[{ content: ' \n' }], 'must not be blank'],
    [[{ content: 'x'.repeat(10_001) }], 'memories[0].content'],
    [[{ content: 'x', metadata: { a: ['b'] } }], 'lists and objects are refused'],
    [[{ content: 'x', forgetAfter: 'tomorrow' }], 'ISO-8601'],
    [[{ content: 'x', forgetAfter: '9999-12-31T23:00:00-05:00' }], 'in the years 0 to 9999 in UTC'],
    [[{ content: 'x', forgetAfter: '0000-01-01T00:00:00+05:00' }], 'in the years 0 to 9999 in UTC'],
    [[{ content: 'x', temporalContext: { eventDate: ['May'] } }], 'ISO-8601'],
    [[{ content: 'x', isStatic: 'perhaps' }], 'true or false'],
  ])('refuses invalid memories: %#', (memories, why) => {
    expect(problems(createMemoriesInput, { containerTag: 'a', memories })).toContain(why);
  });

  test.each([
    ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00.000Z'],
    ['2026-06-01T02:00:00+02:00', '2026-06-01T00:00:00.000Z'],
    ['2026-06-01T02:00:00', '2026-06-01T02:00:00.000Z'],
    // What is forgotten after a day holds until its end.
    ['2026-06-01', '2026-06-02T00:00:00.000Z'],
  ])('reads the moment %s as %s, in any time zone of the server', (given, utc) => {
    const { memories } = createMemoriesInput.parse({
      ...one,
      memories: [{ content: 'x', forgetAfter: given }],
    });
    expect(memories[0]?.forgetAfter).toBe(Date.parse(utc));
  });
});

test.each([updateMemoryInput, forgetMemoryInput])('a memory is named by its id or its text', (input) => {
  const given = { containerTag: 'a', newContent: 'y' };
  expect(problems(input, given)).toContain('give the id of the memory or its exact content');
  expect(problems(input, { ...given, id: 'm' })).toBe('');
  expect(problems(input, { ...given, content: 'x', reason: 'because' })).toBe('');
});

test('an update distinguishes omitted fields from cleared ones', () => {
  const given = { containerTag: 'a', id: 'm', newContent: 'y' };
  expect(updateMemoryInput.parse(given)).not.toHaveProperty('forgetAfter');
  expect(updateMemoryInput.parse({ ...given, forgetAfter: null })).toMatchObject({ forgetAfter: null });
  expect(problems(updateMemoryInput, { containerTag: 'a', id: 'm' })).toContain('newContent');
});

describe('forgetting several', () => {
  it('has the published defaults', () => {
    expect(forgetMatchingInput.parse({ containerTag: 'a', query: 'tea' })).toEqual({
      tags: ['a'],
      query: 'tea',
      dryRun: false,
      threshold: 0.5,
      maxForget: 100,
    });
  });

  test.each([
    [{}, 'give either query or ids'],
    [{ query: 'tea', ids: ['m'] }, 'give either query or ids'],
    [{ query: ' ' }, 'must not be blank'],
    [{ query: 'x'.repeat(2001) }, 'query'],
    [{ ids: [] }, 'ids'],
    [{ ids: Array.from({ length: 501 }, () => 'm') }, 'ids'],
    [{ query: 'tea', maxForget: 501 }, 'maxForget'],
    [{ query: 'tea', threshold: 2 }, 'threshold'],
  ])('refuses invalid input: %#', (given, why) => {
    expect(problems(forgetMatchingInput, { containerTag: 'a', ...given })).toContain(why);
  });
});

test('a list needs a tag', () => {
  expect(problems(listMemoriesInput, {})).toContain('containerTag');
  expect(listMemoriesInput.parse({ containerTags: ['a', 'b'], page: '2', limit: '5' })).toMatchObject({
    tags: ['a', 'b'],
    page: 2,
    limit: 5,
    sort: 'createdAt',
    order: 'desc',
  });
});

test('a review has one of three outcomes', () => {
  expect(problems(reviewInput, { containerTag: 'a', memoryId: 'm', action: 'perhaps' })).toContain('action');
});
