// Tests of Google Drive as a source, over our own service, which Google's client drives in test/fakes/.
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { googleDrive } from '../../../server/adapters/connect/google-drive.ts';
import { startDriveSource } from '../../fakes/google/drive-source.ts';
import { googleError, rateLimited } from '../../fakes/google/errors.ts';
import { anyRequest, forRequests, startFakeServer } from '../../fakes/support/fake-server.ts';
import { checkDelivery } from './check-delivery.ts';
import { sourceContract } from './contract.ts';
import { filesOf, follow, lookOnce, openFake, readFrom, textOf } from './open-source.ts';
import type { SourceFake } from './source-fake.ts';

sourceContract(googleDrive, () => startDriveSource());

const { signal } = new AbortController();
const WEEK_MS = 7 * 24 * 60 * 60_000;

const openDrive = async (scope: 'full' | 'selected' = 'selected', mostPerPage = 1000) => {
  const fake = await startDriveSource(scope, mostPerPage);
  const opened = openFake(googleDrive, fake);
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await fake.close();
  });
  const known = follow();
  const { drive } = fake;
  const chosen = fake.choice?.[0]?.id ?? '';
  return {
    ...{ fake, opened, known, drive, chosen, source: opened.source },
    look: () => lookOnce(opened, known, { choice: fake.choice }),
    titles: () => filesOf(known).map(({ face }) => face.title),
    requestsOf: async (work: () => Promise<unknown>) => {
      const before = drive.requests.length;
      await work();
      return drive.requests.slice(before).map(({ url }) => url.pathname);
    },
  };
};

describe('a selection of Google Drive', () => {
  test('is the subtree of the chosen folders, and nothing else', async () => {
    const { drive, chosen, look, titles } = await openDrive();
    const inner = drive.addFolder('Inner', chosen);
    drive.addFile('deep.txt', 'Deep.', { parent: inner });
    drive.addFile('other.txt', 'Other.');
    await look();
    expect(titles()).toEqual(['deep.txt']);
    drive.addFile('later.txt', 'Later.', { parent: inner });
    drive.addFile('elsewhere.txt', 'Elsewhere.');
    await look();
    expect(titles()).toEqual(['deep.txt', 'later.txt']);
  });

  test('loses a folder that is moved out by one change, and lists its files when it is moved back', async () => {
    const { drive, chosen, look, known, titles } = await openDrive();
    const inner = drive.addFolder('Inner', chosen);
    for (let number = 0; number < 5; number++)
      drive.addFile(`${number}.txt`, `Number ${number}.`, { parent: inner });
    await look();
    const marks = filesOf(known).map(({ id, mark }) => [id, mark]);
    drive.move(inner, drive.root);
    await look();
    // The ledger takes the files of a folder that is gone along.
    expect(known.items.has(inner)).toBe(false);
    for (const [id = ''] of marks) known.items.delete(id);
    drive.move(inner, chosen);
    await look();
    expect(filesOf(known).map(({ id, mark }) => [id, mark])).toEqual(marks);
    expect(titles()).toHaveLength(5);
  });

  test('follows shortcuts to files and folders outside of it, also in a circle', async () => {
    const { drive, chosen, look, titles, known } = await openDrive();
    const outside = drive.addFolder('Outside');
    const far = drive.addFile('far.txt', 'Far.');
    drive.addFile('in-outside.txt', 'In.', { parent: outside });
    drive.addShortcut('to a file', far, chosen);
    drive.addShortcut('to a folder', outside, chosen);
    drive.addShortcut('back', outside, outside);
    await look();
    expect(titles().sort()).toEqual(['far.txt', 'in-outside.txt']);
    const before = known.items.get(far)?.mark;
    drive.edit(far, 'Far, edited.');
    await look();
    expect(known.items.get(far)?.mark).not.toBe(before);
    expect(known.items.get(far)?.parent).toBe(chosen);
  });

  test('that changed is listed as a whole', async () => {
    const { drive, opened, known, look, titles } = await openDrive();
    const other = drive.addFolder('Other');
    drive.addFile('there.txt', 'There.', { parent: other });
    await look();
    const choice = [{ id: other, name: 'Other', kind: 'folder' }];
    expect((await lookOnce(opened, known, { choice })).ended).toBe('whole');
    expect(titles()).toEqual(['there.txt']);
  });

  test('that is empty asks for no files', async () => {
    const { opened, requestsOf } = await openDrive();
    const known = follow();
    const paths = await requestsOf(() => lookOnce(opened, known, { choice: [] }));
    expect(paths).toEqual(['/drive/v3/changes/startPageToken']);
  });
});

