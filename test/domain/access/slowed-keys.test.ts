import { expect, it } from 'vitest';
import { markSlowedKeys } from '../../../server/domain/access/slowed-keys.ts';
import { useAccess } from './open.ts';

const opened = useAccess();

it('the list of keys says which are slowed, and only that', async () => {
  const { access } = opened();
  const { id } = await access.createAgentKey({ name: 'busy' });
  await access.createAgentKey({ name: 'quiet' });
  const plain = await access.listKeys();
  const marked = await markSlowedKeys(access, async () => [id, 'local']).listKeys();
  expect(marked).toEqual({
    ...plain,
    keys: plain.keys.map((key) => (key.id === id ? { ...key, slowed: true } : key)),
  });
});
