// GitHub, Notion and a web site, connected over REST: what becomes of their files and pages as documents.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeGitHub, startFakeGitHub } from '../fakes/github.ts';
import { type FakeNotion, startFakeNotion } from '../fakes/notion.ts';
import { type FakeSite, page, startFakeSite } from '../fakes/web-crawler.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import type { Run, SyncedDocument } from './support/synced-bucket.ts';

let hub: FakeGitHub;
let workspace: FakeNotion;
let site: FakeSite;
let memoir: OwnMemoir;
beforeAll(async () => {
  hub = await startFakeGitHub();
  workspace = await startFakeNotion();
  site = await startFakeSite();
  const standIns = {
    'https://api.github.com': hub.server.origin,
    'https://api.notion.com': workspace.server.origin,
  };
  memoir = await startMemoir({ MEMOIR_PRIVATE_SOURCES: site.host }, { standIns });
});
afterAll(async () => {
  await memoir.close();
  await Promise.all([hub.close(), workspace.close(), site.close()]);
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
});
