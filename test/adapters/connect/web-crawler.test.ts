// Tests of the web crawler over a site on loopback: what it visits, what it leaves out, and what stays.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReadItem, Seen, SourceValue, Taken } from '../../../server/adapters/connect/port.ts';
import {
  isCrawled,
  pageAddress,
  pathPatterns,
} from '../../../server/adapters/connect/web-crawler/addresses.ts';
import { webCrawler } from '../../../server/adapters/connect/web-crawler.ts';
import { readLinkedPage } from '../../../server/adapters/extract/html/links.ts';
import { anyRequest, forRequests, startFakeServer } from '../../fakes/support/fake-server.ts';
import { type FakeSite, page, sitemap, sitemapIndex, startFakeSite } from '../../fakes/web-crawler.ts';
import { sizeOf } from '../../support/sizes.ts';
import { sourceContract } from './contract.ts';
import { openFake, readItem } from './open-source.ts';
import type { SourceFake } from './source-fake.ts';

const { signal } = new AbortController();
const readLinks = async (html: string, url: string) => readLinkedPage(html, url);

const reached = (site: FakeSite, metadata: Record<string, SourceValue> = {}) => ({
  privateHosts: [site.host],
  grant: { metadata: { startUrl: `${site.origin}/`, ...metadata }, secrets: {} },
});

/** The start is the first page, and a sitemap names all. */
const startContractFake = async (): Promise<SourceFake> => {
  const site = await startFakeSite();
  const names = new Set<string>();
  const addressOf = (name: string) => `${site.origin}/${name}`;
  return {
    ...reached(site, { startUrl: addressOf('a.md') }),
    server: site.server,
    isListing: ({ url }) => url.pathname === '/sitemap.xml',
    isReading: ({ url }) => url.pathname !== '/sitemap.xml' && url.pathname !== '/robots.txt',
    async put(name, text) {
      names.add(name);
      site.pages.set(`/${name}`, page(name, [], text));
      site.pages.set('/sitemap.xml', sitemap([...names].map(addressOf)));
      return addressOf(name);
    },
    async remove(name) {
      site.pages.delete(`/${name}`);
    },
    showsRemovals: false,
    close: site.close,
  };
};

sourceContract(webCrawler, startContractFake, { readLinks });

interface CrawledItem {
  readonly seen: Seen;
  wanted: boolean;
  takenMark: string | null;
  document: string | null;
  reason: string | null;
}

type Ledger = Map<string, CrawledItem>;

const wantItem = (ledger: Ledger, seen: Seen): void => {
  if (!ledger.has(seen.id))
    ledger.set(seen.id, { seen, wanted: true, takenMark: null, document: null, reason: null });
};

const noteTaken = (item: CrawledItem, taken: Taken): boolean => {
  item.wanted = false;
  item.takenMark = taken.mark ?? item.takenMark;
  if (taken.content === 'nothing') [item.document, item.reason] = [null, taken.skip.code];
  if (taken.content !== 'text') return false;
  [item.document, item.reason] = [taken.text, null];
  return true;
};

const openCrawl = async (metadata: Record<string, SourceValue> = {}) => {
  const site = await startFakeSite();
  const opened = openFake(webCrawler, reached(site, metadata), { readLinks });
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await site.close();
  });
  const ledger: Ledger = new Map();
  /** As the engine does: one look, and all readings to which it leads. Resolves with the number of changed documents. */
  const crawl = async (): Promise<number> => {
    for await (const { items, again } of opened.source.look(null, null, signal)) {
      if (again === true) for (const item of ledger.values()) item.wanted = true;
      for (const seen of items) wantItem(ledger, seen);
    }
    let changed = 0;
    for (;;) {
      const [item] = [...ledger.values()].filter(({ wanted }) => wanted);
      if (item === undefined) return changed;
      const asked: ReadItem = readItem(item.seen, item.takenMark);
      const taken = await opened.source.read(asked, signal);
      if (noteTaken(item, taken)) changed += 1;
      for (const seen of taken.found ?? []) wantItem(ledger, seen);
    }
  };
  return {
    ...{ site, opened, ledger, crawl },
    stored: () =>
      [...ledger.values()]
        .filter(({ document }) => document !== null)
        .map(({ seen }) => seen.id.slice(site.origin.length))
        .sort(),
    reasonOf: (path: string) => ledger.get(site.origin + path)?.reason,
    asked: () => site.server.requests.map(({ url }) => url.pathname + url.search),
  };
};

