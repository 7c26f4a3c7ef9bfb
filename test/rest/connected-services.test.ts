// GitHub, Notion, OneDrive with SharePoint, and a web site, connected over REST: what becomes of their files and pages as documents.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeGitHub, startFakeGitHub } from '../fakes/github.ts';
import { type FakeGoogleOauth, GOOGLE_APP, startFakeGoogleOauth } from '../fakes/google-oauth.ts';
import { type FakeNotion, startFakeNotion } from '../fakes/notion.ts';
import { type FakeGraph, startFakeGraph } from '../fakes/onedrive.ts';
import { type FakeSite, page, startFakeSite } from '../fakes/web-crawler.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import type { Run, SyncedDocument } from './support/synced-bucket.ts';

let hub: FakeGitHub;
let workspace: FakeNotion;
let site: FakeSite;
let oauth: FakeGoogleOauth;
let graph: FakeGraph;
let memoir: OwnMemoir;
beforeAll(async () => {
  hub = await startFakeGitHub();
  workspace = await startFakeNotion();
  site = await startFakeSite();
  oauth = await startFakeGoogleOauth();
  graph = await startFakeGraph((token) => oauth.acceptsToken(token), { pageSize: 3 });
  const standIns = {
    'https://api.github.com': hub.server.origin,
    'https://api.notion.com': workspace.server.origin,
    'https://login.microsoftonline.com': oauth.origin,
    ...graph.standIns,
  };
  memoir = await startMemoir(
    {
      MEMOIR_PRIVATE_SOURCES: site.host,
      MEMOIR_MICROSOFT_CLIENT_ID: GOOGLE_APP.clientId,
      MEMOIR_MICROSOFT_CLIENT_SECRET: GOOGLE_APP.clientSecret,
      MEMOIR_MICROSOFT_TENANT: 'contoso.example',
      // Two looks make a day.
      MEMOIR_CONNECTIONS_LOOK_MINUTES: '720',
    },
    { standIns },
  );
});
afterAll(async () => {
  await memoir.close();
  await Promise.all([hub.close(), workspace.close(), site.close(), oauth.close(), graph.close()]);
});

const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await memoir.ask<T>(method, path, body);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return answer.body;
};

const ran = async (id: string, runs: number): Promise<Run> => {
  const runsOf = () => ask<Run[]>('GET', `/v3/connections/${id}/sync-runs`);
  await until(`run ${runs} of ${id}`, async () => {
    const all = await runsOf();
    return all.length >= runs && all.every(({ status }) => status !== 'running');
  });
  await memoir.idle();
  const [newest] = await runsOf();
  if (newest === undefined) throw new Error('The connection has no run.');
  return newest;
};

const documentsUnder = async (tag: string): Promise<SyncedDocument[]> => {
  const asked = { containerTags: [tag], limit: 100 };
  return (await ask<{ documents: SyncedDocument[] }>('POST', '/v3/documents/documents', asked)).documents;
};

describe('chosen repositories of GitHub', () => {
  test('become documents, which follow edits, moves and removals', async () => {
    const repository = hub.addRepository('ann/notes', {
      'ferry.md': '# Ferry times\n\nThe ferry leaves at noon.',
      'bus.md': '# Bus times\n\nThe bus goes at ten.',
      'old.md': '# Old\n\nNothing of use.',
    });
    const { id } = await ask<{ id: string }>('POST', '/v3/connections/github', {
      containerTag: 'hub',
      metadata: { token: hub.token },
    });
    const { resources } = await ask<{ resources: object[] }>('GET', `/v3/connections/${id}/resources`);
    expect(resources).toMatchObject([{ id: repository.id, full_name: 'ann/notes', default_branch: 'main' }]);
    const chosen = [{ id: repository.id, name: 'ann/notes', defaultBranch: 'main' }];
    await ask('POST', `/v3/connections/${id}/configure`, { resources: chosen });
    expect(await ran(id, 1)).toMatchObject({ status: 'completed', itemsAdded: 3 });
    await until('the reason why nobody calls', async () => {
      const { watch } = await ask<{ watch: { problem?: string } }>('GET', `/v3/connections/${id}`);
      return watch.problem?.includes('set MEMOIR_BASE_URL') === true;
    });
    expect(repository.hooks.size).toBe(0);
    const before = await documentsUnder('hub');
    const ferry = before.find(({ title }) => title === 'Ferry times');
    expect(ferry).toMatchObject({
      ...{ source: 'github', filepath: '/ann/notes/ferry.md', status: 'done', connectionId: id },
      metadata: { repository: 'ann/notes', branch: 'main', path: 'ferry.md' },
    });
    hub.commit(repository, {
      ...{ 'ferry.md': null, 'travel/ferry.md': '# Ferry times\n\nThe ferry leaves at noon.' },
      ...{ 'bus.md': '# Bus times\n\nThe bus goes at eleven.', 'old.md': null },
    });
    await ask('POST', '/v3/connections/github/import', { containerTags: ['hub'] });
    expect(await ran(id, 2)).toMatchObject({ status: 'completed', itemsFailed: 0 });
    const after = await documentsUnder('hub');
    expect(after.map(({ filepath }) => filepath).sort()).toEqual([
      '/ann/notes/bus.md',
      '/ann/notes/travel/ferry.md',
    ]);
    expect(after.find(({ title }) => title === 'Ferry times')?.id).toBe(ferry?.id);
    const { results } = await ask<{ results: object[] }>('POST', '/v3/search', {
      ...{ q: 'When does the bus go?', containerTags: ['hub'] },
    });
    expect(JSON.stringify(results)).toContain('eleven');
    expect(JSON.stringify(await ask('GET', `/v3/connections/${id}`))).not.toContain(hub.token);
  });
});

