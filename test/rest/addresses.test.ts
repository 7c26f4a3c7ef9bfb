// Addresses over REST: fetched, read as whatever is there, kept with what they say of themselves.
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { pdf } from '../adapters/extract/fixtures/pdf.ts';
import { serve, type TestServer } from '../adapters/fetch/web.ts';
import { serveVideoSite, standInsFor, usualState, type VideoSite } from '../adapters/fetch/youtube.ts';
import { verifies } from '../spec/verifies.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

let site: TestServer;
let sheets: TestServer;
let inside: TestServer;
let videos: VideoSite;
let answer: RequestListener;
let sheet: RequestListener;
const standIns: Record<string, string> = {};

beforeAll(async () => {
  site = await serve('127.0.0.1', (req, res) => answer(req, res));
  sheets = await serve('127.0.0.1', (req, res) => sheet(req, res));
  inside = await serve('127.0.0.1', (_req, res) => void res.end('SECRET'));
  videos = await serveVideoSite();
  Object.assign(standIns, standInsFor(videos), {
    'https://pages.example': `http://127.0.0.1:${site.port}`,
    'https://docs.google.com': `http://127.0.0.1:${sheets.port}`,
  });
});
beforeEach(() => {
  videos.state = usualState();
});
afterAll(async () => {
  for (const server of [site, sheets, inside, videos]) await server[Symbol.asyncDispose]();
});

const api = useOwnMemoir(() => ({}), { standIns });

const sample = (path: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'samples', path));

