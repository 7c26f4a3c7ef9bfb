// Tests of the tags that a call may read and write.
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../../server/core/principal.ts';
import { Scope } from '../../../server/core/scope.ts';
import { authorizeCall, type CallAccess } from '../../../server/domain/access/scope.ts';
import { thrownBy } from '../../support/thrown.ts';

const holder = (part: Partial<Principal> = {}): Principal => ({
  keyId: 'k',
  keyName: 'key',
  permission: 'write',
  tags: null,
  role: 'owner',
  expiresAt: null,
  rateLimit: null,
  ...part,
});
const { signal } = new AbortController();
const read = (part: Partial<CallAccess> = {}): CallAccess => ({
  permission: 'read',
  reaches: 'tags',
  signal,
  ...part,
});

describe('a call that reaches the whole organisation', () => {
  const managing = read({ reaches: 'organisation' });

  test('is open to a full key', () => {
    expect(authorizeCall(holder(), managing).scope.reads).toBeNull();
  });

  test.each([
    [{ grantId: 'g' }, 'A connected program may not manage keys'],
    [{ isPlugin: true }, 'The key of a plugin may not manage keys'],
    [{ tags: ['a'] }, 'A key that is bound to container tags may not manage keys'],
  ] as const)('is refused to %j', async (part, sentence) => {
    const { status, message } = await thrownBy(async () =>
      authorizeCall(holder({ ...part, tags: 'tags' in part ? [...part.tags] : null }), managing),
    );
    expect([status, message]).toEqual([403, expect.stringContaining(sentence)]);
  });
});

describe('what belongs to the caller alone', () => {
  const reader = holder({ role: 'member', permission: 'read', tags: ['a'], inPerson: true });
  const statusOf = async (part: Partial<Principal>, reaches: CallAccess['reaches']) =>
    (
      await thrownBy(async () =>
        authorizeCall({ ...reader, ...part }, read({ permission: 'write', reaches })),
      )
    ).status;

  test('is managed by a member in person who may only read content, and nothing else is', async () => {
    const caller = authorizeCall(reader, read({ permission: 'write', reaches: 'account' }));
    expect(caller.keyId).toBe(reader.keyId);
    for (const reaches of ['organisation', 'tags', 'document'] as const)
      expect(await statusOf({}, reaches)).toBe(403);
  });

  test('is not managed by a key of the member that has not all of its rights', async () => {
    expect(await statusOf({ inPerson: undefined } as never, 'account')).toBe(403);
  });
});

describe('the scope of a call', () => {
  test('names the key, or the grant, that its reads are for, and when its client leaves', () => {
    expect(authorizeCall(holder(), read()).scope.call).toEqual({ principal: holder().keyId, signal });
    expect(authorizeCall(holder({ grantId: 'g' }), read()).scope.call).toEqual({ principal: 'g', signal });
  });

  test('is everything for a full key that names no tag', () => {
    const { scope } = authorizeCall(holder(), read());
    expect(Scope.is(scope)).toBe(true);
    expect(scope).toMatchObject({ reads: null, holds: null });
  });

  test('narrows a full key to the tags that it names, each once', () => {
    expect(authorizeCall(holder(), read({ tags: ['a', 'b', 'a'] })).scope).toMatchObject({
      reads: ['a', 'b'],
      holds: null,
    });
  });

  test("is the key's own tags for a bound key that names none", () => {
    const bound = holder({ tags: ['a/b c@d', '日本語'] });
    expect(authorizeCall(bound, read()).scope).toMatchObject({
      reads: ['a/b c@d', '日本語'],
      holds: ['a/b c@d', '日本語'],
    });
    expect(authorizeCall(bound, read({ tags: [] })).scope.reads).toEqual(['a/b c@d', '日本語']);
  });

  test('narrows reading to the named tag, and keeps the tags of the key as the allowed ones', () => {
    expect(authorizeCall(holder({ tags: ['a', 'b'] }), read({ tags: ['b'] })).scope).toMatchObject({
      reads: ['b'],
      holds: ['a', 'b'],
    });
  });

  test('inside one tag is narrowed to it also when it writes, and says so', () => {
    const ask = read({ permission: 'write', reaches: 'inside', tags: ['b'] });
    expect(authorizeCall(holder({ tags: ['a', 'b'] }), ask)).toMatchObject({
      scope: { reads: ['b'], holds: ['a', 'b'] },
      isInside: true,
    });
    expect(authorizeCall(holder(), ask).scope).toMatchObject({ reads: ['b'], holds: null });
    expect(authorizeCall(holder(), read({ tags: ['b'] })).isInside).toBeUndefined();
    expect(() => authorizeCall(holder({ tags: ['a'] }), ask)).toThrow(
      'This key may not use the container tag "b"',
    );
  });

  test('finds one document under any tag of the key, though the call names the tags that the document will get', () => {
    const ask = read({ permission: 'write', reaches: 'document', tags: ['b'] });
    expect(authorizeCall(holder(), ask).scope).toMatchObject({ reads: null, holds: null });
    expect(authorizeCall(holder({ tags: ['a', 'b'] }), ask).scope.reads).toEqual(['a', 'b']);
  });
});

describe('a call is refused with 403', () => {
  test('when one of its tags is foreign, naming that tag and the allowed ones', async () => {
    const error = await thrownBy(() =>
      authorizeCall(holder({ tags: ['a', 'b'] }), read({ tags: ['a', 'c"d'] })),
    );
    expect(error.status).toBe(403);
    expect(error.message).toBe('This key may not use the container tag "c\\"d". It may use: "a", "b".');
  });

  test('when it would give a document a foreign tag', async () => {
    const ask = read({ permission: 'write', reaches: 'document', tags: ['c'] });
    expect((await thrownBy(() => authorizeCall(holder({ tags: ['a'] }), ask))).status).toBe(403);
  });

  test('when its tag differs from an allowed one in case alone', async () => {
    expect((await thrownBy(() => authorizeCall(holder({ tags: ['a'] }), read({ tags: ['A'] })))).status).toBe(
      403,
    );
  });

  test('when it writes with a read-only key', async () => {
    const ask = read({ permission: 'write' });
    const error = await thrownBy(() => authorizeCall(holder({ permission: 'read' }), ask));
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('write permission') });
  });

  test('when it reads data of the organisation with a bound key', async () => {
    const error = await thrownBy(() =>
      authorizeCall(holder({ tags: ['a'] }), read({ reaches: 'organisation' })),
    );
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('full access') });
  });

  test('with a readable list of the allowed tags', async () => {
    const tags = Array.from({ length: 80 }, (_, index) => `tag${index}`);
    const error = await thrownBy(() => authorizeCall(holder({ tags }), read({ tags: ['x'] })));
    expect(error.message).toContain('"tag49" and 30 more.');
  });
});