describe('pages of a site', () => {
  test('keep titles and metadata when a later crawl finds them unchanged', async () => {
    site.pages.set('/', page('Welcome', ['/guide']));
    site.pages.set('/guide', page('Guide', [], 'The key lies under the mat.'));
    const { id } = await ask<{ id: string }>('POST', '/v3/connections/web-crawler', {
      ...{ containerTag: 'site', metadata: { startUrl: `${site.origin}/` } },
    });
    expect(await ran(id, 1)).toMatchObject({ status: 'completed', itemsAdded: 2 });
    const factsUnder = async () =>
      (await documentsUnder('site')).map((one) => [one.id, one.title, one.metadata.depth]).sort();
    const before = await factsUnder();
    expect(before.map(([, title, depth]) => [title, depth]).sort()).toEqual([
      ['Guide', 1],
      ['Welcome', 0],
    ]);
    await ask('POST', '/v3/connections/web-crawler/import', { containerTags: ['site'] });
    expect(await ran(id, 2)).toMatchObject({ status: 'completed', itemsAdded: 0, itemsUpdated: 0 });
    expect(await factsUnder()).toEqual(before);
  });
});

describe('pages of Notion', () => {
  test('become documents with their properties, and lose those that are removed', async () => {
    const source = workspace.addDataSource('Tasks');
    const select = { id: '1', name: 'High', color: 'red' as const };
    const row = workspace.addPage('Paint the boat', 'It needs two coats of blue paint.', {
      source,
      properties: { Priority: { id: 'a', type: 'select', select } },
    });
    const { id } = await ask<{ id: string }>('POST', '/v3/connections/notion', {
      containerTag: 'workspace',
      metadata: { token: workspace.token },
    });
    expect(await ran(id, 1)).toMatchObject({ status: 'completed', itemsAdded: 1 });
    const [document] = await documentsUnder('workspace');
    expect(document).toMatchObject({
      ...{ customId: row.id, title: 'Paint the boat', source: 'notion', status: 'done' },
      metadata: { Priority: 'High', database: 'Tasks' },
    });
    workspace.setTime(Date.now() - 10 * 60_000);
    workspace.edit(row, { properties: {} });
    await ask('POST', '/v3/connections/notion/import', { containerTags: ['workspace'] });
    await ran(id, 2);
    const [edited] = await documentsUnder('workspace');
    expect(edited?.metadata).not.toHaveProperty('Priority');
    expect(edited?.id).toBe(document?.id);
  });

  test('go within one round of questions after they are no longer shared, and others stay', async () => {
    const [shared, kept] = [
      workspace.addPage('Shared for a while', 'The well is deep.'),
      workspace.addPage('Kept', 'The mill is old.'),
    ];
    const { id } = await ask<{ id: string }>('POST', '/v3/connections/notion', {
      ...{ containerTag: 'unshared', metadata: { token: workspace.token } },
    });
    await ran(id, 1);
    const names = async () => (await documentsUnder('unshared')).map(({ customId }) => customId);
    expect(await names()).toEqual(expect.arrayContaining([shared.id, kept.id]));
    shared.isShared = false;
    for (const run of [2, 3, 4]) {
      await ask('POST', '/v3/connections/notion/import', { containerTags: ['unshared'] });
      await ran(id, run);
    }
    expect(await names()).not.toContain(shared.id);
    expect(await names()).toContain(kept.id);
    const { results } = await ask<{ results: object[] }>('POST', '/v3/search', {
      ...{ q: 'How deep is the well?', containerTags: ['unshared'], chunkThreshold: 0 },
    });
    expect(JSON.stringify(results)).not.toContain('The well is deep.');
  });
});

interface Offered {
  id: string;
  name: string;
  kind: string;
  selectable: boolean;
}

