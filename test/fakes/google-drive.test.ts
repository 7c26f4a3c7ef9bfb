import { drive } from '@googleapis/drive';
import { expect, onTestFinished, test } from 'vitest';
import { FOLDER } from './google/drive-model.ts';
import { type FakeDrive, startFakeDrive } from './google-drive.ts';

const openOfficialClient = async () => {
  const fake = await startFakeDrive((token) => token === 'right');
  onTestFinished(() => fake.close());
  const client = drive({
    version: 'v3',
    rootUrl: `${fake.origin}/`,
    headers: { authorization: 'Bearer right' },
    retry: false,
  });
  return { fake, client };
};

const idsIn = (list: { data: { files?: { id?: string | null }[] } }) =>
  (list.data.files ?? []).map(({ id }) => id);

const listEverything = async ({ client }: { client: ReturnType<typeof drive> }) => {
  const found: (string | null | undefined)[] = [];
  let pageToken: string | undefined;
  do {
    const list = await client.files.list({
      q: 'trashed = false',
      pageSize: 2,
      fields: 'nextPageToken,files(id)',
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    found.push(...idsIn(list));
    pageToken = list.data.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return found;
};

const plant = (fake: FakeDrive) => {
  const folder = fake.addFolder('Plans');
  const inner = fake.addFile('plan.md', '# Plan', { parent: folder });
  const top = fake.addFile('top.txt', 'Top');
  return { folder, inner, top };
};

test('the official client lists files page by page, by folder and by name', async () => {
  const { fake, client } = await openOfficialClient();
  const { folder, inner, top } = plant(fake);
  expect(await listEverything({ client })).toEqual([folder, inner, top]);
  const below = await client.files.list({ q: `'${folder}' in parents and trashed = false` });
  expect(idsIn(below)).toEqual([inner]);
  expect(idsIn(await client.files.list({ q: "name contains 'PLAN' and trashed = false" }))).toEqual([
    folder,
    inner,
  ]);
});

test('the official client follows the feed: an edit, a removal, the trash of a folder with its files', async () => {
  const { fake, client } = await openOfficialClient();
  const { folder, inner, top } = plant(fake);
  const { data: start } = await client.changes.getStartPageToken();
  fake.edit(inner, '# Another plan');
  fake.remove(top);
  fake.trash(folder);
  const { data } = await client.changes.list({
    pageToken: start.startPageToken ?? '',
    fields: 'newStartPageToken,changes(fileId,removed,file(id,trashed,mimeType))',
  });
  expect(data.changes).toEqual([
    { fileId: inner, removed: false, file: { id: inner, trashed: true, mimeType: 'text/markdown' } },
    { fileId: top, removed: true },
    { fileId: folder, removed: false, file: { id: folder, trashed: true, mimeType: FOLDER } },
  ]);
  const { data: after } = await client.changes.list({ pageToken: data.newStartPageToken ?? '' });
  expect(after.changes).toEqual([]);
});

test('the official client downloads, exports and opens channels', async () => {
  const { fake, client } = await openOfficialClient();
  const { top } = plant(fake);
  const doc = fake.addFile('Notes', '', {
    mimeType: 'application/vnd.google-apps.document',
    exports: { 'text/plain': 'Our notes' },
  });
  expect((await client.files.get({ fileId: top, alt: 'media' }, { responseType: 'text' })).data).toBe('Top');
  const exported = await client.files.export(
    { fileId: doc, mimeType: 'text/plain' },
    { responseType: 'text' },
  );
  expect(exported.data).toBe('Our notes');
  const { data: channel } = await client.changes.watch({
    pageToken: '1.0',
    requestBody: { id: 'c1', type: 'web_hook', address: 'https://memoir.example/hook', token: 't' },
  });
  expect([...fake.channels.keys()]).toEqual(['c1']);
  await client.channels.stop({ requestBody: { id: 'c1', resourceId: channel.resourceId ?? '' } });
  expect(fake.channels.size).toBe(0);
});

test('refusals have the form that the official client understands', async () => {
  const { fake, client } = await openOfficialClient();
  fake.addFile('a.txt', 'a');
  await expect(client.files.get({ fileId: 'nobody' })).rejects.toMatchObject({ code: 404 });
  await expect(client.changes.list({ pageToken: '9.1' })).rejects.toMatchObject({ code: 400 });
  const stranger = drive({ version: 'v3', rootUrl: `${fake.origin}/`, retry: false });
  await expect(stranger.files.list()).rejects.toMatchObject({ code: 401 });
});
