// The addresses that a crawl visits: one form for each page, those of one host, and none of those that never end.
import { matchesPattern } from '../../../lib/text/star-pattern.ts';

export interface CrawlRules {
  /** The address at which the crawl begins, in its one form. */
  readonly start: URL;
  readonly maxDepth: number;
  /** Empty: every path. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const LONGEST_ADDRESS = 2_048;
const MOST_REPEATED_SEGMENTS = 3;
/** Parameters that tell where a visitor came from and nothing about the page. */
const TRACKING = /^(?:utm_.*|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|mc_cid|mc_eid|igshid)$/i;
/** Endings of files that are no page; a request for them would be for nothing. */
const NO_PAGE =
  /\.(?:7z|aac|avi|avif|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|m4v|mjs|mkv|mov|mp3|mp4|mpe?g|msi|odp|ods|odt|ogg|otf|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|txt|wasm|wav|webm|webp|wmv|woff2?|xlsx?|xml|xz|zip)$/i;

/** `*` stands for any text; a pattern is for the whole path with its query. */
export const pathPatterns = (list: string): string[] =>
  list.split(/[\s,]+/).filter((pattern) => pattern !== '');

/** Null: it is no address of the web. */
export const pageAddress = (address: string, start?: URL): URL | null => {
  const url = URL.parse(address, start);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  if (url.search !== '') {
    const kept = [...url.searchParams].filter(([name]) => !TRACKING.test(name));
    if (kept.length !== url.searchParams.size) url.search = new URLSearchParams(kept).toString();
  }
  // One host answers the same by http and https.
  if (start !== undefined && url.host === start.host) url.protocol = start.protocol;
  return url;
};

const repeatsSegments = ({ pathname }: URL): boolean => {
  const counts = new Map<string, number>();
  for (const segment of pathname.split('/')) {
    if (segment === '') continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MOST_REPEATED_SEGMENTS) return true;
    counts.set(segment, count);
  }
  return false;
};

/** False for foreign hosts, excluded paths, files, and addresses that look like those of a trap. */
export const isCrawled = (url: URL, { start, include, exclude }: CrawlRules): boolean => {
  if (url.host !== start.host || url.href.length > LONGEST_ADDRESS) return false;
  if (NO_PAGE.test(url.pathname) || repeatsSegments(url)) return false;
  const path = url.pathname + url.search;
  if (exclude.some((pattern) => matchesPattern(pattern, path))) return false;
  return (
    include.length === 0 ||
    url.href === start.href ||
    include.some((pattern) => matchesPattern(pattern, path))
  );
};

/** `www.example.com` and `example.com` are the same site to people. */
export const isSameSite = (one: URL, other: URL): boolean =>
  one.host.replace(/^www\./, '') === other.host.replace(/^www\./, '');