describe('OneDrive and SharePoint', () => {
  const sync = async (id: string, tag: string, run: number): Promise<Run> => {
    await ask('POST', '/v3/connections/onedrive/import', { containerTags: [tag] });
    return ran(id, run);
  };
  const connect = async (tag: string, metadata: Record<string, string> = {}): Promise<string> => {
    const made = await ask<{ id: string; authLink: string }>('POST', '/v3/connections/onedrive', {
      ...{ containerTag: tag, metadata },
    });
    expect(made.authLink).toContain('login.microsoftonline.com/contoso.example/oauth2/v2.0/authorize');
    await fetch(oauth.consent(made.authLink), { redirect: 'manual' });
    expect(oauth.requests.at(-1)?.url.pathname).toBe('/contoso.example/oauth2/v2.0/token');
    return made.id;
  };
  const offered = async (id: string, parent?: string): Promise<Offered[]> => {
    const query = parent === undefined ? '' : `?parent_id=${encodeURIComponent(parent)}`;
    return (await ask<{ resources: Offered[] }>('GET', `/v3/connections/${id}/resources${query}`)).resources;
  };
  const pathsUnder = async (tag: string) =>
    (await documentsUnder(tag)).map(({ filepath }) => filepath).sort();

  test('sync chosen folders of both, and follow edits, renames, moves and removals', async () => {
    const { own } = graph;
    const plans = own.addFolder('Plans');
    const ferry = own.addFile('ferry.md', 'The ferry leaves at noon.', { parent: plans });
    own.addFile('bus.md', 'The bus goes at ten.', { parent: plans });
    const elsewhere = own.addFolder('Elsewhere');
    own.addFile('outside.md', 'Not chosen.', { parent: elsewhere });
    const team = graph.addSite('Harbour team');
    team.addFile('minutes.md', 'The north pier is closed.');
    const id = await connect('drive');
    expect(await ask('GET', `/v3/connections/${id}`)).toMatchObject({
      status: 'choosing',
      email: 'ann@example.org',
    });
    const [mine, sites] = await offered(id);
    const folder = (await offered(id, mine?.id)).find(({ name }) => name === 'Plans');
    const [site] = await offered(id, sites?.id);
    const [library] = await offered(id, site?.id);
    expect([folder, library]).toMatchObject([{ kind: 'folder' }, { kind: 'drive', name: 'Documents' }]);
    await ask('POST', `/v3/connections/${id}/configure`, { resources: [folder, library] });
    expect(await ran(id, 1)).toMatchObject({ status: 'completed', itemsAdded: 3 });
    const before = await documentsUnder('drive');
    expect(before.find(({ title }) => title === 'ferry.md')).toMatchObject({
      ...{ source: 'onedrive', connectionId: id, filepath: '/OneDrive/Plans/ferry.md', status: 'done' },
      metadata: { lastModifiedBy: 'Ann' },
    });
    expect(before.find(({ title }) => title === 'minutes.md')?.metadata).toMatchObject({
      siteName: 'Harbour team',
    });

    own.edit(ferry, 'The ferry leaves at one.');
    own.change(plans, { name: 'Travel plans' });
    const reads = () => graph.contents.requests.length;
    const [updated, unread] = [
      reads(),
      (await documentsUnder('drive')).find(({ title }) => title === 'bus.md')?.id,
    ];
    expect(await sync(id, 'drive', 2)).toMatchObject({ status: 'completed', itemsUpdated: 1 });
    expect(reads() - updated).toBe(1);
    expect(await pathsUnder('drive')).toEqual(
      expect.arrayContaining(['/OneDrive/Travel plans/bus.md', '/OneDrive/Travel plans/ferry.md']),
    );
    expect((await documentsUnder('drive')).find(({ title }) => title === 'bus.md')?.id).toBe(unread);

    own.change(plans, { parent: elsewhere });
    expect(await sync(id, 'drive', 3)).toMatchObject({ itemsRemoved: 0 });
    expect(await pathsUnder('drive')).toContain('/OneDrive/Elsewhere/Travel plans/ferry.md');
    own.remove(plans);
    expect(await sync(id, 'drive', 4)).toMatchObject({ itemsRemoved: 2 });
    expect((await documentsUnder('drive')).map(({ title }) => title)).toEqual(['minutes.md']);
  });

  test('list everything anew after a refused link, and read nothing that is unchanged', async () => {
    const { own } = graph;
    const names = Array.from({ length: 10 }, (_, n) => own.addFile(`kept ${n}.md`, `Kept text ${n}.`));
    const id = await connect('whole', { syncScope: 'full' });
    await ran(id, 1);
    const before = await pathsUnder('whole');
    graph.forgetTokens();
    own.remove(names[3] ?? '');
    const reads = graph.contents.requests.length;
    expect(await sync(id, 'whole', 2)).toMatchObject({ status: 'completed', itemsAdded: 0, itemsRemoved: 1 });
    expect(graph.contents.requests.length).toBe(reads);
    expect(await pathsUnder('whole')).toEqual(before.filter((path) => path !== '/OneDrive/kept 3.md'));
    const proofs = graph.contents.requests.filter(({ headers }) => headers.authorization !== undefined);
    expect(proofs).toEqual([]);
  });
});