describe('a crawl', () => {
  test(
    'of a site with traps stores exactly the allowed pages, and a second one reads nothing anew',
    async () => {
      const foreign = await startFakeServer(() => ({ body: 'private' }));
      onTestFinished(foreign.close);
      const { site, crawl, stored, reasonOf, asked } = await openCrawl();
      const COUNT = sizeOf({ small: 60, whole: 1_000 });
      const paths = Array.from({ length: COUNT }, (_, i) => `/docs/page-${i}`);
      site.robots('User-agent: *\nDisallow: /secret/\n');
      site.addCalendar();
      site.pages.set(
        '/',
        page('Home', [
          '/docs/page-0',
          '/calendar?month=1',
          '/secret/a',
          '/away',
          '/hidden',
          `${foreign.origin}/x`,
          '/file.pdf',
        ]),
      );
      for (const [i, path] of paths.entries())
        site.pages.set(
          path,
          page(`Page ${i}`, [
            ...paths.slice(i * 6 + 1, i * 6 + 7),
            '/',
            `${path}#part`,
            `${path}?utm_source=x`,
          ]),
        );
      site.pages.set('/secret/a', page('Secret', []));
      site.pages.set('/away', { status: 302, headers: { location: `${foreign.origin}/private` } });
      site.pages.set('/hidden', {
        html: '<html><head><meta name="robots" content="noindex"></head><body>Hidden <a href="/beyond">on</a></body></html>',
      });
      site.pages.set('/beyond', page('Beyond', []));
      await crawl();
      const calendar = stored().filter((path) => path.startsWith('/calendar'));
      expect(stored().filter((path) => !path.startsWith('/calendar'))).toEqual(
        ['/', '/beyond', ...paths].sort(),
      );
      expect(calendar.length).toBeLessThanOrEqual(20);
      expect([reasonOf('/hidden'), reasonOf('/away')]).toEqual(['noindex', 'redirect']);
      expect(foreign.requests).toHaveLength(0);
      expect(asked().filter((path) => path.startsWith('/secret') || path === '/file.pdf')).toEqual([]);
      expect(site.mostAtOnce()).toBe(1);
      expect(await crawl()).toBe(0);
      site.answersConditions(false);
      expect(await crawl()).toBe(0);
    },
    sizeOf({ small: 60_000, whole: 600_000 }),
  );

  test('reads sitemaps: packed, nested, and named by robots.txt', async () => {
    const { site, crawl, stored, ledger } = await openCrawl();
    const at = (path: string) => site.origin + path;
    site.robots(`Sitemap: ${at('/maps/all.xml')}\nSitemap: https://elsewhere.example/map.xml\n`);
    site.pages.set('/', page('Home', []));
    for (const name of ['a', 'b', 'c']) site.pages.set(`/${name}`, page(name, []));
    site.pages.set(
      '/maps/all.xml',
      sitemapIndex([at('/maps/1.xml.gz'), at('/maps/2.xml'), 'https://elsewhere.example/3.xml']),
    );
    site.pages.set('/maps/1.xml.gz', sitemap([at('/a'), at('/b?x=1&y=2')], { packed: true }));
    site.pages.set('/b?x=1&y=2', page('b with a query', []));
    site.pages.set(
      '/maps/2.xml',
      sitemap([at('/c'), 'https://elsewhere.example/d'], { changed: '2026-10-01' }),
    );
    await crawl();
    expect(stored()).toEqual(['/', '/a', '/b?x=1&y=2', '/c']);
    expect(ledger.get(at('/c'))?.seen.face.editedAt).toBe(Date.parse('2026-10-01'));
  });

  test('keeps a page that is missing once, and gives it up at the second crawl; 410 is at once', async () => {
    const { site, crawl, stored } = await openCrawl();
    site.pages.set('/', page('Home', ['/a', '/b', '/c']));
    for (const name of ['a', 'b', 'c']) site.pages.set(`/${name}`, page(name, []));
    await crawl();
    site.pages.delete('/a');
    site.pages.set('/b', { status: 410 });
    site.pages.set('/c', { status: 302, headers: { location: 'https://login.example/' } });
    await crawl();
    expect(stored()).toEqual(['/', '/a', '/c']);
    await crawl();
    expect(stored()).toEqual(['/', '/c']);
  });

  test('a page that no page links to any more stays while it answers', async () => {
    const { site, crawl, stored } = await openCrawl();
    site.pages.set('/', page('Home', ['/a']));
    site.pages.set('/a', page('a', []));
    await crawl();
    site.pages.set('/', page('Home', []));
    await crawl();
    expect(stored()).toEqual(['/', '/a']);
  });

  test('pages that robots.txt disallows since the last crawl go; while it cannot be read, nothing is fetched', async () => {
    const { site, crawl, stored, asked } = await openCrawl();
    site.pages.set('/', page('Home', ['/a']));
    site.pages.set('/a', page('a', []));
    await crawl();
    const opened = openFake(webCrawler, reached(site), { readLinks });
    onTestFinished(() => opened[Symbol.asyncDispose]());
    site.robots({ status: 503 });
    site.server.requests.length = 0;
    const looked = opened.source.look(null, null, signal).next();
    await expect(looked).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(new Set(asked())).toEqual(new Set(['/robots.txt']));
    expect(stored()).toEqual(['/', '/a']);
  });

  test('canonical addresses join pages, and two that name each other are one page', async () => {
    const { site, crawl, stored, reasonOf } = await openCrawl();
    const named = (canonical: string, text: string) => ({
      html: `<html><head><link rel="canonical" href="${canonical}"></head><body><p>${text}</p></body></html>`,
    });
    site.pages.set('/', page('Home', ['/a?ref=1', '/one', '/two']));
    site.pages.set('/a?ref=1', named('/a', 'The page.'));
    site.pages.set('/a', named('/a', 'The page.'));
    site.pages.set('/one', named('/two', 'One.'));
    site.pages.set('/two', named('/one', 'Two.'));
    await crawl();
    expect(stored()).toContain('/a');
    expect(reasonOf('/a?ref=1')).toBe('canonical');
    expect(stored().filter((path) => path === '/one' || path === '/two')).toEqual(['/two']);
  });

  test('depth, patterns and nofollow limit it', async () => {
    const { site, crawl, stored } = await openCrawl({ maxDepth: 2, include: '/docs/*', exclude: '*/old/*' });
    site.pages.set('/', page('Home', ['/docs/a', '/blog/b', '/docs/old/c']));
    site.pages.set('/docs/a', page('a', ['/docs/b']));
    site.pages.set('/docs/b', page('b', ['/docs/c']));
    for (const path of ['/docs/c', '/blog/b', '/docs/old/c']) site.pages.set(path, page(path, []));
    await crawl();
    expect(stored()).toEqual(['/', '/docs/a', '/docs/b']);
  });

  test('pauses between requests as robots.txt asks, and longer after failures', async () => {
    const { site, crawl, opened } = await openCrawl();
    site.robots('User-agent: memoir\nCrawl-delay: 7\n');
    site.pages.set('/', page('Home', ['/a', '/b']));
    for (const name of ['a', 'b']) site.pages.set(`/${name}`, page(name, []));
    await crawl();
    // The sitemap and three pages, each after a pause.
    expect(opened.waits.filter((ms) => ms === 7_000).length).toBeGreaterThanOrEqual(4);
  });

  test('a failing page does not end the crawl of others and is not given up', async () => {
    const { site, crawl, stored, opened, ledger } = await openCrawl();
    site.pages.set('/', page('Home', []));
    await crawl();
    site.server.addFault(forRequests(anyRequest, { status: 500 }));
    const [home] = ledger.values();
    if (home === undefined) throw new Error('There is no page.');
    await expect(opened.source.read(readItem(home.seen, home.takenMark), signal)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect(stored()).toEqual(['/']);
  });
});

describe('the start of a crawl', () => {
  const checked = (metadata: Record<string, SourceValue>) =>
    webCrawler.checkOptions({ metadata, secrets: {} });

  test('is a web address, and options that cannot be used are named', () => {
    expect(checked({ startUrl: 'https://docs.example.com/' })).toBeNull();
    expect(checked({})).toContain('metadata.startUrl');
    expect(checked({ startUrl: 'ftp://example.com' })).toContain('not "ftp://example.com"');
    expect(checked({ startUrl: 'https://a.example', maxDepth: 99 })).toContain('maxDepth');
    expect(checked({ startUrl: 'https://a.example', include: 'docs' })).toContain('"docs" begins with');
  });

  test('adopts a redirect within the site and refuses others with a sentence', async () => {
    const { site, opened } = await openCrawl();
    site.pages.set('/', { status: 301, headers: { location: '/welcome' } });
    site.pages.set('/welcome', page('Welcome', []));
    expect(await opened.source.who(signal)).toEqual({
      account: site.host,
      options: { startUrl: `${site.origin}/welcome` },
    });
    site.pages.set('/', { status: 301, headers: { location: 'https://other.example/' } });
    await expect(opened.source.who(signal)).rejects.toThrow('use https://other.example/ as startUrl');
    site.pages.set('/', { status: 404 });
    await expect(opened.source.who(signal)).rejects.toThrow('answers with status 404');
  });
});

describe('addresses of a crawl', () => {
  const start = new URL('https://www.example.com/docs/');
  const rules = { start, maxDepth: 10, include: [], exclude: pathPatterns('/private/*') };
  const formOf = (address: string) => pageAddress(address, start)?.href;

  test('have one form', () => {
    expect(formOf('a?utm_source=x&b=1#part')).toBe('https://www.example.com/docs/a?b=1');
    expect(formOf('http://www.example.com/x')).toBe('https://www.example.com/x');
    expect(formOf('/index.html')).toBe('https://www.example.com/index.html');
    expect(formOf('mailto:ann@example.com')).toBeUndefined();
  });

  test.each([
    ['/a/b', true],
    ['/a/a/a/a', false],
    ['/a.pdf', false],
    [`/${'x'.repeat(2_100)}`, false],
    ['/private/x', false],
    ['https://example.com/', false],
    ['https://www.example.com:8443/', false],
  ])('%s is crawled: %s', (address, expected) => {
    const url = pageAddress(address, start);
    expect(url !== null && isCrawled(url, rules)).toBe(expected);
  });

  test('are compared with patterns of many stars in a moment', () => {
    const url = new URL(`/docs/${'a'.repeat(2_000)}`, start);
    const exclude = pathPatterns(`/docs/${'*a'.repeat(50)}b /docs/*z`);
    expect(isCrawled(url, { ...rules, exclude })).toBe(true);
    expect(isCrawled(new URL('/docs/x.z?q=z', start), { ...rules, exclude })).toBe(false);
  });
});
