// Tests of the first key: created once, or taken from the settings.
import { expect, test } from 'vitest';
import { ensureFirstKey } from '../../../server/domain/access/keys/first-key.ts';
import { hashKey } from '../../../server/domain/access/keys/key-text.ts';
import { orgId, useAccess } from './open.ts';

const opened = useAccess();
const GIVEN = 'sm_9fK2vQ7xLw4ZtB8mNc3RhY6pDs1G';

const ensure = (chosenKey?: string) => {
  const { store, clock } = opened();
  return ensureFirstKey({ keys: store.keys, orgId, now: clock.now }, { chosenKey });
};
const names = async () => (await opened().store.keys.list()).map(({ name }) => name).sort();

test('a first start creates one key, and a later one creates none', async () => {
  const first = await ensure();
  expect(first).toMatch(/^sm_/);
  expect(await ensure()).toBeNull();
  expect(await names()).toEqual(['First key']);
});

test('a key in the settings is stored beside the others, once', async () => {
  await ensure();
  expect(await ensure(GIVEN)).toBe(GIVEN);
  expect(await ensure(GIVEN)).toBeNull();
  expect(await names()).toEqual(['First key', 'Key from MEMOIR_API_KEY']);
  expect(await opened().store.keys.byHash(hashKey(GIVEN))).toMatchObject({ permission: 'write', tags: null });
});
