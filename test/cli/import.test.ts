// memoir import supermemory, from a server that speaks the published API into a Memoir of its own.
import { rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDataFolder } from '../support/data-folder.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { run } from './memoir-process.ts';

const COUNT = 130;
let source: OwnMemoir;
let target: OwnMemoir;
let cwd: string;
beforeAll(async () => {
  [source, target] = await Promise.all([startMemoir(), startMemoir()]);
  cwd = newDataFolder('import');
  const documents = Array.from({ length: COUNT }, (_, n) => ({
    content: `Note number ${n}, with a "quote" and ünïcode.`,
    ...(n % 2 === 0 ? { customId: `note/${n}` } : {}),
    containerTags: ['user_ada', 'sm_project_home'],
    metadata: { n, odd: n % 2 === 1, kind: 'note' },
    taskType: 'superrag',
    ...(n === 0 ? { title: 'The first' } : {}),
  }));
  await source.ask('POST', '/v3/documents/batch', { documents });
  await source.idle();
});
afterAll(async () => {
  rmSync(cwd, { recursive: true });
  await Promise.all([source.close(), target.close()]);
});

const importing = async (url: string, more: string[] = []) => {
  const to = ['--to', target.url, '--api-key', target.key];
  const ended = await run(['import', 'supermemory', '--url', url, '--key', source.key, ...to, ...more], {
    cwd,
  });
  return { ...ended, told: ended.stdout.startsWith('{') ? JSON.parse(ended.stdout) : ended.stdout };
};

