// The things that the parts of a crawl share: its rules, its way to ask, and how a page is shown.
import { z } from 'zod';
import type { Seen, SourceAnswer, SourceTools } from '../port.ts';
import { type CrawlRules, isCrawled, pageAddress } from './addresses.ts';
import type { AskRules, SiteRules } from './robots.ts';

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** The most addresses of one path that differ in their query alone, as in a calendar or a list with filters. */
const MOST_QUERIES = 200;
export const REDIRECTS = [301, 302, 303, 307, 308];
/** A sign-in stands before the page; what was read once stays. */
const NO_ACCESS = [401, 402, 403, 407];
const MISSING = [404, 410];
const OTHER_REFUSALS = [400, 405, 406, 409, 414, 421, 422, 451];

export const PAGE_HOW = z.object({ depth: z.int() });
export type PageHow = z.output<typeof PAGE_HOW>;

export interface Crawl {
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

/** One request after the other, with the pause of the site; after a failure the pause is twice as long. */
export const createGet = (tools: SourceTools, askRules: AskRules): Crawl['get'] => {
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

export const createRoom = (): Crawl['hasRoom'] => {
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

export const seenPage = (url: URL, { depth }: PageHow, changedAt: number | null = null): Seen => ({
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

/** The pages to which a page leads, as far as they belong to the crawl. */
export const foundPages = (
  { rules, hasRoom }: Crawl,
  site: SiteRules,
  addresses: readonly string[],
  how: PageHow,
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