describe('the whole of Google Drive', () => {
  test('has the shared drives, of which each has a feed', async () => {
    const { drive, look, known, titles } = await openDrive('full');
    const team = drive.addDrive('Team');
    drive.addFile('team.txt', 'Team.', { parent: team });
    drive.addFile('own.txt', 'Own.');
    await look();
    expect(titles().sort()).toEqual(['own.txt', 'team.txt']);
    expect(known.items.get(team)).toMatchObject({ kind: 'folder', face: { title: 'Team' } });
    drive.addFile('second.txt', 'Second.', { parent: team });
    const later = drive.addDrive('Later');
    drive.addFile('late.txt', 'Late.', { parent: later });
    await look();
    expect(titles().sort()).toEqual(['late.txt', 'own.txt', 'second.txt', 'team.txt']);
    drive.removeDrive(later);
    await look();
    expect(known.items.has(later)).toBe(false);
  });

  test('without a change is one request for the account', async () => {
    const { drive, look, requestsOf } = await openDrive('full');
    for (let number = 0; number < 30; number++) drive.addFile(`${number}.txt`, 'Text.');
    await look();
    expect(await requestsOf(look)).toEqual(['/drive/v3/changes']);
  });

  test('is listed anew after a week, in which a feed may have missed something', async () => {
    const { opened, look } = await openDrive('full');
    await look();
    opened.pass(WEEK_MS);
    expect((await look()).ended).toBe('whole');
    expect((await look()).ended).toBe('delta');
  });

  test('proves nothing about absence where Google says that its listing is incomplete', async () => {
    const { drive, look } = await openDrive('full');
    drive.addFault(async ({ url }, usual) => {
      if (!url.pathname.endsWith('/files')) return undefined;
      const answer = await usual();
      return { ...answer, body: { ...(answer.body as object), incompleteSearch: true } };
    });
    expect((await look()).ended).toBe('delta');
  });
});

const DOC = 'application/vnd.google-apps.document';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('files of Google Drive', () => {
  test("documents of Google's own are exported, with their type and a name that tells the format", async () => {
    const { drive, chosen, look, known, opened } = await openDrive();
    drive.addFile('Notes', '', { parent: chosen, mimeType: DOC, exports: { [DOCX]: 'the bytes of a docx' } });
    await look();
    const [doc] = filesOf(known);
    if (doc === undefined) throw new Error('There is no document.');
    expect(doc.face).toMatchObject({
      title: 'Notes',
      type: 'google_doc',
      metadata: { owner: 'ann@example.org' },
    });
    const taken = await readFrom(opened, doc);
    expect(taken).toMatchObject({ content: 'file', name: 'Notes.docx', mediaType: DOCX });
    expect(await textOf(taken)).toBe('the bytes of a docx');
  });

  test('a document above the limit of exports is read by its link, or as text with a note', async () => {
    const { drive, chosen, look, known, opened } = await openDrive();
    const large = 'x'.repeat(10 * 1024 * 1024 + 1);
    const exports = { [DOCX]: large, 'text/plain': 'Only the text.' };
    const id = drive.addFile('Long', '', { parent: chosen, mimeType: DOC, exports });
    await look();
    const [doc] = filesOf(known);
    if (doc === undefined) throw new Error('There is no document.');
    const text = await readFrom(opened, doc);
    expect(text).toMatchObject({ name: 'Long.txt', note: expect.stringContaining('10 MB') });
    expect(await textOf(text)).toBe('Only the text.');
    const link = `https://docs.google.com/drive/v3/export-link/${id}/${encodeURIComponent(DOCX)}`;
    drive.change(id, { exportLinks: { [DOCX]: link } });
    expect(await textOf(await readFrom(opened, doc))).toHaveLength(large.length);
    drive.change(id, { exportLinks: { [DOCX]: 'https://elsewhere.example/export' } });
    expect(await readFrom(opened, doc)).toMatchObject({ name: 'Long.txt' });
  });

  test('forms, archives, and what may not be downloaded are left out with a sentence', async () => {
    const { drive, chosen, look, known } = await openDrive();
    const add = (name: string, mimeType: string, fields = {}) =>
      drive.addFile(name, 'x', { parent: chosen, mimeType, fields });
    add('Survey', 'application/vnd.google-apps.form');
    add('all.zip', 'application/zip');
    add('secret.pdf', 'application/pdf', { capabilities: { canDownload: false } });
    await look();
    const skips = [...known.items.values()].flatMap(({ skip }) => skip ?? []);
    expect(skips.map(({ code }) => code)).toEqual(['type', 'type', 'no_download']);
    expect(skips[2]?.message).toContain('"secret.pdf"');
  });

  test('a file that Google marks as harmful is not stored', async () => {
    const { drive, chosen, look, known, opened } = await openDrive();
    const id = drive.addFile('bad.txt', 'Bad.', { parent: chosen });
    await look();
    drive.addFault(
      forRequests(
        ({ url }) => url.searchParams.get('alt') === 'media',
        googleError(403, 'cannotDownloadAbusiveFile', 'Abuse'),
      ),
    );
    const item = known.items.get(id);
    if (item === undefined) throw new Error('There is no file.');
    expect(await readFrom(opened, item)).toMatchObject({
      content: 'nothing',
      skip: { code: 'no_download', message: expect.stringContaining('"bad.txt"') },
    });
  });

  test('two of one name in a folder are two items', async () => {
    const { drive, chosen, look, titles } = await openDrive();
    drive.addFile('same.txt', 'One.', { parent: chosen });
    drive.addFile('same.txt', 'Two.', { parent: chosen });
    await look();
    expect(titles()).toEqual(['same.txt', 'same.txt']);
  });
});

