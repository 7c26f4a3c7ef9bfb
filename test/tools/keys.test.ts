// Tests of the inputs for new keys.
import { describe, expect, it, test } from 'vitest';
import { createAgentKeyInput, createScopedKeyInput } from '../../tools/keys/schemas/keys.ts';
import { problems } from './judge.ts';

describe('a scoped key', () => {
  it('needs a tag and nothing else', () => {
    expect(createScopedKeyInput.parse({ containerTag: 'a' })).toEqual({
      tags: ['a'],
      permission: 'write',
      rateLimitMax: 500,
      rateLimitTimeWindow: 60_000,
    });
  });

  it('may have several tags, be read-only, expire, and have a rate of its own', () => {
    const given = {
      name: 'n',
      permission: 'read',
      expiresInDays: 365,
      rateLimitMax: 10_000,
      rateLimitTimeWindow: 3_600_000,
    };
    expect(createScopedKeyInput.parse({ ...given, containerTags: ['a', 'b'] })).toEqual({
      ...given,
      tags: ['a', 'b'],
    });
  });

  test.each([
    [{}, 'containerTag: is required: give the container tag'],
    [{ containerTags: [] }, 'containerTag: is required: give the container tag'],
    [{ containerTag: 'merge' }, 'containerTag'],
    [{ containerTag: 'a', expiresInDays: 0 }, 'expiresInDays'],
    [{ containerTag: 'a', expiresInDays: 366 }, 'expiresInDays'],
    [{ containerTag: 'a', rateLimitMax: 10_001 }, 'rateLimitMax'],
    [{ containerTag: 'a', rateLimitTimeWindow: 3_600_001 }, 'rateLimitTimeWindow'],
    [{ containerTag: 'a', permission: 'admin' }, 'permission'],
  ])('is refused for %j', (given, why) => {
    expect(problems(createScopedKeyInput, given)).toContain(why);
  });
});

describe('an agent key', () => {
  it('may have access to everything or to some tags', () => {
    expect(createAgentKeyInput.parse({ name: 'n', permission: 'read' }).tags).toBeUndefined();
    expect(createAgentKeyInput.parse({ name: 'n', permission: 'write', containerTags: ['a'] }).tags).toEqual([
      'a',
    ]);
  });

  test.each([
    [{ permission: 'read' }, 'name: is required'],
    [{ name: 'n' }, 'permission'],
    [{ name: 'n', permission: 'read', expiresInDays: 0 }, 'expiresInDays'],
    [{ name: '', permission: 'read' }, 'name'],
  ])('is refused for %j', (given, why) => {
    expect(problems(createAgentKeyInput, given)).toContain(why);
  });

  it('is refused for an empty list of tags', () => {
    // An empty list most likely is a list that failed to be filled: it must not open everything.
    expect(problems(createAgentKeyInput, { name: 'n', permission: 'read', containerTags: [] })).toContain(
      'containerTags',
    );
  });
});
