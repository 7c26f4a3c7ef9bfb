// Tests of the key that a consent screen issues out of the key of the user.
import { expect, test } from 'vitest';
import type { Principal } from '../../../server/core/principal.ts';
import { type KeyShare, narrowShare } from '../../../server/domain/access/narrow-share.ts';

const DAY_MS = 86_400_000;

const holder = (more: Partial<Principal> = {}): Principal => ({
  keyId: 'key',
  keyName: 'A key',
  permission: 'write',
  tags: null,
  role: 'owner',
  expiresAt: null,
  rateLimit: null,
  ...more,
});

const share = (more: Partial<KeyShare> = {}): KeyShare => ({
  permission: 'read',
  tags: ['ada'],
  expiresInDays: 30,
  ...more,
});

test('a full key grants the chosen share for the chosen time', () => {
  expect(narrowShare(holder(), share(), 1000)).toEqual({
    permission: 'read',
    tags: ['ada'],
    expiresAt: 1000 + 30 * DAY_MS,
  });
});

test('a bound key that grants everything grants its own tags', () => {
  expect(narrowShare(holder({ tags: ['ada', 'bob'] }), share({ tags: null }), 0).tags).toEqual([
    'ada',
    'bob',
  ]);
  expect(narrowShare(holder(), share({ tags: null }), 0).tags).toBeNull();
});

test('a share never lasts longer than the key', () => {
  expect(narrowShare(holder({ expiresAt: DAY_MS }), share(), 0).expiresAt).toBe(DAY_MS);
});

test('a foreign tag, a write permission that the key lacks, and an empty list of tags are refused', () => {
  expect(() => narrowShare(holder({ tags: ['ada'] }), share({ tags: ['ada', 'bob'] }), 0)).toThrow(
    'This key may not use "bob". Choose among: "ada".',
  );
  expect(() => narrowShare(holder({ permission: 'read' }), share({ permission: 'write' }), 0)).toThrow(
    /only read/,
  );
  expect(() => narrowShare(holder(), share({ tags: [] }), 0)).toThrow(/at least one container tag/);
});
