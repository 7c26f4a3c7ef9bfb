// Tests of revoking grants.
import { expect, test } from 'vitest';
import { thrownBy } from '../../support/thrown.ts';
import { useAccess } from './open.ts';

const opened = useAccess();

test('a revoked grant is confirmed by its id, and is not found a second time', async () => {
  const { access, fullKey } = opened();
  const { grants } = access;
  const holder = await grants.signIn(await fullKey(), '::1');
  const { id } = await grants.give(holder, {
    ...{ clientId: 'c', clientName: 'C', redirectHost: 'localhost' },
    ...{ permission: 'read', tags: ['a'], expiresInDays: 1 },
  });
  expect(await grants.revoke(id)).toEqual({ id, revoked: true });
  expect((await thrownBy(() => grants.revoke(id))).status).toBe(404);
});
