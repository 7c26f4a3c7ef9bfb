// Tests of Notion as a source, over a fake that the official client drives too.
import { Client } from '@notionhq/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withoutSignatures } from '../../../server/adapters/connect/notion/read-page.ts';
import { notion } from '../../../server/adapters/connect/notion.ts';
import { block, blocksOf, type FakeNotion, startFakeNotion } from '../../fakes/notion.ts';
import { checkDelivery, hmacOf } from './check-delivery.ts';
import { sourceContract } from './contract.ts';
import { filesOf, follow, lookOnce, openFake, readFrom, readItem, textOf } from './open-source.ts';
import type { SourceFake } from './source-fake.ts';

const { signal } = new AbortController();
const MINUTE_MS = 60_000;

const reached = (workspace: FakeNotion) => ({
  standIns: { 'https://api.notion.com': workspace.server.origin },
  grant: { metadata: {}, secrets: { token: workspace.token } },
});

const startContractFake = async (): Promise<SourceFake> => {
  const workspace = await startFakeNotion({ pageSize: 2 });
  const pageOf = (name: string) => [...workspace.pages.values()].find(({ title }) => title === name);
  let time = Date.now() - 60 * MINUTE_MS;
  return {
    ...reached(workspace),
    server: workspace.server,
    isListing: ({ url }) => url.pathname === '/v1/search',
    isReading: ({ url }) => url.pathname.endsWith('/markdown'),
    async put(name, text) {
      time += MINUTE_MS;
      workspace.setTime(time);
      const page = pageOf(name);
      if (page === undefined) return workspace.addPage(name, text).id;
      workspace.edit(page, { blocks: blocksOf(text) });
      return page.id;
    },
    async remove(name) {
      const page = pageOf(name);
      if (page !== undefined) page.isTrashed = true;
    },
    showsRemovals: false,
    forbid(name) {
      const page = pageOf(name);
      if (page !== undefined) page.isShared = false;
    },
    revoke: workspace.revoke,
    close: workspace.close,
  };
};

sourceContract(notion, startContractFake);

const openWorkspace = async () => {
  const workspace = await startFakeNotion();
  const opened = openFake(notion, reached(workspace));
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await workspace.close();
  });
  const known = follow();
  const item = (title: string) => {
    const found = filesOf(known).find(({ face }) => face.title === title);
    if (found === undefined) throw new Error(`The source did not show ${title}.`);
    return found;
  };
  return {
    ...{ workspace, opened, known, item },
    look: () => lookOnce(opened, known),
    titles: () =>
      filesOf(known)
        .map(({ face }) => face.title)
        .sort(),
    read: (title: string) => readFrom(opened, item(title)),
    text: async (title: string) => textOf(await readFrom(opened, item(title))),
    asked: (part: string) =>
      workspace.server.requests.filter(({ url }) => url.pathname.includes(part)).length,
  };
};

describe('the fake of Notion, driven by the official client', () => {
  test('searches, queries, and reads pages, Markdown and blocks', async () => {
    const { workspace } = await openWorkspace();
    const source = workspace.addDataSource('Tasks');
    const page = workspace.addPage('A page', 'First\nSecond');
    const row = workspace.addPage('A row', 'Text', { source });
    const client = new Client({ auth: workspace.token, baseUrl: workspace.server.origin });
    const found = await client.search({ page_size: 10 });
    expect(found.results.map(({ id }) => id).sort()).toEqual([page.id, row.id, source].sort());
    const rows = await client.dataSources.query({ data_source_id: source });
    expect(rows.results.map(({ id }) => id)).toEqual([row.id]);
    expect(await client.pages.retrieve({ page_id: page.id })).toMatchObject({
      object: 'page',
      in_trash: false,
    });
    expect(await client.pages.retrieveMarkdown({ page_id: page.id })).toMatchObject({
      markdown: 'First\nSecond',
    });
    const blocks = await client.blocks.children.list({ block_id: page.id });
    expect(blocks.results).toHaveLength(2);
    expect(await client.users.me({})).toMatchObject({ type: 'bot' });
  });
});

