import { describe, expect, test } from 'vitest';
import type { KeyHolder } from '../../../server/domain/access/caller.ts';
import { type Ask, enter } from '../../../server/domain/access/scope.ts';
import { Scope } from '../../../server/lib/scope.ts';
import { thrownBy } from '../../support/thrown.ts';

const holder = (part: Partial<KeyHolder> = {}): KeyHolder => ({
  keyId: 'k',
  keyName: 'key',
  permission: 'write',
  tags: null,
  expiresAt: null,
  rateLimit: null,
  ...part,
});
const read = (part: Partial<Ask> = {}): Ask => ({ permission: 'read', reaches: 'tags', ...part });

describe('the scope of a call', () => {
  test('is everything for a full key that names no tag', () => {
    const { scope } = enter(holder(), read());
    expect(Scope.is(scope)).toBe(true);
    expect(scope).toMatchObject({ reads: null, holds: null });
  });

  test('narrows a full key to the tags that it names, each once', () => {
    expect(enter(holder(), read({ tags: ['a', 'b', 'a'] })).scope).toMatchObject({
      reads: ['a', 'b'],
      holds: null,
    });
  });

  test("is the key's own tags for a bound key that names none", () => {
    const bound = holder({ tags: ['a/b c@d', '日本語'] });
    expect(enter(bound, read()).scope).toMatchObject({
      reads: ['a/b c@d', '日本語'],
      holds: ['a/b c@d', '日本語'],
    });
    expect(enter(bound, read({ tags: [] })).scope.reads).toEqual(['a/b c@d', '日本語']);
  });

  test('narrows reading to the tag named, and leaves what the key holds', () => {
    expect(enter(holder({ tags: ['a', 'b'] }), read({ tags: ['b'] })).scope).toMatchObject({
      reads: ['b'],
      holds: ['a', 'b'],
    });
  });

  test('finds one document wherever the key may look, though the call names the tags it shall get', () => {
    const ask = read({ permission: 'write', reaches: 'document', tags: ['b'] });
    expect(enter(holder(), ask).scope).toMatchObject({ reads: null, holds: null });
    expect(enter(holder({ tags: ['a', 'b'] }), ask).scope.reads).toEqual(['a', 'b']);
  });
});

describe('a call is refused with 403', () => {
  test('when one of its tags is foreign, naming that tag and the allowed ones', async () => {
    const error = await thrownBy(() => enter(holder({ tags: ['a', 'b'] }), read({ tags: ['a', 'c"d'] })));
    expect(error.status).toBe(403);
    expect(error.message).toBe('This key may not use the container tag "c\\"d". It may use: "a", "b".');
  });

  test('when a document shall get a foreign tag', async () => {
    const ask = read({ permission: 'write', reaches: 'document', tags: ['c'] });
    expect((await thrownBy(() => enter(holder({ tags: ['a'] }), ask))).status).toBe(403);
  });

  test('when tags differ in case alone', async () => {
    expect((await thrownBy(() => enter(holder({ tags: ['a'] }), read({ tags: ['A'] })))).status).toBe(403);
  });

  test('when a key that may only read writes', async () => {
    const ask = read({ permission: 'write' });
    const error = await thrownBy(() => enter(holder({ permission: 'read' }), ask));
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('write permission') });
  });

  test('when a bound key reaches for the organisation, even to read', async () => {
    const error = await thrownBy(() => enter(holder({ tags: ['a'] }), read({ reaches: 'organisation' })));
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('full access') });
  });

  test('with a list of allowed tags that stays readable', async () => {
    const tags = Array.from({ length: 80 }, (_, index) => `tag${index}`);
    const error = await thrownBy(() => enter(holder({ tags }), read({ tags: ['x'] })));
    expect(error.message).toContain('"tag49" and 30 more.');
  });
});
