// Webhooks over REST: each source calls as the real one does when something changes, and the change follows without a schedule.
import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeGitHub, type FakeRepository, startFakeGitHub } from '../fakes/github.ts';
import { type FakeDrive, startFakeDrive } from '../fakes/google-drive.ts';
import { type FakeGoogleOauth, GOOGLE_APP, startFakeGoogleOauth } from '../fakes/google-oauth.ts';
import { blocksOf, type FakeNotion, startFakeNotion } from '../fakes/notion.ts';
import { type FakeGraph, startFakeGraph } from '../fakes/onedrive.ts';
import { type FakeServer, startFakeServer } from '../fakes/support/fake-server.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import { visit } from './support/google-connections.ts';

const BASE = 'https://memoir.example';

interface Watched {
  status: string;
  watch: { state: string; problem?: string; endsAt?: string; lastHeardAt?: string };
  nextSyncAt?: string;
}

interface HookRun {
  status: string;
  triggerType: string;
}

let hub: FakeGitHub;
let graph: FakeGraph;
let login: FakeServer;
let google: FakeGoogleOauth;
let drive: FakeDrive;
let workspace: FakeNotion;
let memoir: OwnMemoir;

const standIns = () => ({
  'https://api.github.com': hub.server.origin,
  'https://api.notion.com': workspace.server.origin,
  ...graph.standIns,
  'https://login.microsoftonline.com': login.origin,
  'https://www.googleapis.com': drive.origin,
  'https://oauth2.googleapis.com': google.origin,
});

beforeAll(async () => {
  hub = await startFakeGitHub();
  graph = await startFakeGraph((token) => token === 'app-token');
  login = await startFakeServer(() => ({ body: { access_token: 'app-token', expires_in: 3600 } }));
  workspace = await startFakeNotion();
  google = await startFakeGoogleOauth();
  drive = await startFakeDrive((token) => google.acceptsToken(token));
  memoir = await startMemoir(
    {
      ...{ MEMOIR_BASE_URL: BASE, MEMOIR_TRUSTED_PROXIES: 'loopback' },
      MEMOIR_GOOGLE_CLIENT_ID: GOOGLE_APP.clientId,
      MEMOIR_GOOGLE_CLIENT_SECRET: GOOGLE_APP.clientSecret,
      // No look happens by itself.
      MEMOIR_CONNECTIONS_LOOK_MINUTES: '0',
    },
    { standIns: standIns() },
  );
  for (const { hookCalls } of [hub, graph, drive, workspace]) hookCalls.reach(BASE, memoir.url);
});
afterAll(async () => {
  await memoir.close();
  await Promise.all([hub, graph, login, google, drive, workspace].map((each) => each.close()));
});

const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await memoir.ask<T>(method, path, body);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return answer.body;
};

const read = (id: string) => ask<Watched>('GET', `/v3/connections/${id}`);
const runsOf = (id: string) => ask<HookRun[]>('GET', `/v3/connections/${id}/sync-runs`);

const alive = (id: string) =>
  until(`the hook of ${id} to be heard`, async () => (await read(id)).watch.state === 'alive');

const contentUnder = async (tag: string): Promise<string> => {
  await memoir.idle();
  const asked = { containerTags: [tag], limit: 100, includeContent: true };
  return JSON.stringify(await ask('POST', '/v3/documents/documents', asked));
};

/** Until a run that a hook started has ended. */
const lookedByEvent = (id: string, events = 1) =>
  until(`look ${events} of ${id} by a hook`, async () => {
    const all = await runsOf(id);
    const byEvent = all.filter(({ triggerType }) => triggerType === 'event');
    return byEvent.length >= events && all.every(({ status }) => status !== 'running');
  });

let repositories = 0;

const connectRepository = async (
  tag: string,
): Promise<{ id: string; repository: FakeRepository; hook: { url: string; secret: string } }> => {
  const name = `ann/hooked-${++repositories}`;
  const repository = hub.addRepository(name, { 'ferry.md': '# Ferry\n\nThe ferry leaves at noon.' });
  const { id } = await ask<{ id: string }>('POST', '/v3/connections/github', {
    containerTag: tag,
    metadata: { token: hub.token },
  });
  await ask('POST', `/v3/connections/${id}/configure`, {
    resources: [{ id: repository.id, name, defaultBranch: 'main' }],
  });
  await alive(id);
  const [hook] = repository.hooks.values();
  if (hook === undefined) throw new Error('There is no hook.');
  return { id, repository, hook };
};

