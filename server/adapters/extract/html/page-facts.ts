// What a page says about itself: title, author, site, date, canonical address.
import type { Readability } from '@mozilla/readability';
import { defined } from '../../../lib/defined.ts';

type Article = NonNullable<ReturnType<Readability<HTMLElement>['parse']>>;

export interface PageFacts {
  readonly title: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const LONGEST_VALUE = 300;

export function pageFacts(document: Document, article: Article | null): PageFacts {
  return {
    title: shortened(article?.title || titleOf(document)) ?? '',
    metadata: defined({
      author: shortened(meta(document, 'author') ?? article?.byline?.replace(/^\s{0,20}by\s{1,20}/i, '')),
      site: shortened(article?.siteName ?? meta(document, 'og:site_name')),
      published: shortened(article?.publishedTime ?? meta(document, 'article:published_time')),
      canonicalUrl: canonicalUrl(document),
      description: shortened(meta(document, 'og:description') ?? meta(document, 'description')),
      language: shortened(document.documentElement?.lang),
    }),
  };
}

function titleOf(document: Document): string {
  return meta(document, 'og:title') || document.title || document.querySelector('h1')?.textContent || '';
}

function meta(document: Document, name: string): string | undefined {
  const found = document.querySelector(`meta[property="${name}"],meta[name="${name}"]`);
  return found?.getAttribute('content') || undefined;
}

/** Made whole with the page's own address; a page in a file has none, and then neither has a link that needs it. */
function canonicalUrl(document: Document): string | undefined {
  const given =
    document.querySelector('link[rel="canonical"]')?.getAttribute('href') || meta(document, 'og:url');
  const url = given === undefined ? null : URL.parse(given, document.baseURI);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function shortened(value: string | null | undefined): string | undefined {
  const said = value?.replace(/\s+/g, ' ').trim().slice(0, LONGEST_VALUE).toWellFormed();
  return said || undefined;
}