/** Passes everything on but the documents that it refuses with a status, or whose answer breaks off. */
const refusing = async (statusOf: (path: string) => number | 'in the body' | 'at once' | null) => {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const status = method === 'GET' ? statusOf(url) : null;
    if (status === 'at once') return void outgoing.destroy();
    if (status === 'in the body') {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      return void outgoing.write('{"id":', () => outgoing.destroy());
    }
    if (status !== null) return void outgoing.writeHead(status).end('{"error":"Refused."}');
    const passed = request(new URL(url, source.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

/** Breaks after so many documents. */
const breaking = (most: number) => {
  let read = 0;
  return refusing(() => (++read > most ? 400 : null));
};

test('it goes on where it was broken off, and everything arrives as it was', {
  timeout: 120_000,
}, async () => {
  const proxy = await breaking(40);
  const broken = await importing(proxy.url);
  proxy.close();
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain('it continues where it stopped');

  const { code, told } = await importing(source.url, ['--json']);
  expect(code).toBe(0);
  expect(told).toMatchObject({ found: COUNT, same: COUNT, different: [], refused: [], empty: [] });
  expect(told.added + told.already).toBe(COUNT);
  expect(told.already).toBeGreaterThanOrEqual(35);

  const { body } = await target.ask('GET', `/v3/documents/${encodeURIComponent('note/8')}`);
  expect(body).toMatchObject({
    content: 'Note number 8, with a "quote" and ünïcode.',
    containerTags: ['user_ada', 'sm_project_home'],
    metadata: { n: 8, odd: false, kind: 'note' },
    taskType: 'superrag',
  });

  const again = await importing(source.url);
  expect(again.told).toContain(`Found ${COUNT} documents: 0 added, ${COUNT} already here.`);
  const listed = await target.ask<{ pagination: object }>('POST', '/v3/documents/list', {});
  expect(listed.body.pagination).toMatchObject({ totalItems: COUNT });
});

test('a title that was given stays given, and one that was drawn is drawn here', async () => {
  await importing(source.url);
  const first = await target.ask('GET', '/v3/documents/note%2F0');
  expect(first.body).toMatchObject({ title: 'The first', raw: { titleOrigin: 'given' } });
  const other = await target.ask('GET', '/v3/documents/note%2F2');
  expect(other.body).toMatchObject({
    title: 'Note number 2, with a "quote" and ünïcode',
    raw: { titleOrigin: 'drawn' },
  });
});

test('a document that the source lists and does not give keeps no other back, and is named', async () => {
  const add = (customId: string) =>
    source.ask<{ id: string }>('POST', '/v3/documents', { content: `This is ${customId}.`, customId });
  const { body: gone } = await add('gone');
  await add('there');
  await source.idle();
  const proxy = await refusing((path) => (path.endsWith(gone.id) ? 404 : null));
  const { code, told } = await importing(proxy.url, ['--json']);
  proxy.close();
  expect(code).toBe(1);
  expect(told).toMatchObject({ added: 1, refused: ['gone: the source does not give it (status 404)'] });
  expect((await target.ask('GET', '/v3/documents/there')).status).toBe(200);
});

test('a document whose answer breaks off at every try keeps no other back, and is named', {
  timeout: 120_000,
}, async () => {
  const add = (customId: string) =>
    source.ask<{ id: string }>('POST', '/v3/documents', { content: `This is ${customId}.`, customId });
  const [{ body: cut }, { body: shut }] = [await add('cut'), await add('shut')];
  await add('whole');
  await source.idle();
  const proxy = await refusing((path) =>
    path.endsWith(cut.id) ? 'in the body' : path.endsWith(shut.id) ? 'at once' : null,
  );
  const { code, told } = await importing(proxy.url, ['--json']);
  proxy.close();
  expect(code).toBe(1);
  expect(told.different).toEqual([]);
  expect(told.refused.sort()).toEqual([
    expect.stringMatching(/^cut: the source gives others, and breaks off at this one \(.+\)$/),
    expect.stringMatching(/^shut: the source gives others, and breaks off at this one \(.+\)$/),
  ]);
  expect((await target.ask('GET', '/v3/documents/whole')).status).toBe(200);
  for (const { id } of [cut, shut]) await source.ask('DELETE', `/v3/documents/${id}`);
});

test('the same customId under several container tags is several documents', async () => {
  const add = (containerTag: string, content: string) =>
    source.ask('POST', '/v3/documents', { content, containerTag, customId: 'diary', taskType: 'superrag' });
  await add('ben', 'Nothing happened.');
  await add('cleo', 'Nothing happened.');
  await add('dan', 'Much happened.');
  await source.idle();
  const first = await importing(source.url, ['--json']);
  expect([first.code, first.told]).toMatchObject([0, { refused: [], different: [] }]);
  const here = async (containerTag: string) =>
    (await target.ask('POST', '/v3/documents/list', { containerTags: [containerTag], includeContent: true }))
      .body;
  for (const tag of ['ben', 'cleo'])
    expect(await here(tag)).toMatchObject({
      memories: [{ customId: 'diary', content: 'Nothing happened.' }],
    });
  expect(await here('dan')).toMatchObject({ memories: [{ content: 'Much happened.' }] });
  const again = await importing(source.url, ['--json']);
  expect([again.code, again.told]).toMatchObject([0, { added: 0, different: [] }]);
});

test('a wrong key is told, with what to do', async () => {
  const to = ['--to', target.url, '--api-key', target.key];
  const { code, stderr } = await run(
    ['import', 'supermemory', '--url', source.url, '--key', 'sm_no', ...to],
    { cwd },
  );
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('(status 401): This API key is not valid here. Send one as'),
  ]);
  expect(stderr).toContain('Check --url and --key');
});

test('without a key it was typed wrongly', async () => {
  const { code, stderr } = await run(['import', 'supermemory', '--url', source.url], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Pass it with --key')]);
});

/** A service that lists these rows and gives each by its id; `before` may answer in its place. */
const listing = async (
  rows: readonly { id?: string }[],
  before: (path: string) => string | null = () => null,
) => {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const { url = '' } = incoming;
    const answer = (): unknown => {
      if (url !== '/v3/documents/list') return rows.find(({ id }) => id === url.split('/').at(-1));
      return { memories: rows, pagination: { totalItems: rows.length, totalPages: 1 } };
    };
    outgoing.end(before(url) ?? JSON.stringify(answer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

test('a document in an unknown form keeps no other back, and is named with what is wrong', async () => {
  const row = (id: string, more: object = {}) => ({
    id,
    content: `Row ${id}.`,
    containerTags: ['rows'],
    ...more,
  });
  const from = await listing([
    row('lone', { metadata: 'a text' }),
    row('listed', { metadata: ['a', 1] }),
    row('title', { title: 5 }),
    row('number', { content: 42 }),
    { ...row('nameless'), id: undefined },
    row('long', { customId: 'x'.repeat(300) }),
    row('last'),
  ] as { id?: string }[]);
  const { code, told } = await importing(from.url, ['--json']);
  from.close();
  expect(code).toBe(1);
  expect(told).toMatchObject({ found: 7, added: 3, same: 3, different: [] });
  const refused = (told as { refused: string[] }).refused.toSorted();
  expect(refused).toEqual([
    expect.stringMatching(/^number 5 of the list: the source lists it in an unknown form: id: is required$/),
    expect.stringMatching(/^number: .*: content: must be text, not a number$/),
    expect.stringMatching(/^supermemory:title: .* title: must be text, not a number$/),
    expect.stringMatching(/^x{300}: .*customId/),
  ]);
  expect((await target.ask('GET', '/v3/documents/supermemory%3Alone')).body).toMatchObject({
    metadata: { metadata: 'a text' },
  });
});

test('an address that is no such service is told at once, in one sentence', async () => {
  const page = await listing([], () => '<!doctype html><title>Welcome</title>');
  const web = await importing(page.url);
  page.close();
  expect([web.code, web.stderr]).toEqual([
    1,
    expect.stringMatching(
      /not answer in the form of the published API: "<!doctype .* is no JSON\. Check --url/,
    ),
  ]);
  const other = await listing([], () => '{"hello":1}');
  const json = await importing(other.url);
  other.close();
  expect(json.stderr).toMatch(/published API: memories: is required; pagination: is required\. Check --url/);
});

test('documents that move to an earlier page, because others are removed meanwhile, are copied', async () => {
  const all = Array.from({ length: 150 }, (_, n) => ({
    ...{ id: `moved${n}`, content: `Moved ${n}.`, containerTags: ['moved'], taskType: 'superrag' },
  }));
  let here = all;
  const server = createServer((incoming, outgoing) => {
    let sent = '';
    incoming.on('data', (part) => {
      sent += part;
    });
    incoming.on('end', () => {
      if (incoming.method === 'GET')
        return outgoing.end(JSON.stringify(all.find(({ id }) => incoming.url?.endsWith(`/${id}`))));
      const { page } = JSON.parse(sent) as { page: number };
      const memories = here.slice((page - 1) * 100, page * 100);
      const pagination = { totalItems: here.length, totalPages: Math.ceil(here.length / 100) };
      outgoing.end(JSON.stringify({ memories, pagination }));
      if (here === all) here = all.slice(20);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { told } = await importing(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, ['--json']);
  server.close();
  expect(told).toMatchObject({ added: 150, same: 150, refused: [] });
});