const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Herons of the lake</title>${head}</head><body>
   <nav><a href="/">Walrus</a></nav><article><h1>Herons of the lake</h1>${body}</article>
   <footer>Imprint of the marmoset</footer></body></html>`;

const HERONS = `<p>${'The heron waits for a long time before it strikes. '.repeat(8)}</p>`;

const FACTS = `<meta name="author" content="Jo Writer"><meta property="og:site_name" content="City News">
  <meta property="article:published_time" content="2026-03-02T08:00:00Z">
  <link rel="canonical" href="/herons"><meta name="description" content="About herons.">`;

const add = async (content: string, more: Record<string, unknown> = {}) => {
  const tag = api.newTag();
  const document = (await api.add({ content, containerTag: tag, ...more })) as Awaited<
    ReturnType<typeof api.add>
  > & { note: string | null };
  return { tag, document };
};

describe('a page', () => {
  verifies(
    ['content:url:extracted', 'content:url:facts'],
    'a page is read by its main content, and kept with what it says of itself',
    async () => {
      answer = (_req, res) => void res.setHeader('content-type', 'text/html').end(page(HERONS, FACTS));
      const { tag, document } = await add(' https://pages.example/a?b=1#top ', {
        metadata: { kind: 'page', author: 'Somebody else' },
      });
      expect(document).toMatchObject({
        ...{
          status: 'done',
          type: 'webpage',
          title: 'Herons of the lake',
          url: 'https://pages.example/a?b=1#top',
        },
        metadata: {
          ...{ kind: 'page', author: 'Somebody else', site: 'City News', published: '2026-03-02T08:00:00Z' },
          ...{ canonicalUrl: 'https://pages.example/herons', description: 'About herons.' },
        },
      });
      expect(document.content).toContain('The heron waits');
      expect(document.content).not.toContain('Walrus');
      expect(await api.holders('heron strikes', tag)).toEqual([document.id]);
      const filters = { AND: [{ key: 'site', value: 'City News' }] };
      expect(await api.holders('heron strikes', tag, { filters })).toEqual([document.id]);
      expect(await api.found('marmoset', tag)).toEqual([]);
    },
  );

  verifies('content:url:facts', 'a page that is read again forgets what it no longer says', async () => {
    answer = (_req, res) => void res.end(page(HERONS, FACTS));
    const { document } = await add('https://pages.example/changing', { metadata: { site: 'Mine' } });
    await api.patch(document.id, { metadata: { description: 'My own words.' } });
    answer = (_req, res) => void res.end(page(HERONS, '<meta name="author" content="Ann Other">'));
    await api.patch(document.id, { content: 'https://pages.example/changing' });
    expect((await api.settled(document.id)).metadata).toEqual({
      ...{ site: 'Mine', description: 'My own words.', author: 'Ann Other', language: 'en' },
    });
  });

  verifies(
    ['content:url:type-detected', 'content:bytes:decide'],
    'a page may be anything: its bytes say what, whatever its ending and its header say',
    async () => {
      const served: Record<string, [string, string | Buffer]> = {
        '/page.pdf': ['application/pdf', page(HERONS)],
        '/report.html': ['text/html', pdf([{ lines: ['The harbour report.'] }])],
        '/table.bin': ['application/octet-stream', 'room,price\nblue,40\n'],
        '/photo': ['text/plain', sample('img/label16px.png')],
        '/book.csv': ['text/csv', sample('office/book.xlsx')],
        '/notes.md': ['text/plain; charset=utf-8', '# Notes\n\nThe egret came back.'],
        '/latin': ['text/plain; charset=iso-8859-1', Buffer.from('Zwölf Reiher am Fluß.', 'latin1')],
      };
      answer = (req, res) => {
        const [type, body] = served[req.url ?? ''] ?? ['text/plain', ''];
        res.setHeader('content-type', type).end(body);
      };
      const expected: Record<string, object> = {
        '/page.pdf': { type: 'webpage', title: 'Herons of the lake' },
        '/report.html': { type: 'pdf', title: 'report', content: expect.stringContaining('harbour report') },
        '/table.bin': { type: 'text', content: expect.stringContaining('40') },
        '/photo': { type: 'image', content: expect.stringContaining('invoice') },
        '/book.csv': { type: 'text', metadata: expect.objectContaining({ sheets: 2 }) },
        '/notes.md': { type: 'text', title: 'Notes' },
        '/latin': { type: 'text', content: 'Zwölf Reiher am Fluß.' },
      };
      for (const [path, what] of Object.entries(expected)) {
        const { document } = await add(`https://pages.example${path}`);
        expect(document, path).toMatchObject({ status: 'done', failure: null, ...what });
      }
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    ['content:url:resent', 'resend:failed:retried'],
    'a page that failed is fetched again when it is sent again, and one that was read is not',
    async () => {
      answer = (_req, res) => void res.writeHead(404).end('nothing here');
      const sent = { content: 'https://pages.example/late', customId: 'late', containerTag: 'late' };
      const failed = await api.add(sent);
      expect(failed).toMatchObject({
        ...{ status: 'failed', content: sent.content, type: 'webpage', url: sent.content },
        failure: { code: 'http_404', message: expect.stringContaining('Check it') },
      });
      answer = (_req, res) => void res.end(page(HERONS));
      expect((await api.post(sent)).body).toEqual({ id: failed.id, status: 'queued' });
      expect(await api.settled(failed.id)).toMatchObject({ status: 'done', failure: null });
      const hits = site.hits();
      expect((await api.post(sent)).body).toEqual({ id: failed.id, status: 'done' });
      await api.patch(failed.id, { containerTag: 'moved' });
      expect(await api.settled(failed.id)).toMatchObject({ status: 'done', containerTags: ['moved'] });
      expect(site.hits()).toBe(hits);
    },
  );

  verifies(
    'content:url:size',
    'a page may have 10 MiB when it is unpacked, and a file 50 MiB',
    async () => {
      const long = 'All work and no play makes a dull page. '.repeat(270_000);
      answer = (req, res) => {
        if (req.url === '/file') res.end(Buffer.concat([Buffer.from([0, 1, 2]), Buffer.alloc(11_000_000)]));
        else res.end(req.url === '/most' ? long.slice(0, 10_485_760) : long.slice(0, 10_485_761));
      };
      const superrag = { taskType: 'superrag' };
      expect((await add('https://pages.example/most', superrag)).document.status).toBe('done');
      expect((await add('https://pages.example/more', superrag)).document.failure?.code).toBe('too_large');
      expect((await add('https://pages.example/file', superrag)).document.failure?.code).toBe(
        'unsupported_type',
      );
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    'content:url:private-networks',
    'a page inside a private network is never fetched, straight or by a redirect',
    async () => {
      const secret = `http://127.0.0.1:${inside.port}/`;
      answer = (_req, res) => void res.writeHead(302, { location: secret }).end();
      const addresses = [secret, `http://localhost:${inside.port}/`, 'https://pages.example/away'];
      for (const content of addresses) {
        const { document } = await add(content);
        expect(document.failure, content).toMatchObject({
          code: expect.stringMatching(/^blocked_/),
          retryable: false,
        });
        expect(document.content).toBe(content);
      }
      expect(inside.hits()).toBe(0);
    },
  );

  verifies(
    'content:url:extracted',
    'a page is what is fetched: a text in its place, or one that is added, is kept as such',
    async () => {
      answer = (_req, res) => void res.end(page(HERONS));
      const named = { customId: 'both', containerTag: api.newTag() };
      const { id } = await api.add({ ...named, content: 'https://pages.example/both' });
      await api.post({ ...named, content: 'My own note about kettles and tea.' });
      const { content, url } = (await api.settled(id)) as never as { content: string; url: string };
      expect(content).toMatch(/The heron waits[\s\S]*My own note about kettles and tea\.$/);
      expect(url).toBe('https://pages.example/both');
    },
  );
});

