// Tests of the sign-in of connections, its callback, and the page for choosing, over a fake Google.
import { describe, expect, test } from 'vitest';
import { googleError } from '../fakes/google/errors.ts';
import { GOOGLE_APP } from '../fakes/google-oauth.ts';
import { verifies } from '../spec/verifies.ts';
import { withBrowser } from '../support/browser.ts';
import { startMemoir } from '../support/memoir.ts';
import { storedRows } from '../support/stored-rows.ts';
import { bytesIn, type Created, useGoogle, visit } from './support/google-connections.ts';
import { tokenOf } from './support/team.ts';

const { ask, create, quiet, read, running, signIn, startImport, synced } = useGoogle();

describe('the sign-in of a connection', () => {
  verifies(
    'connections:drive:full',
    'begins with a link, asks nothing before, and syncs the whole drive after it',
    async () => {
      running().drive.addFile('harbour.txt', 'The harbour of the whole drive opens in May.');
      const { id, authLink, expiresIn } = await create('whole', { metadata: { syncScope: 'full' } });
      expect(expiresIn).toBe('1 hour');
      expect(new URL(authLink).origin).toBe('https://accounts.google.com');
      expect(await read(id)).toMatchObject({ status: 'waiting' });
      const back = await signIn(authLink, { endsAfter: 604_800 });
      expect([back.status, back.page]).toEqual([200, expect.stringContaining('Google Drive is connected')]);
      await synced(id);
      expect(await read(id)).toMatchObject({ email: 'ann@example.org', expiresAt: expect.any(String) });
      const found = await ask('POST', '/v3/documents/list', { containerTags: ['whole'] });
      expect(JSON.stringify(found.body)).toContain('harbour.txt');
    },
  );

  verifies(
    'connections:sign-in:no-application',
    'without an application is refused with the settings, the redirect address and the page',
    async () => {
      const bare = await startMemoir();
      try {
        const { status, body } = await bare.ask<{ error: string }>(
          'POST',
          '/v3/connections/google-drive',
          {},
        );
        expect(status).toBe(400);
        for (const words of [
          'MEMOIR_GOOGLE_CLIENT_ID',
          'googleDriveCustomKeyEnabled',
          `${bare.url}/v3/connections/auth/callback/google-drive`,
          'docs/connectors/google-drive.md',
        ])
          expect(body.error).toContain(words);
      } finally {
        await bare.close();
      }
    },
  );

  verifies(
    ['connections:credentials:own', 'connections:credentials:encrypted'],
    'with the application of the organisation takes that one',
    async () => {
      const own = {
        googleDriveClientId: 'own-client',
        googleDriveClientSecret: 'own-secret-of-the-organisation',
      };
      await ask('PATCH', '/v3/settings', { ...own, googleDriveCustomKeyEnabled: true });
      const { authLink } = await create('own-app');
      expect(new URL(authLink).searchParams.get('client_id')).toBe('own-client');
      expect(bytesIn(running().memoir.dir)).not.toContain(own.googleDriveClientSecret);
      await ask('PATCH', '/v3/settings', { googleDriveCustomKeyEnabled: false });
      const { authLink: usual } = await create('own-app');
      expect(new URL(usual).searchParams.get('client_id')).toBe(GOOGLE_APP.clientId);
    },
  );

  test('goes back to the address of the caller with an id and words, and without codes', async () => {
    const { id, authLink } = await create('redirected', {
      metadata: { syncScope: 'full' },
      redirectUrl: 'https://app.example/done?tab=1',
    });
    const { status, location } = await signIn(authLink);
    expect(status).toBe(302);
    expect(location).toBe(`https://app.example/done?tab=1&connectionId=${id}&status=connected`);
    const again = await create('redirected', {
      metadata: { syncScope: 'full' },
      redirectUrl: 'https://app.example/',
    });
    const denied = await visit(running().google.deny(again.authLink));
    expect(denied.location).toBe(
      `https://app.example/?connectionId=${again.id}&status=failed&error=access_denied`,
    );
  });

  verifies(
    'connections:sign-in:links',
    'is refused for every link that is not good, and changes no connection',
    async () => {
      const { id, authLink } = await create('refused', { metadata: { syncScope: 'full' } });
      const before = await read(id);
      const forged = running().google.consent(authLink);
      forged.searchParams.set('state', 'x'.repeat(43));
      const foreign = running().google.consent(authLink);
      foreign.pathname = foreign.pathname.replace('google-drive', 'gmail');
      const outcomes = [await visit(forged), await visit(foreign)];
      const link = async () => (await create('refused', { metadata: { syncScope: 'full' } })).authLink;
      outcomes.push(await visit(running().google.deny(await link())));
      outcomes.push(await signIn(await link(), { refreshes: false }));
      outcomes.push(
        await signIn(await link(), { grants: () => ['https://www.googleapis.com/auth/userinfo.email'] }),
      );
      const used = running().google.consent(await link());
      await visit(used);
      outcomes.push(await visit(used));
      expect(outcomes.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
      const words = [
        'not started',
        'not started',
        'denied',
        'refresh token',
        'boxes ticked',
        'already completed',
      ];
      for (const [at, { page, location, headers }] of outcomes.entries()) {
        expect(page).toContain(words[at]);
        expect(location).toBeNull();
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        for (const secret of running().google.secrets) expect(page).not.toContain(secret);
      }
      expect(await read(id)).toEqual(before);
      // Refresh tokens are stored sealed, and codes and access tokens not at all.
      const stored = bytesIn(running().memoir.dir);
      for (const secret of running().google.secrets) expect(stored).not.toContain(secret);
    },
  );

  /** As if an hour had passed. */
  const age = async (connection: string): Promise<void> => {
    await storedRows(
      running().memoir,
      'update connection_states set ends_at = 1 where connection = ?',
      connection,
    );
  };

  test('whose link is older than an hour ends in a page, and a new link works', async () => {
    const { id, authLink } = await create('late', { metadata: { syncScope: 'full' } });
    await age(id);
    const late = await signIn(authLink);
    expect([late.status, late.page]).toEqual([400, expect.stringContaining('more than an hour ago')]);
    expect([late.location, (await read(id)).status]).toEqual([null, 'waiting']);
    const { body } = await ask<{ authLink: string }>('POST', `/v3/connections/${id}/reauthorize`, {});
    expect((await signIn(body.authLink)).status).toBe(200);
  });

  test('with another account is refused, so that two drives are not mixed', async () => {
    const { id, authLink } = await create('accounts', { metadata: { syncScope: 'full' } });
    await signIn(authLink);
    running().drive.addFault(({ url }) =>
      url.pathname.endsWith('/about')
        ? { body: { user: { permissionId: '4711', emailAddress: 'ben@example.org' } } }
        : undefined,
    );
    const { body } = await ask<{ authLink: string }>('POST', `/v3/connections/${id}/reauthorize`, {});
    expect(new URL(body.authLink).searchParams.get('login_hint')).toBe('ann@example.org');
    const back = await signIn(body.authLink);
    expect([back.status, back.page]).toEqual([400, expect.stringContaining('another account')]);
    expect(await read(id)).toMatchObject({ email: 'ann@example.org' });
  });

  test('with two accounts at once is one of them, and the other is refused', async () => {
    const { id, authLink } = await create('two accounts', { metadata: { syncScope: 'full' } });
    const second = await ask<{ authLink: string }>('POST', `/v3/connections/${id}/reauthorize`, {});
    let asked = 0;
    const both = Promise.withResolvers<void>();
    running().drive.addFault(async ({ url }) => {
      if (!url.pathname.endsWith('/about')) return undefined;
      asked += 1;
      const account = asked;
      if (asked === 2) both.resolve();
      // Each is told its account after the other has asked for its own.
      await both.promise;
      return { body: { user: { permissionId: `${account}`, emailAddress: `${account}@example.org` } } };
    });
    const visits = await Promise.all([signIn(authLink), signIn(second.body.authLink)]);
    expect(visits.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(visits.map(({ page }) => page).join()).toContain('another account');
  });

  test('goes back to web addresses alone, also when somebody signs in again', async () => {
    const { id } = await create('addresses', { metadata: { syncScope: 'full' } });
    for (const redirectUrl of ['no address', 'javascript:alert(1)', 'https://ann:secret@app.example/']) {
      const { status, body } = await ask<{ error: string }>('POST', `/v3/connections/${id}/reauthorize`, {
        redirectUrl,
      });
      expect([status, body.error]).toEqual([400, expect.stringContaining('redirectUrl must be an http')]);
    }
  });

  test('whose source does not answer is told, and a new link works', async () => {
    const { id, authLink } = await create('down', { metadata: { syncScope: 'full' } });
    // The sign-in alone: other connections renew their tokens meanwhile, and a failed run waits for a minute.
    running().google.addFault(({ body }) =>
      new URLSearchParams(body).get('grant_type') === 'authorization_code'
        ? { status: 403, body: { error: 'invalid_client' } }
        : undefined,
    );
    const back = await signIn(authLink);
    expect([back.status, back.page]).toEqual([400, expect.stringContaining('client id')]);
    running().google.clearFaults();
    const { body } = await ask<{ authLink: string }>('POST', `/v3/connections/${id}/reauthorize`, {});
    expect((await signIn(body.authLink)).status).toBe(200);
  });
});

describe('a drive of which nothing is chosen yet', () => {
  verifies(
    ['connections:drive:scoped', 'connections:drive:unfinished-skipped'],
    'is not asked by an import, and syncs exactly the chosen folder afterwards',
    async () => {
      const folder = running().drive.addFolder('Chosen plans');
      running().drive.addFile('inside.txt', 'What is inside of the chosen folder.', { parent: folder });
      running().drive.addFile('outside.txt', 'What is outside of it.');
      const { id, authLink } = await create('scoped');
      const { status, location } = await signIn(authLink);
      expect(status).toBe(302);
      expect(location).toMatch(new RegExp(`^${running().memoir.url}/connections/${id}/choose\\?ticket=`));
      await quiet();
      const before = running().drive.requests.length;
      expect(await startImport('scoped')).toBe(202);
      expect((await ask('GET', `/v3/connections/${id}/sync-runs`)).body).toEqual([]);
      expect(running().drive.requests.length).toBe(before);
      expect(await read(id)).toMatchObject({ status: 'choosing' });
      const resources = [{ id: folder, name: 'Chosen plans', kind: 'folder' }];
      const counted = await ask('POST', `/v3/connections/${id}/preview-choice`, { resources });
      expect(counted.body).toMatchObject({ found: 1, skipped: 0, complete: true });
      await ask('POST', `/v3/connections/${id}/configure`, { resources });
      await synced(id);
      const { body } = await ask<{ title: string }[]>('POST', '/v3/connections/google-drive/documents', {
        containerTags: ['scoped'],
      });
      expect(body.map(({ title }) => title)).toEqual(['inside.txt']);
    },
  );
});

describe('the page for choosing', () => {
  verifies(
    'connections:choose:page',
    'opens folders, keeps ticks, searches, counts and saves, by keyboard alone',
    async ({ skip }) => {
      const outer = running().drive.addFolder('Outer folder');
      const inner = running().drive.addFolder('Inner folder', outer);
      running().drive.addFile('deep.txt', 'The deep file.', { parent: inner });
      const report = running().drive.addFile('quarterly report.txt', 'The report of the quarter.');
      const { id, authLink } = await create('page');
      await withBrowser(skip, async (browser) => {
        const page = await browser.newPage();
        await page.goto((await signIn(authLink)).location ?? '');
        expect(await page.title()).toContain('Choose what to sync from Google Drive');
        const enter = async () => {
          const loaded = page.waitForEvent('load');
          await page.keyboard.press('Enter');
          await loaded;
        };
        const press = async (name: string) => {
          await page.getByRole('button', { name, exact: true }).focus();
          await enter();
        };
        await press('Open My Drive');
        await press('Open Outer folder');
        await page.getByLabel('Inner folder', { exact: true }).focus();
        await page.keyboard.press('Space');
        // A search by the Enter key in its field keeps the tick.
        await page.getByLabel('Search by name').fill('quarterly');
        await enter();
        await page.getByLabel('quarterly report.txt').check();
        await press('Count what would be synced');
        const status = await page.getByRole('status').innerText();
        expect(status).toContain('2 chosen: Inner folder, quarterly report.txt.');
        expect(status).toContain('Would sync 2 items (1 KB).');
        await press('Save and sync');
        expect(await page.innerText('main')).toContain('2 chosen. The sync starts now.');
      });
      await synced(id);
      expect((await read(id)).chosen?.map((one) => one.id).sort()).toEqual([inner, report].sort());
    },
  );

  test('shows the present choice again, to whoever asks for it with a key', async () => {
    const folder = running().drive.addFolder('Known folder');
    const { id, authLink } = await create('again');
    await signIn(authLink);
    const resources = [{ id: folder, name: 'Known folder', kind: 'folder' }];
    await ask('POST', `/v3/connections/${id}/configure`, { resources });
    const opened = await ask<{ url: string }>('POST', `/v3/connections/${id}/picker`);
    expect(opened.body).toMatchObject({ expiresIn: '1 hour' });
    const { page, headers } = await visit(opened.body.url);
    expect(page).toContain('1 chosen: Known folder.');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const hosted = await ask<{ url: string }>('POST', `/v3/connections/${id}/google-drive/hosted-picker`);
    expect((await visit(hosted.body.url)).status).toBe(200);
  });

  test('opens for the owner of the machine, and for a member who signed in without a key', async () => {
    const { memoir } = running();
    const key = memoir.memoir.localToken;
    const made = await ask<Created>(
      'POST',
      '/v3/connections/google-drive',
      { containerTag: 'local' },
      { key },
    );
    const back = await signIn(made.body.authLink);
    expect(await visit(back.location ?? '')).toMatchObject({ status: 200 });
    const picker = await ask<{ url: string }>('POST', `/v3/connections/${made.body.id}/picker`, {}, { key });
    expect((await visit(picker.body.url)).status).toBe(200);

    const invited = await ask<{ link: string }>('POST', '/v3/auth/team/invite', {
      ...{ email: 'admin@example.org', role: 'admin' },
    });
    const post = async (path: string, body: object, cookie = '') =>
      fetch(memoir.url + path, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
    const joined = await post('/console/invitation/accept', { token: tokenOf(invited.body.link) });
    const cookie = (joined.headers.get('set-cookie') ?? '').split(';')[0];
    const created = await post('/v3/connections/google-drive', { containerTag: 'session' }, cookie);
    const { authLink } = (await created.json()) as Created;
    const page = (await signIn(authLink)).location ?? '';
    expect((await visit(page)).status).toBe(200);
    const { id } = (await joined.json()) as { id: string };
    await ask('DELETE', `/v3/auth/team/members/${id}`);
    expect((await visit(page)).status, 'after the member was removed').toBe(401);
  });

  test('is closed without its ticket, for another connection, and when its key ends', async () => {
    const [one, other] = [await create('closed'), await create('closed')];
    await signIn(one.authLink);
    await signIn(other.authLink);
    const { body: key } = await ask<{ key: string; id: string }>('POST', '/v3/auth/agent-key', {
      name: 'picker',
      permission: 'write',
    });
    expect(key.key).toMatch(/^sm_/);
    const { body } = await ask<{ url: string }>('POST', `/v3/connections/${one.id}/picker`, undefined, {
      key: key.key,
    });
    expect((await visit(body.url)).status).toBe(200);
    expect((await visit(body.url.replace(one.id, other.id))).status).toBe(401);
    expect((await visit(body.url.replace(/ticket=.*/, 'ticket=x'))).status).toBe(401);
    await ask('DELETE', `/v3/auth/scoped-key/${key.id}`);
    expect((await visit(body.url)).status).toBe(401);
  });

  test('shows a failure of the source in words, and escapes names', async () => {
    const name = '<script>alert(1)</script>';
    running().drive.addFolder(name, running().drive.addFolder('Markup'));
    const { id, authLink } = await create('words');
    await signIn(authLink);
    const { body } = await ask<{ url: string }>('POST', `/v3/connections/${id}/picker`);
    const markup = new URLSearchParams({ do: 'search:', words: 'script' });
    const found = await fetch(body.url, { method: 'POST', body: markup });
    const shown = await found.text();
    expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(shown).not.toContain(name);
    running().drive.addFault(() => googleError(403, 'accessNotConfigured', 'Not enabled.'));
    expect((await visit(body.url)).page).toContain('this API is not enabled');
  });
});
