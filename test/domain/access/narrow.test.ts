import { expect, test } from 'vitest';
import type { KeyHolder } from '../../../server/domain/access/caller.ts';
import { narrow, type Share } from '../../../server/domain/access/narrow.ts';

const DAY_MS = 86_400_000;

const holder = (more: Partial<KeyHolder> = {}): KeyHolder => ({
  keyId: 'key',
  keyName: 'A key',
  permission: 'write',
  tags: null,
  expiresAt: null,
  rateLimit: null,
  ...more,
});

const share = (more: Partial<Share> = {}): Share => ({
  permission: 'read',
  tags: ['ada'],
  expiresInDays: 30,
  ...more,
});

test('a full key gives what was chosen, for as long as was chosen', () => {
  expect(narrow(holder(), share(), 1000)).toEqual({
    permission: 'read',
    tags: ['ada'],
    expiresAt: 1000 + 30 * DAY_MS,
  });
});

test('everything of a key that is bound to tags is those tags', () => {
  expect(narrow(holder({ tags: ['ada', 'bob'] }), share({ tags: null }), 0).tags).toEqual(['ada', 'bob']);
  expect(narrow(holder(), share({ tags: null }), 0).tags).toBeNull();
});

test('nothing lasts longer than the key', () => {
  expect(narrow(holder({ expiresAt: DAY_MS }), share(), 0).expiresAt).toBe(DAY_MS);
});

test('a foreign tag, a right to write that the key has not, and no tag at all are refused', () => {
  expect(() => narrow(holder({ tags: ['ada'] }), share({ tags: ['ada', 'bob'] }), 0)).toThrow(
    'This key may not use "bob". Choose among: "ada".',
  );
  expect(() => narrow(holder({ permission: 'read' }), share({ permission: 'write' }), 0)).toThrow(
    /only read/,
  );
  expect(() => narrow(holder(), share({ tags: [] }), 0)).toThrow(/at least one container tag/);
});
