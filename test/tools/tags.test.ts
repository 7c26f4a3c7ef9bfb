// Tests of the container tags in inputs.
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { containerTag, joinTags, tagFields, tagQueryFields } from '../../tools/shared/tags.ts';
import { problems } from './judge.ts';

const body = z.object(tagFields).transform(joinTags);
const query = z.object(tagQueryFields).transform(joinTags);

describe('a container tag', () => {
  it.each([
    'a',
    'user_1',
    'org_7_team_blue',
    'a/b c@d',
    '日本語',
    'x:y.z-1',
    'a,b',
    ' ',
    '🙂',
    'x'.repeat(100),
  ])('may be %j', (tag) => {
    expect(containerTag.parse(tag)).toBe(tag);
  });

  it.each([
    ['', 'must not be empty'],
    ['x'.repeat(101), 'at most 100 characters'],
    ['a\nb', 'control characters'],
    ['a\u0000', 'control characters'],
    ['a\u0085', 'control characters'],
    ['half \ud800', 'control characters'],
    ['list', 'reserved word'],
    ['merge', 'reserved word'],
    ['LIST', 'reserved word'],
    ['..', 'reserved word'],
    [7, 'must be text'],
  ])('may not be %j', (tag, why) => {
    expect(problems(containerTag, tag).toLowerCase()).toContain(why);
  });
});

describe('the tags of a body', () => {
  test.each([
    [{}, undefined],
    [{ containerTags: [] }, undefined],
    [{ containerTag: 'a' }, ['a']],
    [{ containerTags: ['b', 'a'] }, ['b', 'a']],
    [{ containerTag: 'a', containerTags: ['c', 'a', 'b'] }, ['a', 'c', 'b']],
    [{ containerTags: ['x,y'] }, ['x,y']],
  ])('are read from %j as %j', (input, tags) => {
    expect(body.parse(input).tags).toEqual(tags);
  });

  it('are at most 100', () => {
    expect(problems(body, { containerTags: Array.from({ length: 101 }, (_, i) => `t${i}`) })).toContain(
      'containerTags',
    );
  });

  it('are a list under the plural name', () => {
    expect(problems(body, { containerTags: 'a' })).toContain('containerTags');
  });
});

describe('the tags of a query', () => {
  test.each([
    [{ containerTag: 'a,b' }, ['a,b']],
    [{ containerTag: ['a', 'b'] }, ['a', 'b']],
    [{ containerTags: 'a' }, ['a']],
    [{ containerTags: 'a,b' }, ['a', 'b']],
    [{ containerTags: ['a', 'b,c'] }, ['a', 'b,c']],
    [{ containerTags: '["a","b,c"]' }, ['a', 'b,c']],
    [{ containerTags: '[odd' }, ['[odd']],
    [{ containerTags: '' }, undefined],
    [{ containerTag: 'a', containerTags: 'b,a' }, ['a', 'b']],
  ])('are read from %j as %j', (input, tags) => {
    expect(query.parse(input).tags).toEqual(tags);
  });

  test.each([[{ containerTags: 'a,list' }], [{ containerTags: '["a",{}]' }], [{ containerTag: '' }]])(
    'are refused in %j',
    (input) => {
      expect(problems(query, input)).toContain('containerTag');
    },
  );
});
