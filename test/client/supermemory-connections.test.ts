// The ten connection methods of the published client, with all their options, against a server whose Google and bucket are fakes.
import Supermemory from 'supermemory';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeBucket, startFakeBucket } from '../fakes/s3.ts';
import { useGoogle } from '../rest/support/google-connections.ts';
import { startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';

const { quiet, running, signIn, synced } = useGoogle();
let client: Supermemory;
beforeAll(() => {
  const { memoir } = running();
  client = new Supermemory({ baseURL: memoir.url, apiKey: memoir.key, maxRetries: 0 });
});

test('connects, follows, chooses and removes a drive', async () => {
  const { drive } = running();
  const folder = drive.addFolder('Plans');
  drive.addFile('ferry.txt', 'The ferry leaves at noon.', { parent: folder });
  drive.addFile('outside.txt', 'Not chosen.');
  const created = await client.connections.create('google-drive', {
    ...{ containerTag: 'client-drive', documentLimit: 50, metadata: { department: 'travel' } },
    redirectUrl: 'https://app.example/done',
  });
  expect(created).toMatchObject({ expiresIn: '1 hour', redirectsTo: 'https://app.example/done' });
  const { id, authLink = '' } = created;
  await signIn(authLink);
  await quiet();

  const top = await client.connections.resources(id, { page: 1, per_page: 10 });
  const mine = top.resources.find(({ name }) => name === 'My Drive');
  const inside = await client.connections.resources(id, { parent_id: String(mine?.id), per_page: 100 });
  const chosen = inside.resources.filter(({ name }) => name === 'Plans');
  expect(chosen).toMatchObject([{ id: folder, kind: 'folder' }]);
  const configured = await client.connections.configure(id, { resources: chosen });
  expect(configured).toMatchObject({
    success: true,
    message: expect.stringContaining('1 resource was chosen'),
  });
  await synced(id);

  const own = { containerTags: ['client-drive'] };
  const facts = {
    ...{ id, provider: 'google-drive', documentLimit: 50, email: 'ann@example.org' },
    metadata: { department: 'travel' },
  };
  expect(await client.connections.getByID(id)).toMatchObject(facts);
  expect(await client.connections.getByTag('google-drive', own)).toMatchObject(facts);
  expect(await client.connections.list(own)).toMatchObject([facts]);
  expect((await client.connections.list({})).map((one) => one.id)).toContain(id);
  await expect(client.connections.getByTag('notion', own)).rejects.toThrow(Supermemory.NotFoundError);
  expect(await client.connections.import('google-drive', own)).toBe('Importing connections...');
  expect(await client.connections.listDocuments('google-drive', own)).toMatchObject([
    { title: 'ferry.txt', status: expect.any(String), type: expect.any(String) },
  ]);

  expect(await client.connections.deleteByID(id, { deleteDocuments: 'false' })).toEqual({
    id,
    provider: 'google-drive',
  });
  const kept = await client.documents.list({ containerTags: ['client-drive'] });
  expect(kept.memories).toMatchObject([{ title: 'ferry.txt', connectionId: null }]);
  await expect(client.connections.getByID(id)).rejects.toThrow(Supermemory.NotFoundError);
});

let bucket: FakeBucket;
beforeAll(async () => {
  bucket = await startFakeBucket();
});
afterAll(() => bucket.close());

test('connects a bucket without a sign-in, and removes it with its documents by its tags', async () => {
  await bucket.put('pier.txt', 'The north pier is closed.');
  const memoir = await startMemoir({ MEMOIR_PRIVATE_SOURCES: new URL(bucket.endpoint).host });
  try {
    const own = new Supermemory({ baseURL: memoir.url, apiKey: memoir.key, maxRetries: 0 });
    const tags = { containerTags: ['client-bucket'] };
    const { id, authLink } = await own.connections.create('s3', {
      ...tags,
      metadata: { ...bucket.grant.metadata, ...bucket.grant.secrets },
    });
    expect(authLink).toBeUndefined();
    await until('the document', async () => (await own.connections.listDocuments('s3', tags)).length === 1);
    await expect(own.connections.resources(id)).rejects.toThrow('has nothing to choose');
    await expect(own.connections.configure(id, { resources: [] })).rejects.toThrow('has nothing to choose');
    expect(await own.connections.import('s3', {})).toBe('Importing connections...');
    expect(await own.connections.deleteByProvider('s3', tags)).toEqual({ id, provider: 's3' });
    expect((await own.documents.list(tags)).memories).toEqual([]);
    await expect(own.connections.import('s3', tags)).rejects.toThrow(Supermemory.NotFoundError);
  } finally {
    await memoir.close();
  }
});
