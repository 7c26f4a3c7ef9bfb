// Tests of Gmail as a source, over our own service, which Google's client drives in test/fakes/.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gmail } from '../../../server/adapters/connect/gmail.ts';
import { startGmailSource } from '../../fakes/google/gmail-source.ts';
import { startFakeServer } from '../../fakes/support/fake-server.ts';
import { sourceContract } from './contract.ts';
import { filesOf, follow, lookOnce, openFake, readItem, textOf } from './open-source.ts';

sourceContract(gmail, () => startGmailSource());

const { signal } = new AbortController();

const openGmail = async () => {
  const fake = await startGmailSource(500);
  const opened = openFake(gmail, fake);
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await fake.close();
  });
  const known = follow();
  const read = async (id: string, takenMark: string | null = null) => {
    const item = known.items.get(id);
    if (item === undefined) throw new Error(`There is no thread ${id}.`);
    return opened.source.read(readItem(item, takenMark), signal);
  };
  return {
    ...{ fake, opened, known, read, mail: fake.mail, source: opened.source },
    look: (choice?: { id: string; name: string; kind: string }[]) =>
      lookOnce(opened, known, choice === undefined ? {} : { choice }),
    requestsOf: async (work: () => Promise<unknown>) => {
      const before = fake.mail.requests.length;
      await work();
      return fake.mail.requests.slice(before).map(({ url }) => url.pathname.replace(/.*\/me/, ''));
    },
  };
};

describe('threads of Gmail', () => {
  test('are documents with subject, people, date and the names of attachments', async () => {
    const { mail, look, read } = await openGmail();
    const id = mail.addThread({ subject: 'The plan', text: 'Here it is.', attachments: ['plan.pdf'] });
    mail.reply(id, {
      subject: 'Re: The plan',
      from: 'Ben Example <ben@example.org>',
      html: '<p>Thanks!</p>',
    });
    await look();
    const taken = await read(id);
    expect(taken.face).toMatchObject({
      title: 'The plan',
      metadata: {
        ...{ type: 'gmail_thread', subject: 'The plan', threadId: id, messageCount: 2 },
        ...{ from: 'Ann Example <ann@example.org>', to: 'Ben Example <ben@example.org>' },
        ...{ attachmentCount: 1, attachmentNames: 'plan.pdf', date: expect.stringMatching(/^2026-01-01T/) },
      },
    });
    expect(JSON.parse(await textOf(taken))).toMatchObject({
      memoirMail: 1,
      subject: 'The plan',
      messages: [
        { from: 'Ann Example <ann@example.org>', text: 'Here it is.', html: null, attachments: ['plan.pdf'] },
        { from: 'Ben Example <ben@example.org>', text: null, html: '<p>Thanks!</p>' },
      ],
    });
  });

  test('with labels that change on a thousand are neither read nor shown', async () => {
    const { mail, look, known, requestsOf } = await openGmail();
    const ids = Array.from({ length: 1000 }, (_, n) =>
      mail.addThread({ subject: `Thread ${n}`, text: 'Text.' }),
    );
    await look();
    const marks = filesOf(known).map(({ id, mark }) => [id, mark]);
    expect(marks).toHaveLength(1000);
    for (const id of ids) mail.label(id, ['STARRED'], ['UNREAD']);
    const asked = await requestsOf(look);
    expect(new Set(asked)).toEqual(new Set(['/history']));
    expect(filesOf(known).map(({ id, mark }) => [id, mark])).toEqual(marks);
  });

  test('that grew have another mark of their content, and one that was only labelled has not', async () => {
    const { mail, look, read } = await openGmail();
    const id = mail.addThread({ text: 'First.' });
    await look();
    const first = await read(id);
    mail.label(id, ['STARRED']);
    expect(await read(id, first.mark ?? null)).toMatchObject({ content: 'unchanged' });
    mail.reply(id, { text: 'Second.' });
    await look();
    expect(await read(id, first.mark ?? null)).toMatchObject({ content: 'text' });
  });

  test('after a cursor that is too old are listed, and of unchanged ones the marks stay', async () => {
    const { mail, look, known } = await openGmail();
    const ids = Array.from({ length: 5 }, (_, n) => mail.addThread({ text: `Text ${n}.` }));
    await look();
    const marks = new Map(filesOf(known).map(({ id, mark }) => [id, mark]));
    mail.forgetHistory();
    mail.reply(ids[2] ?? '', { text: 'A reply.' });
    expect((await look()).ended).toBe('whole');
    const changed = filesOf(known).filter(({ id, mark }) => marks.get(id) !== mark);
    expect(changed.map(({ id }) => id)).toEqual([ids[2]]);
  });

  test('that are deleted, or wholly in spam, are gone; one message in the trash leaves the others', async () => {
    const { mail, look, known, read } = await openGmail();
    const [deleted, spam, half] = ['1', '2', '3'].map((text) => mail.addThread({ text: `Text ${text}.` }));
    mail.reply(half ?? '', { text: 'In the trash.', labels: ['TRASH'] });
    await look();
    mail.deleteThread(deleted ?? '');
    mail.label(spam ?? '', ['SPAM']);
    await look();
    expect(filesOf(known).map(({ id }) => id)).toEqual([half]);
    expect((await read(half ?? '')).face?.metadata).toMatchObject({ messageCount: 1 });
  });

  test('of chosen labels alone are seen, and follow the label', async () => {
    const { mail, look, known, source } = await openGmail();
    const projects = [{ id: 'Label_1', name: 'Projects', kind: 'label' }];
    const one = mail.addThread({ text: 'One.', labels: ['INBOX', 'Label_1'] });
    const two = mail.addThread({ text: 'Two.' });
    await look(projects);
    expect(filesOf(known).map(({ id }) => id)).toEqual([one]);
    mail.label(two, ['Label_1']);
    mail.label(one, [], ['Label_1']);
    mail.addThread({ text: 'Three.' });
    await look(projects);
    expect(filesOf(known).map(({ id }) => id)).toEqual([two]);
    const offered = await source.browse?.(null, 1, 30, signal);
    expect(offered?.resources.map(({ name }) => name)).toEqual(['INBOX', 'Projects']);
  });

  test('with long bodies are read part by part', async () => {
    const { mail, look, read } = await openGmail();
    const id = mail.addThread({ text: 'A very long text.', apart: true });
    await look();
    expect(await textOf(await read(id))).toContain('A very long text.');
  });
});

test('a service account needs the mailbox that it reads', () => {
  const secrets = { serviceAccount: '{}' };
  expect(gmail.checkOptions({ metadata: {}, secrets })).toContain('metadata.serviceAccount');
  expect(gmail.checkOptions({ metadata: {}, secrets: {} })).toBeNull();
});

test('a service account that Google refuses is told, with what to check', async () => {
  const tokens = await startFakeServer(() => ({ status: 400, body: { error: 'unauthorized_client' } }));
  const fake = await startGmailSource();
  onTestFinished(async () => {
    await Promise.all([tokens.close(), fake.close()]);
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccount = JSON.stringify({
    ...{ type: 'service_account', client_email: 'robot@project.iam.example' },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const standIns = { 'https://oauth2.googleapis.com': tokens.origin };
  const grant = { metadata: { subject: 'ann@example.org' }, secrets: { serviceAccount } };
  await using opened = openFake(gmail, { ...fake, standIns, grant });
  await expect(opened.source.who(signal)).rejects.toThrow(
    /^Google refused the service account robot@project\.iam\.example for ann@example\.org\. Check that its key/,
  );
});