describe('a look at a workspace', () => {
  test('unites search and the rows of data sources, and asks for edits alone afterwards', async () => {
    const { workspace, look, titles, known } = await openWorkspace();
    const source = workspace.addDataSource('Tasks');
    workspace.addPage('Plan', 'Text');
    workspace.addPage('Hidden from search', 'Text', { source, isUnlisted: true });
    await look();
    expect(titles()).toEqual(['Hidden from search', 'Plan']);
    expect(
      filesOf(known).find(({ face }) => face.title === 'Hidden from search')?.face.metadata.database,
    ).toBe('Tasks');
    for (let i = 0; i < 250; i++)
      workspace.addPage(`Old ${i}`, 'Text', { edited: Date.now() - 30 * 24 * 60 * MINUTE_MS });
    workspace.server.requests.length = 0;
    await look();
    // One page of the search reaches what is known, and one query of the rows.
    expect(workspace.server.requests).toHaveLength(2);
  });

  test('goes on from the beginning when the place in a listing is not known any more', async () => {
    const { workspace, opened, known, titles } = await openWorkspace();
    for (let i = 0; i < 150; i++) workspace.addPage(`Page ${i}`, 'Text');
    await lookOnce(opened, known, { pages: 1 });
    workspace.forgetPlaces();
    await lookOnce(opened, known);
    expect(titles()).toHaveLength(150);
  });

  test('a page that was edited in this minute is read again when the minute is over', async () => {
    const { workspace, opened, look, item } = await openWorkspace();
    workspace.setTime(opened.now());
    workspace.addPage('Notes', 'Text');
    await look();
    const { mark } = item('Notes');
    await look();
    expect(item('Notes').mark).toBe(mark);
    opened.pass(3 * MINUTE_MS);
    await look();
    expect(item('Notes').mark).not.toBe(mark);
  });

  test('absence is a question: trashed and unshared pages are gone, others are here', async () => {
    const { workspace, opened, look, item } = await openWorkspace();
    const [kept, trashed, unshared] = ['Kept', 'Trashed', 'Unshared'].map((title) =>
      workspace.addPage(title, 'Text'),
    );
    await look();
    if (kept === undefined || trashed === undefined || unshared === undefined) throw new Error('No pages.');
    const exists = (title: string) => opened.source.exists?.(readItem(item(title)), signal);
    Object.assign(kept, { isUnlisted: true });
    Object.assign(trashed, { isTrashed: true });
    Object.assign(unshared, { isShared: false });
    expect([await exists('Kept'), await exists('Trashed'), await exists('Unshared')]).toEqual([
      'here',
      'gone',
      'gone',
    ]);
  });
});

const SELECT = { id: 'a', type: 'select' as const, select: { id: '1', name: 'High', color: 'red' as const } };

describe('properties of a page', () => {
  test('are metadata of their kind and the head of the text', async () => {
    const { workspace, look, item, read, text } = await openWorkspace();
    const target = workspace.addPage('The project', 'Text');
    workspace.addPage('Task', 'Do it.', {
      properties: {
        Priority: SELECT,
        Points: { id: 'b', type: 'number', number: 3 },
        Done: { id: 'c', type: 'checkbox', checkbox: false },
        Labels: {
          ...{ id: 'd', type: 'multi_select' },
          multi_select: ['x', 'y'].map((name) => ({ id: name, name, color: 'blue' as const })),
        },
        Due: { id: 'e', type: 'date', date: { start: '2026-12-01', end: null, time_zone: null } },
        Score: { id: 'f', type: 'formula', formula: { type: 'number', number: 7 } },
        Empty: { id: 'g', type: 'select', select: null },
        sm_secret: { id: 'h', type: 'url', url: 'https://example.org' },
        Project: { id: 'i', type: 'relation', relation: [{ id: target.id }], has_more: false } as never,
      },
    });
    await look();
    const metadata = {
      Priority: 'High',
      Points: 3,
      Done: false,
      Labels: 'x, y',
      Due: '2026-12-01',
      Score: 7,
      notion_secret: 'https://example.org',
    };
    expect(item('Task').face.metadata).toEqual(metadata);
    expect((await read('Task')).face?.metadata).toEqual({ ...metadata, Project: 'The project' });
    expect(await text('Task')).toBe(
      'Priority: High\nPoints: 3\nDone: false\nLabels: x, y\nDue: 2026-12-01\nScore: 7\nnotion_secret: https://example.org\nProject: The project\n\nDo it.',
    );
  });

  test('that are removed disappear, and a page without anything is skipped with its name', async () => {
    const { workspace, look, item, read } = await openWorkspace();
    const page = workspace.addPage('Task', '', { properties: { Priority: SELECT } });
    await look();
    expect(item('Task').face.metadata).toEqual({ Priority: 'High' });
    workspace.edit(page, { properties: {} });
    await look();
    expect(item('Task').face.metadata).toEqual({});
    expect(await read('Task')).toMatchObject({
      skip: { code: 'empty', message: expect.stringContaining('"Task"') },
    });
  });
});

