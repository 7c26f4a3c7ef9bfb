// Sessions: whose rights a browser has, and what ends them.
import { expect, test } from 'vitest';
import { useAccess } from '../open.ts';

const opened = useAccess();
const ADDRESS = '192.0.2.1';

/** A browser that signed in with a key that belongs to nobody; the text of its cookie. */
const signedInWith = (keyId: string): Promise<string> =>
  opened().access.sessions.begin({ memberId: null, keyId, userAgent: 'a browser' }, null);

test('a browser that signed in with a key of nobody has the name, the rights and the tags of the key', async () => {
  const { access } = opened();
  const { id } = await access.createAgentKey({ name: 'of a program', tags: ['a'], permission: 'read' });
  expect(await access.resume(await signedInWith(id), ADDRESS)).toMatchObject({
    ...{ keyId: id, keyName: 'of a program', permission: 'read', tags: ['a'] },
  });
});

test('a browser that signed in without a key has the rights of its member, for as long as there is one', async () => {
  const { access, store, clock } = opened();
  const id = 'member';
  await store.team.members.create(
    {
      ...{ id, email: 'ada@example.org', emailVerified: true, name: 'Ada', role: 'admin', tags: null },
      ...{ createdAt: clock.now(), lastSeenAt: null },
    },
    null,
  );
  const begin = () => access.sessions.begin({ memberId: id, keyId: null, userAgent: 'a browser' }, null);
  const cookie = await begin();
  expect(await access.resume(cookie, ADDRESS)).toMatchObject({
    ...{ keyId: id, role: 'admin', member: { id, name: 'Ada' }, inPerson: true },
  });
  await store.team.members.remove(id);
  await expect(access.resume(await begin(), ADDRESS)).rejects.toMatchObject({ status: 401 });
});

test('a browser whose key is gone is asked to sign in again', async () => {
  const cookie = await signedInWith('a key that is not stored');
  await expect(opened().access.resume(cookie, ADDRESS)).rejects.toMatchObject({
    ...{ status: 401, message: 'Your session has ended. Sign in again.' },
  });
});

test('a browser is asked to sign in again when its key is disabled', async () => {
  const { access } = opened();
  const { id } = await access.createAgentKey({ name: 'of a program' });
  const cookie = await signedInWith(id);
  await access.resume(cookie, ADDRESS);
  await access.disableKey(id);
  await expect(access.resume(cookie, ADDRESS)).rejects.toMatchObject({ status: 401 });
});
