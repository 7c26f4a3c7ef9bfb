// The pages of one site. The ledger is the frontier of the crawl: a look wants everything that is known again and shows the
// start and the sitemaps; each page that is read leads to others.
import { z } from 'zod';
import { IngestError } from '../../core/errors.ts';
import { decodeText } from '../../lib/text/charset.ts';
import { sourceKind } from './kind.ts';
import type {
  Account,
  Grant,
  LookPage,
  OpenSource,
  PageLinks,
  ReadItem,
  Seen,
  SourceAnswer,
  SourceJson,
  SourceTools,
  Taken,
} from './port.ts';
import { SourceError } from './source-error.ts';
import { type CrawlRules, isCrawled, isSameSite, pageAddress, pathPatterns } from './web/addresses.ts';
import { type AskRules, createAskRules, type SiteRules } from './web/robots.ts';
import { readSitemap, type SitemapEntry } from './web/sitemaps.ts';

const DEPTH = 10;
const DEEPEST = 50;
const PAGE = 1_000;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_PAGE_BYTES = 10 * 1024 * 1024;
/** Of one path, as those of a calendar or of a list with filters. */
const MOST_QUERIES = 200;
const MOST_NESTED_SITEMAPS = 200;
const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const PERMANENT = new Set([301, 308]);
/** A sign-in stands before the page; what was read once stays. */
const NO_ACCESS = [401, 402, 403, 407];
const MISSING = [404, 410];
const OTHER_REFUSALS = [400, 405, 406, 409, 414, 421, 422, 451];

/** The place in the sitemaps at which a look goes on: a sitemap of the site, one in it, and the entries that were shown. */
const CURSOR = z.object({
  version: z.literal(1),
  sitemap: z.int(),
  nested: z.int(),
  shown: z.int(),
});
type Cursor = z.output<typeof CURSOR>;
const FIRST: Cursor = { version: 1, sitemap: 0, nested: 0, shown: 0 };

const HOW = z.object({ depth: z.int() });
type How = z.output<typeof HOW>;

/** What a reading noted about a page, so that the next one can ask whether it changed. */
const MARK = z.object({
  etag: z.string().nullable(),
  changed: z.string().nullable(),
  text: z.string(),
  /** It was not found at the last reading. */
  missing: z.boolean(),
});
type Mark = z.output<typeof MARK>;

