// A look: everything that is known is wanted again, and the start and the sitemaps are shown.
import { z } from 'zod';
import type { LookPage, Seen, SourceJson } from '../port.ts';
import { type CrawlRules, isCrawled, pageAddress } from './addresses.ts';
import { type Crawl, seenPage } from './crawl.ts';
import type { SiteRules } from './robots.ts';
import { readSitemap, type SitemapEntry } from './sitemaps.ts';

const PAGE = 1_000;
const MOST_NESTED_SITEMAPS = 200;

/** The place in the sitemaps at which a look goes on: a sitemap of the site, one in it, and the entries that were shown. */
const CURSOR = z.object({
  version: z.literal(1),
  sitemap: z.int(),
  nested: z.int(),
  shown: z.int(),
});
type Cursor = z.output<typeof CURSOR>;
const FIRST: Cursor = { version: 1, sitemap: 0, nested: 0, shown: 0 };

async function* sitemapEntries(
  crawl: Crawl,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<SitemapEntry> {
  const site = await crawl.askRules(signal);
  if (!site.allows(address)) return;
  const answer = await crawl.get(address, { accept: 'application/xml,text/xml;q=0.9,*/*;q=0.5' }, signal);
  if (answer.status === 200) yield* readSitemap(answer.stream());
  else answer.discard();
}

const sitemapAddresses = ({ sitemaps }: SiteRules, { start }: CrawlRules): URL[] => {
  const named = sitemaps.flatMap((address) => pageAddress(address, start) ?? []);
  const usual = new URL('/sitemap.xml', start);
  const all = [...named, usual].filter(({ host }) => host === start.host);
  return [...new Map(all.map((url) => [url.href, url])).values()];
};

/** The pages of a sitemap in order; the sitemaps that it lists come after its own pages, as `nested` counts them. */
async function* pagesOf(
  crawl: Crawl,
  address: string,
  from: { nested: number; shown: number },
  signal: AbortSignal,
): AsyncGenerator<{ entry: SitemapEntry; nested: number; shown: number }> {
  const nested: string[] = [];
  let shown = 0;
  for await (const entry of sitemapEntries(crawl, address, signal)) {
    if (entry.kind === 'sitemap') {
      if (nested.length < MOST_NESTED_SITEMAPS) nested.push(entry.address);
      continue;
    }
    shown += 1;
    if (from.nested === 0 && shown > from.shown) yield { entry, nested: 0, shown };
  }
  for (const [index, one] of nested.entries()) {
    const number = index + 1;
    const url = pageAddress(one, crawl.rules.start);
    if (number < from.nested || url === null || url.host !== crawl.rules.start.host) continue;
    shown = 0;
    for await (const entry of sitemapEntries(crawl, url.href, signal)) {
      shown += 1;
      if (entry.kind === 'page' && (number > from.nested || shown > from.shown))
        yield { entry, nested: number, shown };
    }
  }
}

const seenEntry = ({ rules, hasRoom }: Crawl, site: SiteRules, entry: SitemapEntry): Seen | null => {
  const url = pageAddress(entry.address, rules.start);
  if (url === null || !isCrawled(url, rules) || !site.allows(url.href) || !hasRoom(url)) return null;
  if (url.href === rules.start.href) return null;
  return seenPage(url, { depth: Math.min(1, rules.maxDepth) }, entry.changedAt);
};

export async function* lookAtSite(
  crawl: Crawl,
  stored: SourceJson,
  signal: AbortSignal,
): AsyncGenerator<LookPage> {
  const site = await crawl.askRules(signal);
  const parsed = CURSOR.safeParse(stored);
  const from = parsed.success ? parsed.data : FIRST;
  let first: Pick<LookPage, 'again'> = parsed.success ? {} : { again: true };
  let items: Seen[] = parsed.success ? [] : [seenPage(crawl.rules.start, { depth: 0 })];
  const pageAt = (cursor: Cursor): LookPage => {
    const page = { items, cursor, ...first };
    [items, first] = [[], {}];
    return page;
  };
  const sitemaps = crawl.hasSitemaps ? sitemapAddresses(site, crawl.rules) : [];
  for (const [sitemap, { href }] of sitemaps.entries()) {
    if (sitemap < from.sitemap) continue;
    const place = sitemap === from.sitemap ? from : FIRST;
    for await (const { entry, nested, shown } of pagesOf(crawl, href, place, signal)) {
      const seen = seenEntry(crawl, site, entry);
      if (seen !== null) items.push(seen);
      if (items.length >= PAGE) yield pageAt({ version: 1, sitemap, nested, shown });
    }
    yield pageAt({ ...FIRST, sitemap: sitemap + 1 });
  }
  // The next look begins anew.
  yield { items, ...first, cursor: null, end: 'delta' };
}