describe('refusals of Google', () => {
  test.each(['userRateLimitExceeded', 'rateLimitExceeded'])(
    '403 %s waits and is repeated',
    async (reason) => {
      const { fake, opened, look, titles } = await openDrive();
      await fake.put('a.txt', 'A.');
      fake.server.addFault(forRequests(fake.isListing, rateLimited(reason), { times: 2 }));
      const began = opened.now();
      await look();
      expect(titles()).toEqual(['a.txt']);
      // 2 and 4 seconds, each by up to a quarter less.
      expect(opened.now() - began).toBeGreaterThanOrEqual(4_500);
    },
  );

  test.each([
    ['accessNotConfigured', 'bad_options', 'not enabled'],
    ['insufficientPermissions', 'auth_expired', 'Sign in again'],
    ['domainPolicy', 'bad_options', 'administrator'],
  ])('403 %s is told as %s', async (reason, code, words) => {
    const { fake, opened } = await openDrive();
    fake.server.addFault(forRequests(anyRequest, googleError(403, reason, 'No.')));
    const asked = opened.source.who(signal);
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });
});

describe('choosing in Google Drive', () => {
  test('begins with My Drive, the shared drives and what others shared, and opens folders page by page', async () => {
    const { drive, chosen, source } = await openDrive('selected', 2);
    const team = drive.addDrive('Team');
    const inner = drive.addFolder('Inner', team);
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'])
      drive.addFile(name, name, { parent: inner });
    const top = await source.browse?.(null, 1, 30, signal);
    expect(top?.resources.map(({ id, name, selectable }) => [id, name, selectable])).toEqual([
      [drive.root, 'My Drive', true],
      [team, 'Team', true],
      ['shared-with-me', 'Shared with me', false],
    ]);
    const own = await source.browse?.(drive.root, 1, 30, signal);
    expect(own?.resources).toEqual([
      { id: chosen, name: 'Chosen', kind: 'folder', hasChildren: true, selectable: true },
    ]);
    const second = await source.browse?.(inner, 2, 2, signal);
    expect(second?.resources.map(({ name }) => name)).toEqual(['c.txt', 'd.txt']);
    expect(second?.total).toBeUndefined();
    const last = await source.browse?.(inner, 3, 2, signal);
    expect(last).toMatchObject({
      resources: [{ name: 'e.txt', how: { drive: team, driveName: 'Team' } }],
      total: 5,
    });
  });

  test('finds by words of the name', async () => {
    const { drive, source } = await openDrive();
    drive.addFile("Ann's plan.txt", 'Plan.');
    const found = await source.find?.("ann's", 10, signal);
    expect(found?.map(({ name }) => name)).toEqual(["Ann's plan.txt"]);
  });

  test('a chosen shared drive is listed with its feed', async () => {
    const { drive, opened, known, titles } = await openDrive();
    const team = drive.addDrive('Team');
    drive.addFile('team.txt', 'Team.', { parent: team });
    const choice = [{ id: team, name: 'Team', kind: 'drive', how: { drive: team, driveName: 'Team' } }];
    await lookOnce(opened, known, { choice });
    expect(titles()).toEqual(['team.txt']);
    drive.addFile('more.txt', 'More.', { parent: team });
    await lookOnce(opened, known, { choice });
    expect(titles()).toEqual(['team.txt', 'more.txt']);
  });
});

