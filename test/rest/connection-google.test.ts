// Tests of Google Drive and Gmail as connections of a server: what a sync costs, what moves, and threads that grow.
import { expect, test } from 'vitest';
import { useGoogle } from './support/google-connections.ts';

const { ask, create, read, running, signIn, syncAgain, synced } = useGoogle();

interface Listed {
  id: string;
  title: string;
  type: string;
  filepath: string | null;
}

const documentsOf = async (tag: string): Promise<Listed[]> =>
  (await ask<{ memories: Listed[] }>('POST', '/v3/documents/list', { containerTags: [tag], limit: 200 })).body
    .memories;

const FOLDERS = 6;
const FILES = 60;

test('a drive is synced with a request for each file and few besides, and a look without a change costs two', async () => {
  const { drive } = running();
  const folders = Array.from({ length: FOLDERS }, (_, n) => drive.addFolder(`Folder ${n}`));
  for (let n = 0; n < FILES; n++)
    drive.addFile(`file ${n}.txt`, `Text number ${n} about the harbour.`, {
      parent: folders[n % FOLDERS] ?? '',
    });
  const { id, authLink } = await create('all', { metadata: { syncScope: 'full' } });
  const before = drive.requests.length;
  await signIn(authLink);
  await synced(id);
  expect(drive.requests.length - before).toBeLessThanOrEqual(FILES + 10);
  const { progress } = await read(id);
  expect(progress).toMatchObject({ found: FILES, done: FILES, failed: 0 });
  const documents = await documentsOf('all');
  expect(documents).toHaveLength(FILES);
  expect(documents.map(({ filepath }) => filepath)).toContain('/Folder 1/file 1.txt');
  expect(await syncAgain(id, 'all')).toMatchObject({
    status: 'completed',
    itemsAdded: 0,
    itemsUpdated: 0,
    requests: 1,
  });
});

test('a folder that is moved out of the selection takes its documents along, and brings them back', async () => {
  const { drive } = running();
  const chosen = drive.addFolder('Selected');
  const moving = drive.addFolder('Moving', chosen);
  for (let n = 0; n < 5; n++) drive.addFile(`moving ${n}.txt`, `Moving text ${n}.`, { parent: moving });
  drive.addFile('staying.txt', 'Staying text.', { parent: chosen });
  const { id, authLink } = await create('moves');
  await signIn(authLink);
  await ask('POST', `/v3/connections/${id}/configure`, {
    resources: [{ id: chosen, name: 'Selected', kind: 'folder' }],
  });
  await synced(id);
  expect(await documentsOf('moves')).toHaveLength(6);
  drive.move(moving, drive.root);
  expect(await syncAgain(id, 'moves')).toMatchObject({ itemsRemoved: 5 });
  expect((await documentsOf('moves')).map(({ title }) => title)).toEqual(['staying.txt']);
  drive.move(moving, chosen);
  expect(await syncAgain(id, 'moves')).toMatchObject({ itemsAdded: 5 });
  expect(await documentsOf('moves')).toHaveLength(6);
});

interface Chunk {
  id: string;
  content: string;
}

const chunksOf = async (id: string): Promise<Chunk[]> =>
  (await ask<{ chunks: Chunk[] }>('GET', `/v3/documents/${id}/chunks`)).body.chunks;

test('a thread of mail is a conversation: labels change nothing, and a reply adds its words alone', async () => {
  const { mail, memoir } = running();
  const first = 'The harbour master wants the north pier to be closed until the tenth of May.';
  const thread = mail.addThread({ subject: 'The north pier', text: first });
  const { id, authLink } = await create('mail', {}, 'gmail');
  await signIn(authLink);
  await synced(id);
  await memoir.idle();
  const [document] = await documentsOf('mail');
  expect(document).toMatchObject({ title: 'The north pier', type: 'gmail_thread' });
  const before = await chunksOf(document?.id ?? '');
  expect(JSON.stringify(before)).toContain(first);
  mail.label(thread, ['STARRED'], ['UNREAD']);
  expect(await syncAgain(id, 'mail', 'gmail')).toMatchObject({ itemsUpdated: 0, requests: 1 });
  const quoted = `Then the ferries use the south pier.\n\nOn Thu, Jan 1, 2026 Ann <ann@example.org> wrote:\n> ${first}`;
  mail.reply(thread, { subject: 'Re: The north pier', from: 'Ben Example <ben@example.org>', text: quoted });
  expect(await syncAgain(id, 'mail', 'gmail')).toMatchObject({ itemsUpdated: 1 });
  await memoir.idle();
  const after = await chunksOf(document?.id ?? '');
  expect(JSON.stringify(after)).toContain('the ferries use the south pier');
  // The first message was not cut again.
  expect(after.map((chunk) => chunk.id)).toEqual(expect.arrayContaining(before.map((chunk) => chunk.id)));
});

test('a renewed sign-in is kept by whoever chooses, and the sync goes on with it where each refresh token works once', async () => {
  const { drive, google } = running();
  google.rotate();
  const folder = drive.addFolder('Rotated');
  drive.addFile('rotated.txt', 'The lock of the canal is repaired.', { parent: folder });
  const { id, authLink } = await create('rotated');
  await signIn(authLink);
  const before = google.refreshes();
  const resources = () => ask('GET', `/v3/connections/${id}/resources`);
  expect((await resources()).status).toBe(200);
  expect((await resources()).status).toBe(200);
  expect(google.refreshes() - before).toBe(1);
  google.expireAccess();
  expect((await resources()).status).toBe(200);
  await ask('POST', `/v3/connections/${id}/configure`, {
    resources: [{ id: folder, name: 'Rotated', kind: 'folder' }],
  });
  await synced(id);
  expect(await read(id)).toMatchObject({ status: 'active', progress: { done: 1 } });
  google.expireAccess();
  expect((await resources()).status).toBe(200);
});