interface Crawl {
  readonly tools: SourceTools;
  readonly rules: CrawlRules;
  readonly askRules: AskRules;
  readonly hasSitemaps: boolean;
  /** The address of a page with the pause that the site wants; redirects are answers. */
  get(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer>;
  /** The canonical addresses of the pages that were read. */
  readonly joined: Map<string, string>;
  /** False: the path has too many variants of its query. */
  hasRoom(url: URL): boolean;
}

const startOf = ({ metadata }: Grant): URL | null =>
  typeof metadata.startUrl === 'string' ? pageAddress(metadata.startUrl) : null;

const listOption = ({ metadata }: Grant, name: 'include' | 'exclude'): string =>
  typeof metadata[name] === 'string' ? metadata[name] : '';

const isDepth = (depth: unknown): depth is number =>
  typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 && depth <= DEEPEST;

const rulesOf = (grant: Grant, start: URL): CrawlRules => ({
  start,
  maxDepth: isDepth(grant.metadata.maxDepth) ? grant.metadata.maxDepth : DEPTH,
  include: pathPatterns(listOption(grant, 'include')),
  exclude: pathPatterns(listOption(grant, 'exclude')),
});

/** One request after the other, with the pause of the site; after a failure the pause is twice as long. */
const createGet = (tools: SourceTools, askRules: AskRules): Crawl['get'] => {
  let factor = 1;
  return async (address, headers, signal) => {
    const { delayMs } = await askRules(signal);
    const pauseMs = Math.min(Math.max(PAUSE_MS, delayMs) * factor, LONGEST_PAUSE_MS);
    const accept = [304, ...REDIRECTS, ...NO_ACCESS, ...MISSING, ...OTHER_REFUSALS];
    try {
      const answer = await tools.ask(
        address,
        { headers: { accept: 'text/html,application/xhtml+xml;q=0.9', ...headers }, accept, pauseMs },
        signal,
      );
      factor = 1;
      return answer;
    } catch (error) {
      factor *= 2;
      throw error;
    }
  };
};

const createRoom = (): Crawl['hasRoom'] => {
  const queries = new Map<string, Set<string>>();
  return ({ pathname, search }) => {
    if (search === '') return true;
    const known = queries.get(pathname) ?? new Set();
    queries.set(pathname, known);
    if (!known.has(search) && known.size >= MOST_QUERIES) return false;
    known.add(search);
    return true;
  };
};

const seenPage = (url: URL, { depth }: How, changedAt: number | null = null): Seen => ({
  ...{ id: url.href, kind: 'file', mark: '' },
  face: {
    title: url.href,
    url: url.href,
    type: 'webpage',
    metadata: { site: url.host },
    ...(changedAt === null ? {} : { editedAt: changedAt }),
  },
  how: { depth },
});

async function* entriesOf(crawl: Crawl, address: string, signal: AbortSignal): AsyncGenerator<SitemapEntry> {
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
  for await (const entry of entriesOf(crawl, address, signal)) {
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
    for await (const entry of entriesOf(crawl, url.href, signal)) {
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

async function* look(crawl: Crawl, stored: SourceJson, signal: AbortSignal): AsyncGenerator<LookPage> {
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

const nothing = (code: string, message: string, found: readonly Seen[] = []): Taken => ({
  ...{ content: 'nothing', skip: { code, message } },
  ...(found.length === 0 ? {} : { found }),
});

const markOf = (takenMark: string | null): Mark | null => {
  if (takenMark === null || takenMark === '') return null;
  const parsed = MARK.safeParse(JSON.parse(takenMark));
  return parsed.success ? parsed.data : null;
};

const writtenMark = (mark: Mark): string => JSON.stringify(mark);

/** A page that was read once stays until it is missing at two crawls. */
const missingPage = (
  known: Mark | null,
  reason: { code: string; message: string },
  found: readonly Seen[] = [],
): Taken =>
  known === null || known.missing
    ? nothing(reason.code, reason.message, found)
    : {
        ...{ content: 'unchanged', mark: writtenMark({ ...known, missing: true }) },
        ...(found.length === 0 ? {} : { found }),
      };

const stays = (known: Mark | null, code: string, message: string): Taken =>
  known === null ? nothing(code, message) : { content: 'unchanged' };

/** The pages to which a page leads, as far as they belong to the crawl. */
const foundPages = (
  { rules, hasRoom }: Crawl,
  site: SiteRules,
  addresses: readonly string[],
  how: How,
): Seen[] => {
  if (how.depth > rules.maxDepth) return [];
  const pages = new Map<string, URL>();
  for (const address of addresses) {
    const url = pageAddress(address, rules.start);
    if (url !== null && isCrawled(url, rules) && site.allows(url.href) && hasRoom(url))
      pages.set(url.href, url);
  }
  return [...pages.values()].map((url) => seenPage(url, how));
};

interface PageVisit {
  readonly crawl: Crawl;
  readonly site: SiteRules;
  readonly item: ReadItem;
  readonly how: How;
  readonly known: Mark | null;
  readonly signal: AbortSignal;
}

const readRedirect = (visit: PageVisit, { status, headers, url }: SourceAnswer): Taken => {
  const { crawl, site, item, how, known } = visit;
  const target = pageAddress(headers.location ?? '', new URL(url));
  const message = `${item.id} leads to ${target?.href ?? 'no address'}.`;
  if (target === null || target.host !== crawl.rules.start.host)
    return stays(known, 'redirect', `${message} Other sites are not read.`);
  const found = foundPages(crawl, site, [target.href], how);
  if (PERMANENT.has(status)) return missingPage(known, { code: 'redirect', message }, found);
  return known === null ? nothing('redirect', message, found) : { content: 'unchanged', found };
};

/** Null: the answer has a page. */
const readRefusal = (visit: PageVisit, answer: SourceAnswer): Taken | null => {
  const { item, known } = visit;
  const { status, headers } = answer;
  if (status === 304) return { content: 'unchanged' };
  if (REDIRECTS.includes(status)) return readRedirect(visit, answer);
  if (status === 410) return nothing('gone', `${item.id} was removed (status 410).`);
  if (status === 404)
    return missingPage(known, { code: 'not_found', message: `${item.id} does not exist (status 404).` });
  if (status >= 400)
    return stays(known, 'no_access', `${item.id} cannot be read without a sign-in (status ${status}).`);
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'text/html';
  if (type !== 'text/html' && type !== 'application/xhtml+xml')
    return nothing('type', `${item.id} is no page of HTML but ${type}.`);
  return null;
};

/** Null: the page is too large. */
const pageText = async (answer: SourceAnswer): Promise<string | null> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.stream()) {
    bytes += piece.length;
    if (bytes > MOST_PAGE_BYTES) return null;
    pieces.push(piece);
  }
  const declared = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(answer.headers['content-type'] ?? '')?.[1];
  return decodeText(Buffer.concat(pieces), { html: true, ...(declared === undefined ? {} : { declared }) });
};

/** `X-Robots-Tag`: directives for everybody, or behind the name of an agent. */
const headerSays = (header: string | undefined, directive: string): boolean =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().replace(/^memoir\s*:\s*/, ''))
    .some((part) => part === directive || part === 'none');

const changedTime = (header: string | undefined): number | null => {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? null : time;
};

/** Another address of the same page; null where that leads back to this one. */
const canonicalPage = ({ crawl, site, item, how }: PageVisit, page: PageLinks): Seen | null => {
  if (page.canonical === null) return null;
  const [found] = foundPages(crawl, site, [page.canonical], how);
  if (found === undefined) return null;
  for (let at: string | undefined = found.id, hops = 0; at !== undefined; at = crawl.joined.get(at), hops++)
    if (at === item.id || hops > MOST_REDIRECTS) return null;
  crawl.joined.set(item.id, found.id);
  return found;
};

/** Hostile HTML costs this page alone. */
const readLinks = async (
  { crawl, item }: PageVisit,
  text: string,
  signal: AbortSignal,
): Promise<PageLinks | Taken> => {
  try {
    return await crawl.tools.readLinks(text, item.id, signal);
  } catch (error) {
    if (!(error instanceof IngestError) || signal.aborted) throw error;
    if (error.retryable) throw new SourceError('provider_unavailable', error.message, { cause: error });
    return nothing('unreadable', `${item.id} cannot be read: ${error.message}`);
  }
};

const readPageText = async (visit: PageVisit, answer: SourceAnswer, text: string): Promise<Taken> => {
  const { crawl, site, item, how, known, signal } = visit;
  const { headers } = answer;
  const page = await readLinks(visit, text, signal);
  if ('content' in page) return page;
  const isLeaf = page.noFollow || headerSays(headers['x-robots-tag'], 'nofollow');
  const found = isLeaf ? [] : foundPages(crawl, site, page.links, { depth: how.depth + 1 });
  if (page.noIndex || headerSays(headers['x-robots-tag'], 'noindex'))
    return nothing('noindex', `${item.id} asks not to be stored (noindex).`, found);
  const canonical = canonicalPage(visit, page);
  if (canonical !== null)
    return nothing('canonical', `${item.id} is another address of ${canonical.id}.`, [canonical, ...found]);
  const { etag = null, 'last-modified': changed = null } = headers;
  const mark = writtenMark({ etag, changed, text: page.textMark, missing: false });
  if (known?.text === page.textMark) return { content: 'unchanged', mark, found };
  const editedAt = changedTime(headers['last-modified']);
  return {
    ...{ content: 'text', text, mediaType: 'text/html', mark, found },
    face: {
      ...(page.title === null ? {} : { title: page.title }),
      ...(editedAt === null ? {} : { editedAt }),
      metadata: { ...item.face.metadata, depth: how.depth },
    },
  };
};

const read = async (crawl: Crawl, item: ReadItem, signal: AbortSignal): Promise<Taken> => {
  const url = pageAddress(item.id, crawl.rules.start);
  const how = HOW.parse(item.how);
  if (url === null || !isCrawled(url, crawl.rules) || how.depth > crawl.rules.maxDepth)
    return nothing('excluded', `${item.id} is outside of what this connection reads.`);
  const site = await crawl.askRules(signal);
  if (!site.allows(item.id))
    return nothing('robots', `The robots.txt of ${url.host} does not allow ${item.id}.`);
  crawl.hasRoom(url);
  const known = markOf(item.takenMark);
  const visit: PageVisit = { crawl, site, item, how, known, signal };
  const answer = await crawl.get(
    item.id,
    {
      ...(known?.etag ? { 'if-none-match': known.etag } : {}),
      ...(known?.changed ? { 'if-modified-since': known.changed } : {}),
    },
    signal,
  );
  const refusal = readRefusal(visit, answer);
  if (refusal !== null) {
    answer.discard();
    return refusal;
  }
  const text = await pageText(answer);
  if (text === null) return nothing('size', `${item.id} is larger than 10 MiB.`);
  return readPageText(visit, answer, text);
};

const badStart = (reason: string): SourceError =>
  new SourceError('bad_options', `metadata.startUrl cannot be crawled: ${reason}`);

/** The last address of the redirects of the start; those within the site are adopted. */
const findStart = async (crawl: Crawl, start: URL, signal: AbortSignal): Promise<URL> => {
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await crawl.get(url.href, {}, signal);
    answer.discard();
    const { status, headers } = answer;
    if (!REDIRECTS.includes(status)) {
      if (status >= 400) throw badStart(`${url.href} answers with status ${status}. Check the address.`);
      const type = headers['content-type'] ?? 'text/html';
      if (!/html/i.test(type)) throw badStart(`${url.href} is no page of HTML but ${type}.`);
      return url;
    }
    const target = URL.parse(headers.location ?? '', url);
    const next = target === null ? null : pageAddress(target.href);
    if (next === null) throw badStart(`${url.href} redirects to something that is not an address.`);
    if (!isSameSite(next, start))
      throw badStart(`${url.href} leads to another site. To crawl that, use ${next.href} as startUrl.`);
    url = next;
  }
  throw badStart(`${start.href} redirects more than ${MOST_REDIRECTS} times.`);
};

const who = async (crawl: Crawl, signal: AbortSignal): Promise<Account> => {
  const { start } = crawl.rules;
  const site = await crawl.askRules(signal);
  if (!site.allows(start.href))
    throw badStart(`the robots.txt of ${start.host} does not allow ${start.href}.`);
  const found = await findStart(crawl, start, signal);
  return {
    account: found.host,
    ...(found.href === start.href ? {} : { options: { startUrl: found.href } }),
  };
};

const open = (grant: Grant, tools: SourceTools): OpenSource => {
  const start = startOf(grant);
  if (start === null) throw new Error('A crawl was opened without a start.');
  const askRules = createAskRules(tools, start);
  const crawl: Crawl = {
    ...{ tools, askRules, rules: rulesOf(grant, start), hasSitemaps: grant.metadata.sitemap !== false },
    get: createGet(tools, askRules),
    joined: new Map(),
    hasRoom: createRoom(),
  };
  return {
    who: (signal) => who(crawl, signal),
    look: (cursor, _choice, signal) => look(crawl, cursor, signal),
    read: (item, signal) => read(crawl, item, signal),
  };
};

const checkOptions = (grant: Grant): string | null => {
  const { startUrl, maxDepth, sitemap } = grant.metadata;
  if (startOf(grant) === null)
    return `metadata.startUrl must be the address at which the crawl begins, as in "https://docs.example.com/"${startUrl === undefined ? '' : `, and not "${startUrl}"`}.`;
  if (maxDepth !== undefined && !isDepth(maxDepth))
    return `metadata.maxDepth is the number of links from the start to a page, from 0 to ${DEEPEST}.`;
  if (sitemap !== undefined && typeof sitemap !== 'boolean') return 'metadata.sitemap is true or false.';
  for (const name of ['include', 'exclude'] as const)
    for (const pattern of listOption(grant, name).split(/[\s,]+/))
      if (pattern !== '' && !/^[/*]/.test(pattern))
        return `metadata.${name} is a list of paths, as in "/docs/*": "${pattern}" begins with neither "/" nor "*".`;
  return null;
};

export const webCrawler = sourceKind({
  provider: 'web-crawler',
  title: 'The site',
  signIn: null,
  secrets: [],
  options: ['startUrl', 'maxDepth', 'include', 'exclude', 'sitemap'],
  choosing: 'never',
  whole: true,
  pace: { perSecond: 1, parallel: 1, lookEveryMs: 7 * 24 * 60 * 60_000 },
  folders: false,
  checkOptions,
  credentials: () => ({ kind: 'none' }),
  open,
});
