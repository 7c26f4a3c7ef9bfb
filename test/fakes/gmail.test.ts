import { gmail } from '@googleapis/gmail';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeGmail } from './gmail.ts';

const openOfficialClient = async () => {
  const fake = await startFakeGmail((token) => token === 'right', { mostPerPage: 2 });
  onTestFinished(() => fake.close());
  const client = gmail({
    version: 'v1',
    rootUrl: `${fake.origin}/`,
    headers: { authorization: 'Bearer right' },
    retry: false,
  });
  return { fake, users: client.users };
};

const ME = { userId: 'me' };

test('the official client lists threads page by page and reads their parts', async () => {
  const { fake, users } = await openOfficialClient();
  const [one, two, three] = ['One', 'Two', 'Three'].map((subject) =>
    fake.addThread({ subject, text: `${subject}!` }),
  );
  fake.label(one ?? '', ['TRASH']);
  const { data: first } = await users.threads.list({ ...ME, maxResults: 1 });
  const { data: second } = await users.threads.list({ ...ME, pageToken: first.nextPageToken ?? '' });
  expect([...(first.threads ?? []), ...(second.threads ?? [])].map(({ id }) => id)).toEqual([three, two]);
  const { data: thread } = await users.threads.get({ ...ME, id: two ?? '', format: 'full' });
  const body = thread.messages?.[0]?.payload?.parts?.[0]?.parts?.[0]?.body?.data ?? '';
  expect(Buffer.from(body, 'base64url').toString()).toBe('Two!');
});

test('the official client follows the history: a reply, a label, a deletion', async () => {
  const { fake, users } = await openOfficialClient();
  const thread = fake.addThread({ text: 'Hello.' });
  const { data: profile } = await users.getProfile(ME);
  fake.reply(thread, { text: 'Hello again.' });
  fake.deleteThread(thread);
  const { data } = await users.history.list({ ...ME, startHistoryId: profile.historyId ?? '' });
  expect(data.history?.map((entry) => Object.keys(entry))).toEqual([
    ['id', 'messagesAdded'],
    ['id', 'messagesDeleted'],
  ]);
  fake.forgetHistory();
  const old = users.history.list({ ...ME, startHistoryId: profile.historyId ?? '' });
  await expect(old).rejects.toMatchObject({ code: 404 });
});

test('the official client reads labels, and a body that is kept apart', async () => {
  const { fake, users } = await openOfficialClient();
  const thread = fake.addThread({ text: 'A long text.', apart: true });
  const [message] = fake.messagesOf(thread);
  const id = message?.payload?.parts?.[0]?.parts?.[0]?.body?.attachmentId ?? '';
  const { data } = await users.messages.attachments.get({ ...ME, messageId: message?.id ?? '', id });
  expect(Buffer.from(data.data ?? '', 'base64url').toString()).toBe('A long text.');
  expect((await users.labels.list(ME)).data.labels?.map(({ name }) => name)).toContain('Projects');
});