describe('channels of Google Drive', () => {
  test('are opened for a week and closed, and an http address is refused', async () => {
    const { drive, opened, source } = await openDrive();
    const began = opened.now();
    const [watch] = (await source.watch?.(null, 'https://memoir.example/hook', 'hook-secret', signal)) ?? [];
    if (watch === undefined) throw new Error('There is no channel.');
    expect(watch.endsAt).toBeGreaterThanOrEqual(began + WEEK_MS);
    expect(watch.endsAt).toBeLessThanOrEqual(opened.now() + WEEK_MS);
    expect(drive.channels.get(watch.id)?.token).toBe('hook-secret');
    await source.unwatch?.(watch, signal);
    expect(drive.channels.size).toBe(0);
    expect(await source.watch?.(null, 'http://memoir.example/hook', 'x', signal)).toBeNull();
  });

  test('wake by their secret alone, and not by their greeting', () => {
    const delivery = (headers: Record<string, string>) =>
      checkDelivery(googleDrive, { headers, secret: 'right' });
    const genuine = {
      'x-goog-channel-token': 'right',
      'x-goog-channel-id': 'c1',
      'x-goog-message-number': '7',
      'x-goog-resource-state': 'change',
    };
    expect(delivery(genuine)).toEqual({ kind: 'wake', delivery: 'c1 7' });
    expect(delivery({ ...genuine, 'x-goog-resource-state': 'sync' })).toEqual({ kind: 'ignore' });
    expect(delivery({ ...genuine, 'x-goog-channel-token': 'wrong' })).toEqual({ kind: 'refuse' });
    expect(delivery({})).toEqual({ kind: 'refuse' });
  });
});

describe('a service account', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccount = JSON.stringify({
    type: 'service_account',
    client_email: 'robot@project.iam.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });

  test('proves itself by a signed request, for the person that it stands for', async () => {
    const { drive } = await openDrive();
    const asked: Record<string, unknown>[] = [];
    const tokens = await startFakeServer(({ body }) => {
      const [head = '', claims = '', signature = ''] = (
        new URLSearchParams(body).get('assertion') ?? ''
      ).split('.');
      const good = createVerify('RSA-SHA256')
        .update(`${head}.${claims}`)
        .verify(publicKey, signature, 'base64url');
      asked.push(JSON.parse(Buffer.from(claims, 'base64url').toString()));
      return good
        ? { body: { access_token: 'access-token-1', expires_in: 3599 } }
        : { status: 400, body: {} };
    });
    onTestFinished(() => tokens.close());
    const fake: SourceFake = {
      ...(await startDriveSource('full')),
      standIns: {
        'https://www.googleapis.com': drive.origin,
        'https://oauth2.googleapis.com': tokens.origin,
      },
      grant: { metadata: { syncScope: 'full', subject: 'ann@example.org' }, secrets: { serviceAccount } },
    };
    onTestFinished(fake.close);
    await using opened = openFake(googleDrive, fake);
    expect(await opened.source.who(signal)).toEqual({ account: '0815', email: 'ann@example.org' });
    await opened.source.who(signal);
    expect(asked).toMatchObject([
      {
        iss: 'robot@project.iam.example',
        sub: 'ann@example.org',
        scope: 'https://www.googleapis.com/auth/drive.readonly',
        aud: 'https://oauth2.googleapis.com/token',
      },
    ]);
  });

  test('must be the text of a key file', () => {
    const faultOf = (text: string) =>
      googleDrive.checkOptions({ metadata: {}, secrets: { serviceAccount: text } });
    expect(faultOf(serviceAccount)).toBeNull();
    expect(faultOf('{"type":"service_account"}')).toContain('key file');
    expect(googleDrive.checkOptions({ metadata: { syncScope: 'half' }, secrets: {} })).toContain(
      '"selected"',
    );
  });
});