describe('the text of a page', () => {
  test('of 2,500 nested blocks is complete, whatever Notion leaves out', async () => {
    const { workspace, look, text } = await openWorkspace();
    let number = 0;
    const next = () => `Block number ${++number}.`;
    const sections = Array.from({ length: 50 }, () =>
      block(
        next(),
        Array.from({ length: 7 }, () =>
          block(
            next(),
            Array.from({ length: 6 }, () => block(next())),
          ),
        ),
      ),
    );
    workspace.addPage('Large', sections);
    expect(number).toBe(2_500);
    workspace.cutMarkdownAt(300);
    await look();
    const found = await text('Large');
    const missing = Array.from({ length: number }, (_, i) => `Block number ${i + 1}.`).filter(
      (line) => !found.includes(line),
    );
    expect(missing).toEqual([]);
    expect(found).not.toContain('<unknown');
  });

  test('has blocks that Notion does not write, at their place, and not those of other pages', async () => {
    const { workspace, look, text } = await openWorkspace();
    const synced = block(
      '',
      [block('Heading', [], 'heading_2'), block('Point', [block('Inner')], 'bulleted_list_item')],
      'synced_block',
    );
    workspace.addPage('Mixed', [block('Before'), synced, block('After')]);
    await look();
    expect(await text('Mixed')).toBe('Before\n## Heading\n- Point\n  Inner\nAfter');
  });

  test('is the same at each reading although the addresses of files are signed anew', async () => {
    const { workspace, look, text } = await openWorkspace();
    const address = 'https://prod-files-secure.s3.us-west-2.amazonaws.com/a/picture.png';
    workspace.addPage(
      'Picture',
      `![A picture](${address}?SIGNATURE&x-id=GetObject)\nand [a link](https://example.org/?q=1)`,
    );
    await look();
    const first = await text('Picture');
    expect(await text('Picture')).toBe(first);
    expect(first).toBe(`![A picture](${address})\nand [a link](https://example.org/?q=1)`);
    expect(withoutSignatures('https://file.notion.so/f/x.pdf?expirationTimestamp=1&signature=a b')).toBe(
      'https://file.notion.so/f/x.pdf b',
    );
  });
});

describe('the account and webhooks', () => {
  test('the token says whose it is', async () => {
    const { opened } = await openWorkspace();
    expect(await opened.source.who(signal)).toEqual({ account: 'bot-1', email: 'ann@example.org' });
  });

  test('the first delivery names the secret, and later ones are signed with it', () => {
    const check = (body: string, secret: string, headers: Record<string, string> = {}) =>
      checkDelivery(notion, { headers, body, secret });
    const greeting = '{"verification_token":"secret_planted"}';
    expect(check(greeting, '')).toEqual({ kind: 'secret', secret: 'secret_planted' });
    expect(check(greeting, 'secret_known')).toEqual({ kind: 'refuse' });
    const event = '{"id":"e-1","type":"page.content_updated"}';
    const sign = (body: string) => ({
      'x-notion-signature': `sha256=${hmacOf(body, 'secret_planted')}`,
    });
    expect(check(event, 'secret_planted', sign(event))).toEqual({ kind: 'wake', delivery: 'e-1' });
    expect(check('{"type":"comment.created"}', 'secret_planted', sign('{"type":"comment.created"}'))).toEqual(
      { kind: 'ignore' },
    );
    expect(check(event, 'secret_planted', sign(`${event} `))).toEqual({ kind: 'refuse' });
    expect(check('{}', '')).toEqual({ kind: 'refuse' });
  });

  test('an overload is repeated', async () => {
    const { workspace, look, titles } = await openWorkspace();
    workspace.addPage('Plan', 'Text');
    let refused = 0;
    workspace.server.addFault(() => (refused++ < 2 ? { status: 529, body: {} } : undefined));
    await look();
    expect(titles()).toEqual(['Plan']);
  });
});