describe('an online spreadsheet', () => {
  verifies(
    'content:spreadsheets:online',
    'an online spreadsheet that is shared is read row by row',
    async () => {
      const asked: string[] = [];
      sheet = (req, res) => {
        asked.push(req.url ?? '');
        res.setHeader('content-type', 'text/csv');
        res.setHeader('content-disposition', `attachment; filename="Rooms - Prices.csv"`);
        res.end('room,price\nblue,40\ngreen,55\n');
      };
      const { tag, document } = await add(
        'https://docs.google.com/spreadsheets/d/1AbC-_x/edit?usp=sharing#gid=7',
      );
      expect(asked).toEqual(['/spreadsheets/d/1AbC-_x/export?format=csv&gid=7']);
      expect(document).toMatchObject({ status: 'done', type: 'google_sheet', title: 'Rooms - Prices' });
      expect(document.url).toContain('/edit?usp=sharing');
      expect(await api.found('green', tag)).toEqual(['room: green; price: 55']);
    },
  );

  verifies('content:spreadsheets:online', 'an online spreadsheet that is not shared says so', async () => {
    for (const closed of [
      ((_req, res) =>
        void res.setHeader('content-type', 'text/html').end('<html>Sign in</html>')) as RequestListener,
      ((_req, res) => void res.writeHead(401).end()) as RequestListener,
    ]) {
      sheet = closed;
      const { document } = await add('https://docs.google.com/spreadsheets/d/1AbC-_x/edit');
      expect(document.failure).toMatchObject({
        code: 'not_shared',
        message: expect.stringContaining('anyone with'),
      });
    }
  });
});

describe('the page of a video', () => {
  verifies(
    ['content:url:video', 'content:place:named'],
    'the page of a video is found by what is said in it, with its time',
    async () => {
      const { tag, document } = await add('https://youtu.be/dQw4w9WgXcQ?si=x');
      expect(document).toMatchObject({
        ...{
          status: 'done',
          type: 'video',
          title: 'Herons "at" dawn',
          url: 'https://youtu.be/dQw4w9WgXcQ?si=x',
        },
        metadata: { site: 'YouTube', author: 'The Bird Channel', published: '2025-04-01', duration: 7200 },
      });
      expect(document.content).toContain('We speak of herons');
      expect(document.note).toBeNull();
      const asked = { q: 'egrets', containerTag: tag, searchMode: 'keyword' };
      const { body } = await api.ask<{ results: { chunks: { metadata: object }[] }[] }>(
        'POST',
        '/v3/search',
        asked,
      );
      expect(body.results[0]?.chunks[0]?.metadata).toEqual({ startTime: 1.5, endTime: 63.8 });
    },
  );

  verifies(
    ['content:url:no-transcript', 'content:note:left-out'],
    'the page of a video without a transcript keeps title and description, and says so',
    async () => {
      videos.state.captionsAt = null;
      const { tag, document } = await add('https://www.youtube.com/shorts/dQw4w9WgXcQ');
      expect(document).toMatchObject({ status: 'done', type: 'video', title: 'Herons "at" dawn' });
      expect(document.note).toMatch(/^No transcript was given for this video/);
      expect(await api.holders('two hours at the pond', tag)).toEqual([document.id]);
    },
  );

  verifies('processing:failed:reason', 'the page of a video that is gone says so', async () => {
    Object.assign(videos.state, { player: false, page: 'gone' });
    const { document } = await add('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    expect(document.failure).toMatchObject({ code: 'video_unavailable', retryable: false });
  });
});