const pathAt = (url: string): string => `${memoir.url}${new URL(url).pathname}`;

const signedPush = (secret: string, payload: string): RequestInit => ({
  method: 'POST',
  headers: {
    ...{ 'content-type': 'application/json', 'x-github-event': 'push' },
    ...{ 'x-github-delivery': randomBytes(8).toString('hex') },
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`,
  },
  body: payload,
});

const inTheFolder = (): string =>
  readdirSync(memoir.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /memoir\.db/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

describe('a change at the source', () => {
  verifies('connections:hooks:follow', 'follows a call of GitHub', async () => {
    const { id, repository, hook } = await connectRepository('hook-hub');
    hub.commit(repository, { 'ferry.md': '# Ferry\n\nThe ferry leaves at midnight.' });
    await lookedByEvent(id);
    expect(await contentUnder('hook-hub')).toContain('leaves at midnight');
    expect(await read(id)).toMatchObject({ watch: { state: 'alive' } });
    // The token is in the address alone.
    const token = new URL(hook.url).pathname.split('/').at(-1) ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const secret of [token, hook.secret]) {
      expect(inTheFolder()).not.toContain(secret);
      expect(JSON.stringify(await ask('GET', '/v3/audit'))).not.toContain(secret);
      expect(JSON.stringify(await ask('GET', '/v3/analytics/logs'))).not.toContain(secret);
    }
  });

  verifies('connections:hooks:follow', 'follows a call of Google Drive', async () => {
    const file = drive.addFile('ferry.txt', 'The ferry leaves at noon.');
    const { id, authLink } = await ask<{ id: string; authLink: string }>(
      'POST',
      '/v3/connections/google-drive',
      { containerTag: 'hook-drive', metadata: { syncScope: 'full' } },
    );
    const consent = google.consent(authLink);
    await visit(`${memoir.url}${consent.pathname}${consent.search}`);
    await alive(id);
    drive.edit(file, 'The ferry leaves at midnight.');
    await lookedByEvent(id);
    expect(await contentUnder('hook-drive')).toContain('leaves at midnight');
    expect(Date.parse((await read(id)).watch.endsAt ?? '')).toBeGreaterThan(Date.now());
    // Nobody may call any more, and the access ends with the connection.
    const revoked = () => google.requests.filter(({ url }) => url.pathname === '/revoke');
    await ask('DELETE', `/v3/connections/${id}`);
    await until('the channel to be closed', () => drive.channels.size === 0);
    await until('the access to be ended', () => revoked().length === 1);
  });

  verifies('connections:hooks:follow', 'follows a call of OneDrive', async () => {
    const file = graph.own.addFile('ferry.md', 'The ferry leaves at noon.');
    const { id } = await ask<{ id: string }>('POST', '/v3/connections/onedrive', {
      containerTag: 'hook-graph',
      metadata: {
        ...{ syncScope: 'full', tenantId: 'tenant-1', clientId: 'app-1' },
        ...{ clientSecret: 'planted-secret', user: 'ann@example.org' },
      },
    });
    await alive(id);
    expect([...graph.subscriptions.values()]).toMatchObject([
      { resource: '/users/ann%40example.org/drive/root' },
    ]);
    graph.own.edit(file, 'The ferry leaves at midnight.');
    await lookedByEvent(id);
    expect(await contentUnder('hook-graph')).toContain('leaves at midnight');
  });
});

const eventsOf = async (id: string): Promise<number> =>
  (await runsOf(id)).filter(({ triggerType }) => triggerType === 'event').length;

const aMinuteAfterLastRun = async (id: string): Promise<string> => {
  const [run] = await ask<{ startedAt: string }[]>('GET', `/v3/connections/${id}/sync-runs`);
  return new Date(Date.parse(run?.startedAt ?? '') + 60_000).toISOString();
};

/** Another connection is looked at after everything that was called before it. */
const afterAllCalls = async (tag: string): Promise<void> => {
  const { id, repository } = await connectRepository(tag);
  hub.commit(repository, { 'later.md': '# Later' });
  await lookedByEvent(id);
};

interface HandMade {
  state: string;
  url?: string;
  verificationToken?: string;
}

verifies(
  ['connections:hooks:follow', 'connections:hooks:by-hand'],
  'follows a call of Notion, whose webhook a person sets up',
  async () => {
    const page = workspace.addPage('Ferry', 'The ferry leaves at noon.');
    const { id } = await ask<{ id: string }>('POST', '/v3/connections/notion', {
      ...{ containerTag: 'hook-notion', metadata: { token: workspace.token } },
    });
    await until('the first sync', async () => (await runsOf(id))[0]?.status === 'completed');
    const hook = `/v3/connections/${id}/hook`;
    expect((await memoir.ask('GET', hook)).status).toBe(404);
    const { url = '', state } = await ask<HandMade>('POST', hook);
    expect([state, new URL(url).origin]).toEqual(['waiting', BASE]);
    expect(await ask<HandMade>('GET', hook)).toEqual({ state: 'waiting' });
    await workspace.subscribe(url);
    const { verificationToken = '' } = await ask<HandMade>('GET', hook);
    expect(workspace.verify(verificationToken)).toBe(true);
    // Another greeting does not replace the token.
    await workspace.hookCalls.call({ address: url, body: '{"verification_token":"of a stranger"}' });
    expect(workspace.hookCalls.answers.map(({ status }) => status)).toEqual([202, 403]);
    workspace.setTime(Date.now());
    workspace.edit(page, { blocks: blocksOf('The ferry leaves at midnight.') });
    await lookedByEvent(id);
    expect(await contentUnder('hook-notion')).toContain('leaves at midnight');
    expect(await ask<HandMade>('GET', hook)).toEqual({ state: 'alive' });
    expect(inTheFolder()).not.toContain(verificationToken);
  },
);

describe('a call of a webhook', () => {
  verifies('connections:hooks:forged', 'is refused where the signature does not fit', async () => {
    const { id, hook } = await connectRepository('hook-forged');
    const { hook: ofOther } = await connectRepository('hook-other');
    const [own, payload] = [pathAt(hook.url), '{"ref":"refs/heads/main"}'];
    const token = own.split('/').at(-1) ?? '';
    const forged: [string, RequestInit, number][] = [
      [own, { method: 'POST', body: payload }, 403],
      [own, signedPush(ofOther.secret, payload), 403],
      [own, { ...signedPush(hook.secret, payload), body: `${payload} ` }, 403],
      [own.replace('/github/', '/onedrive/'), signedPush(hook.secret, payload), 404],
      [own.replace(token, 'x'.repeat(43)), signedPush(hook.secret, payload), 404],
      [`${own}x`, signedPush(hook.secret, payload), 404],
      [own, { method: 'GET' }, 405],
      [own, { method: 'PUT', body: payload }, 405],
    ];
    for (const [url, request, status] of forged) {
      const answer = await fetch(url, request);
      expect([url, answer.status]).toEqual([url, status]);
      const text = await answer.text();
      for (const secret of [token, hook.secret, id]) expect(text).not.toContain(secret);
    }
    await afterAllCalls('hook-forged-other');
    expect(await eventsOf(id)).toBe(0);
  });

  verifies('connections:hooks:forged', 'counts once, whatever id a repetition has', async () => {
    const { id, repository, hook } = await connectRepository('hook-replayed');
    const payload = '{"ref":"refs/heads/main","after":"1"}';
    expect((await fetch(pathAt(hook.url), signedPush(hook.secret, payload))).status).toBe(202);
    await lookedByEvent(id);
    for (let n = 0; n < 20; n++)
      expect((await fetch(pathAt(hook.url), signedPush(hook.secret, payload))).status).toBe(202);
    expect((await read(id)).nextSyncAt).toBeUndefined();
    hub.commit(repository, { 'new.md': '# New' });
    await hub.hookCalls.settled();
    // A genuine one within the minute is due after it.
    expect((await read(id)).nextSyncAt).toBe(await aMinuteAfterLastRun(id));
    expect(await eventsOf(id)).toBe(1);
  });

  verifies(
    'connections:hooks:few-looks',
    'leads to a look soon, and five hundred to two at most',
    async () => {
      const { id, hook } = await connectRepository('hook-many');
      for (let from = 0; from < 500; from += 50)
        await Promise.all(
          Array.from({ length: 50 }, async (_, n) => {
            const body = `{"ref":"refs/heads/main","after":"${from + n}"}`;
            const { status } = await fetch(pathAt(hook.url), signedPush(hook.secret, body));
            expect(status).toBe(202);
          }),
        );
      await lookedByEvent(id);
      // One look has begun, and the other one is due a minute after that.
      expect((await read(id)).nextSyncAt).toBe(await aMinuteAfterLastRun(id));
      expect(await eventsOf(id)).toBe(1);
    },
  );

  test('with a body of 24 MB is checked by its signature, and a larger one is refused', async () => {
    const { id, hook } = await connectRepository('hook-large');
    const body = `{"ref":"refs/heads/main","padding":"${'x'.repeat(24 * 1024 * 1024)}"}`;
    const answer = await fetch(pathAt(hook.url), signedPush(hook.secret, body));
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    await lookedByEvent(id);
    const larger = signedPush(hook.secret, 'x'.repeat(26 * 1024 * 1024));
    expect((await fetch(pathAt(hook.url), larger)).status).toBe(413);
  });

  test('of Microsoft that asks for its text gets it back inert', async () => {
    const [address = ''] = [...graph.subscriptions.values()].map(({ notificationUrl }) => notificationUrl);
    const ask = (token: string) =>
      fetch(`${pathAt(address)}?validationToken=${encodeURIComponent(token)}`, { method: 'POST' });
    const plain = await ask('Validation: Request-Id: 1+1 & 2');
    expect([plain.status, await plain.text()]).toEqual([200, 'Validation: Request-Id: 1+1 & 2']);
    const marked = await ask('<script>alert(1)</script>');
    expect(await marked.text()).toBe('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(Object.fromEntries(marked.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });
});

describe('webhooks of a connection', () => {
  verifies(
    'connections:hooks:ended',
    'end with a pause, come back with it, and end with a removal',
    async () => {
      const { id, repository, hook } = await connectRepository('hook-paused');
      await ask('POST', `/v3/connections/${id}/pause`);
      await until('the hook to be ended', () => repository.hooks.size === 0);
      expect((await fetch(pathAt(hook.url), signedPush(hook.secret, '{}'))).status).toBe(404);
      expect((await read(id)).watch).toEqual({ state: 'schedule' });
      await ask('POST', `/v3/connections/${id}/resume`);
      await alive(id);
      const [other] = repository.hooks.values();
      expect(other?.url).not.toBe(hook.url);
      await ask('DELETE', `/v3/connections/${id}`);
      await until('the hook to be ended', () => repository.hooks.size === 0);
    },
  );

  test('follow another choice of repositories', async () => {
    const { id, repository } = await connectRepository('hook-chosen');
    const second = hub.addRepository('ann/chosen-later', { 'a.md': '# A' });
    await ask('POST', `/v3/connections/${id}/configure`, {
      resources: [{ id: second.id, name: 'ann/chosen-later', defaultBranch: 'main' }],
    });
    await until('the hooks to follow', () => repository.hooks.size === 0 && second.hooks.size === 1);
    await alive(id);
  });

  verifies(
    'connections:hooks:schedule',
    'that the source does not make leave the sync as it is',
    async () => {
      hub.allowHooks(false);
      const repository = hub.addRepository('ann/no-hooks', { 'a.md': '# A' });
      const { id } = await ask<{ id: string }>('POST', '/v3/connections/github', {
        containerTag: 'hook-none',
        metadata: { token: hub.token },
      });
      await ask('POST', `/v3/connections/${id}/configure`, {
        resources: [{ id: repository.id, name: 'ann/no-hooks', defaultBranch: 'main' }],
      });
      await until('the refusal', async () => (await read(id)).watch.problem !== undefined);
      hub.allowHooks(true);
      expect((await read(id)).watch).toEqual({
        state: 'schedule',
        problem: expect.stringContaining('GitHub makes no webhook for this address or this account'),
      });
      expect((await runsOf(id)).map(({ status }) => status)).toEqual(['completed']);
    },
  );
});

verifies('connections:resume:signed-out', 'says how to sign in again', async () => {
  const { id } = await ask<{ id: string }>('POST', '/v3/connections/github', {
    containerTag: 'hook-signed-out',
    metadata: { token: hub.token },
  });
  const refused = hub.server.addFault(() => ({ status: 401, body: { message: 'Bad credentials' } }));
  await ask('POST', `/v3/connections/${id}/configure`, { resources: [{ id: 1000, name: 'ann/hooked-1' }] });
  await until('the connection to sign out', async () => (await read(id)).status === 'signed_out');
  refused();
  for (const what of ['resume', 'pause']) {
    const { status, body } = await memoir.ask<{ error: string }>('POST', `/v3/connections/${id}/${what}`);
    expect([status, body.error]).toEqual([400, expect.stringContaining('/reauthorize')]);
  }
  expect((await read(id)).status).toBe('signed_out');
  await ask('POST', `/v3/connections/${id}/reauthorize`, { metadata: { token: hub.token } });
  expect((await read(id)).status).toBe('active');
});
