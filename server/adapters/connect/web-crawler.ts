// The pages of one site. The ledger is the frontier of the crawl: a look wants everything that is known again and shows the
// start and the sitemaps; each page that is read leads to others.
import { sourceKind } from './kind.ts';
import type { Grant, OpenSource, SourceTools } from './port.ts';
import { type CrawlRules, pageAddress, pathPatterns } from './web-crawler/addresses.ts';
import { type Crawl, createGet, createRoom } from './web-crawler/crawl.ts';
import { lookAtSite } from './web-crawler/look.ts';
import { readCrawledPage } from './web-crawler/read-page.ts';
import { createAskRules } from './web-crawler/robots.ts';
import { checkStart } from './web-crawler/start.ts';

const DEPTH = 10;
const DEEPEST = 50;

const startUrlOf = ({ metadata }: Grant): URL | null =>
  typeof metadata.startUrl === 'string' ? pageAddress(metadata.startUrl) : null;

const listOption = ({ metadata }: Grant, name: 'include' | 'exclude'): string => String(metadata[name] ?? '');

const isDepth = (depth: unknown): depth is number =>
  typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 && depth <= DEEPEST;

const rulesOf = (grant: Grant, start: URL): CrawlRules => ({
  start,
  maxDepth: isDepth(grant.metadata.maxDepth) ? grant.metadata.maxDepth : DEPTH,
  include: pathPatterns(listOption(grant, 'include')),
  exclude: pathPatterns(listOption(grant, 'exclude')),
});

const openCrawl = (grant: Grant, tools: SourceTools): OpenSource => {
  const start = startUrlOf(grant);
  if (start === null) throw new Error('A crawl was opened without a start.');
  const askRules = createAskRules(tools, start);
  const crawl: Crawl = {
    ...{ tools, askRules, rules: rulesOf(grant, start), hasSitemaps: grant.metadata.sitemap !== false },
    get: createGet(tools, askRules),
    joined: new Map(),
    hasRoom: createRoom(),
  };
  return {
    who: (signal) => checkStart(crawl, signal),
    look: (cursor, _choice, signal) => lookAtSite(crawl, cursor, signal),
    read: (item, signal) => readCrawledPage(crawl, item, signal),
  };
};

const checkCrawlOptions = (grant: Grant): string | null => {
  const { startUrl, maxDepth, sitemap } = grant.metadata;
  if (startUrlOf(grant) === null)
    return `metadata.startUrl must be the address at which the crawl begins, as in "https://docs.example.com/"${startUrl === undefined ? '' : `, and not "${startUrl}"`}.`;
  if (maxDepth !== undefined && !isDepth(maxDepth))
    return `metadata.maxDepth is the number of links from the start to a page, from 0 to ${DEEPEST}.`;
  if (sitemap !== undefined && typeof sitemap !== 'boolean') return 'metadata.sitemap is true or false.';
  for (const name of ['include', 'exclude'] as const)
    for (const pattern of pathPatterns(listOption(grant, name)))
      if (!/^[/*]/.test(pattern))
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
  leadsOn: true,
  checkOptions: checkCrawlOptions,
  credentials: () => ({ kind: 'none' }),
  open: openCrawl,
});
